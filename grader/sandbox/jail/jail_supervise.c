/* jail_supervise.c: see jail_supervise.h.
 *
 * It stands between the grader and a hostile program, so it is small, allocates nothing and
 * believes nothing that the program can reach. In tier A it runs as process 1 of the program's
 * process namespace: the kernel shields it from the program's signals, and when it ends everything
 * in the namespace ends. With a slot it is the twin of the program's user, and kill(-1) reaches all
 * of the program's processes at once, whatever they do. Otherwise it adopts orphans, stops all that
 * descends from it, and then kills it.
 */
#include "sandbox/jail/jail_supervise.h"

#include "sandbox/jail.h"
#include "sandbox/jail/jail_processes.h"
#include "sandbox/jail/jail_program.h"
#include "sandbox/jail/jail_steps.h"
#include "sandbox/jail/jail_sweep.h"
#include "sandbox/jail/jail_user.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    KILL_PAUSE_MS = 1,
    STOPPED_ROUNDS = 2,   /* the first may have missed a process that was just being made */
    FIRST_COUNT_MS = 100, /* after the start; then after twice as long each time */
    LAST_COUNT_MS = 3200,
};

_Noreturn void jail_give_up(const char *what)
{
    fprintf(stderr, "gpugrade-jail: %s: %s\n", what, strerror(errno));
    exit(JAIL_EXIT);
}

struct supervision {
    const struct jail_job *job;
    pid_t program;
    int signals;
    bool owns_processes; /* kill(-1) reaches the program's processes and nothing else */
    uint64_t tasks_before;
    uint64_t peak_tasks;
    uint64_t step_signals;
};

static void send_record(enum jail_record_kind kind, int value, const struct rusage *usage,
                        const struct supervision *supervision)
{
    struct jail_record record = {.kind = kind, .value = value};

    if (supervision != NULL) {
        record.peak_tasks = supervision->peak_tasks;
        record.step_signals = supervision->step_signals;
    }
    if (usage != NULL) {
        uint64_t seconds = (uint64_t)usage->ru_utime.tv_sec + (uint64_t)usage->ru_stime.tv_sec;
        uint64_t micro = (uint64_t)usage->ru_utime.tv_usec + (uint64_t)usage->ru_stime.tv_usec;
        record.cpu_ns = seconds * UINT64_C(1000000000) + micro * 1000;
        record.peak_memory_bytes = (uint64_t)usage->ru_maxrss * 1024;
    }
    send(JAIL_CONTROL_FD, &record, sizeof record, MSG_NOSIGNAL);
}

/* Forks the program; the pipe tells an errno if it could not become it. */
static pid_t start_program(const struct jail_job *job)
{
    int failure[2];
    int cause = 0;
    pid_t self = getpid();

    if (pipe2(failure, O_CLOEXEC) != 0) {
        jail_give_up("cannot make a pipe");
    }
    pid_t child = fork();
    if (child < 0) {
        jail_give_up("cannot start a process");
    }
    if (child == 0) {
        jail_become_program(job, self);
        cause = errno;
        _exit(write(failure[1], &cause, sizeof cause) == sizeof cause ? JAIL_EXIT : JAIL_EXIT + 1);
    }
    close(failure[1]);
    bool failed = read(failure[0], &cause, sizeof cause) == sizeof cause;
    close(failure[0]);
    /* The program alone holds its descriptors. Without a channel, number 3 is one of ours. */
    for (int fd = 0; fd < (job->channel != 0 ? JAIL_CHANNEL_FD + 1 : JAIL_CHANNEL_FD); fd++) {
        close(fd);
    }
    send_record(failed ? JAIL_NOT_STARTED : JAIL_STARTED, cause, NULL, NULL);
    return child;
}

/* Tasks of the program's user, or namespace, besides those that were there before. It reads a file
 * for each process of the machine, so it is not done when nothing depends on it. */
static void count_tasks(struct supervision *supervision)
{
    uint64_t tasks = jail_tasks_count(supervision->job->uid);
    uint64_t own = tasks > supervision->tasks_before ? tasks - supervision->tasks_before : 0;

    if (own > supervision->peak_tasks) {
        supervision->peak_tasks = own;
    }
}

static time_t now_seconds(void)
{
    struct timespec now = {0};

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

/* True if nothing is left to wait for, of what has been killed so far. */
static bool all_reaped(void)
{
    pid_t ended;

    do {
        ended = waitpid(-1, NULL, WNOHANG);
    } while (ended > 0);
    return ended < 0 && errno == ECHILD;
}

/* Stops all processes of the program before any is killed: what a killed one leaves of the bound of
 * processes, a fork bomb would take at once, and who is stopped makes no new ones. */
static void stop_everything(time_t until)
{
    int quiet = 0;

    while (quiet < STOPPED_ROUNDS && now_seconds() <= until) {
        quiet = jail_descendants_signal(SIGSTOP) ? 0 : quiet + 1;
    }
}

/* Kills everything that the program started, until there is nothing left to wait for. False if
 * something did not go away. */
static bool kill_everything(const struct supervision *supervision)
{
    const time_t until = now_seconds() + JAIL_KILL_SECONDS;

    if (all_reaped()) {
        return true;
    }
    if (!supervision->owns_processes) {
        stop_everything(until);
    }
    while (now_seconds() <= until) {
        if (supervision->owns_processes) {
            kill(-1, SIGKILL);
        } else {
            (void)jail_descendants_signal(SIGKILL);
        }
        if (all_reaped()) {
            return true;
        }
        poll(NULL, 0, KILL_PAUSE_MS);
    }
    return false;
}

/* Reaps what has ended; true if the program itself is among it. */
static bool reap(struct supervision *supervision, int *out_status, struct rusage *out_usage)
{
    for (;;) {
        int status;
        struct rusage usage;
        pid_t ended = wait4(-1, &status, WNOHANG, &usage);
        if (ended <= 0) {
            return false;
        }
        if (!jail_steps_take(ended, status, &supervision->step_signals) &&
            ended == supervision->program) {
            *out_status = status;
            *out_usage = usage;
            return true;
        }
    }
}

/* Waits until the program has ended, or the grader wants it to. True if it has ended. */
static bool wait_for_end(struct supervision *supervision, int *out_status, struct rusage *out_usage)
{
    struct pollfd waited[] = {
        {.fd = supervision->signals, .events = POLLIN},
        {.fd = JAIL_CONTROL_FD, .events = POLLIN},
    };
    int pause_ms = FIRST_COUNT_MS;

    for (;;) {
        struct signalfd_siginfo information;
        if (poll(waited, 2, pause_ms) == 0) {
            count_tasks(supervision);
            pause_ms = pause_ms < LAST_COUNT_MS ? 2 * pause_ms : LAST_COUNT_MS;
        }
        if (read(supervision->signals, &information, sizeof information) > 0 &&
            reap(supervision, out_status, out_usage)) {
            return true;
        }
        if (waited[1].revents != 0) {
            return false;
        }
    }
}

static void prepare(struct supervision *supervision)
{
    sigset_t child_signal;

    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    sigemptyset(&child_signal);
    sigaddset(&child_signal, SIGCHLD);
    sigprocmask(SIG_SETMASK, &child_signal, NULL);
    supervision->signals = signalfd(-1, &child_signal, SFD_CLOEXEC | SFD_NONBLOCK);
    if (supervision->signals < 0 || fcntl(JAIL_CONTROL_FD, F_SETFD, FD_CLOEXEC) != 0) {
        jail_give_up("cannot watch the program");
    }
    if (supervision->owns_processes) {
        kill(-1, SIGKILL); /* what a supervisor that was killed has left */
    }
    supervision->tasks_before =
        supervision->job->uid != 0 ? 0 : jail_tasks_count(supervision->job->uid);
}

int jail_supervise(const struct jail_job *job)
{
    struct supervision supervision = {
        .job = job,
        .owns_processes = job->uid != 0 || getpid() == 1,
    };
    int status = SIGKILL;
    struct rusage usage = {0};

    prepare(&supervision);
    supervision.program = start_program(job);
    bool ended = wait_for_end(&supervision, &status, &usage);
    if (!ended || status != 0) {
        count_tasks(&supervision);
    }
    if (!ended) {
        kill(supervision.program, SIGKILL);
        do {
            wait4(supervision.program, &status, 0, &usage);
        } while (WIFSTOPPED(status));
    }
    bool all_gone = kill_everything(&supervision);
    if (job->uid != 0 && job->landlock == 0) {
        jail_sweep_files((uid_t)job->uid);
    }
    if (!all_gone) {
        return JAIL_EXIT; /* without a word, so that the grader sweeps */
    }
    send_record(JAIL_ENDED, status, &usage, &supervision);
    return 0;
}
