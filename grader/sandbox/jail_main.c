/* jail_main.c: the helper gpugrade-jail, see jail.h; a program of its own.
 *
 * It stands between the grader and a hostile program, so it is small, allocates nothing after its
 * start and believes nothing that the program can reach. In tier A it runs as process 1 of the
 * program's process namespace: the kernel shields it from the program's signals, and when it ends
 * everything in the namespace ends. In tier C it adopts orphans and kills them one generation after
 * another.
 */
#include "sandbox/jail.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    EXIT_JAIL = 125,
    FIRST_OPTION = 2,
    OPEN_FILES_MAX = 256,
    KILL_ROUNDS_MAX = 1000,
    KILL_PAUSE_MS = 1,
};
#define STACK_BYTES_MAX (UINT64_C(64) << 20)

struct supervised {
    uint64_t uid;
    uint64_t cpu_seconds;
    uint64_t data_bytes;
    uint64_t tasks;
    uint64_t file_bytes;
    bool has_channel;
    const char *folder;
    char **arguments;
};

/* Ends the helper before the program was started; the grader shows this line to its user. */
static _Noreturn void give_up(const char *what)
{
    fprintf(stderr, "gpugrade-jail: %s: %s\n", what, strerror(errno));
    exit(EXIT_JAIL);
}

static uint64_t read_number(const char *text)
{
    char *end = NULL;

    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0') {
        errno = EINVAL;
        give_up(text);
    }
    return value;
}

/* Becomes another user (0: stays) and gives up gaining privileges by exec. */
static void drop_privileges(uint64_t uid)
{
    if (uid != 0) {
        uid_t user = (uid_t)uid;
        if (setgroups(0, NULL) != 0 || setresgid(user, user, user) != 0 ||
            setresuid(user, user, user) != 0) {
            give_up("cannot become the user of the sandbox");
        }
    }
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
        give_up("cannot give up gaining privileges");
    }
}

static bool limit(int resource, uint64_t soft, uint64_t hard)
{
    struct rlimit current;

    /* A limit is only ever made smaller: without root the hard one cannot be raised. */
    if (getrlimit((__rlimit_resource_t)resource, &current) != 0) {
        return false;
    }
    current.rlim_max = hard < current.rlim_max ? hard : current.rlim_max;
    current.rlim_cur = soft < current.rlim_max ? soft : current.rlim_max;
    return setrlimit((__rlimit_resource_t)resource, &current) == 0;
}

static bool set_limits(const struct supervised *job)
{
    struct rlimit stack;

    if (getrlimit(RLIMIT_STACK, &stack) != 0) {
        return false;
    }
    return limit(RLIMIT_CORE, 0, 0) && limit(RLIMIT_NOFILE, OPEN_FILES_MAX, OPEN_FILES_MAX) &&
           limit(RLIMIT_CPU, job->cpu_seconds, job->cpu_seconds + 1) &&
           limit(RLIMIT_DATA, job->data_bytes, job->data_bytes) &&
           limit(RLIMIT_FSIZE, job->file_bytes, job->file_bytes) &&
           limit(RLIMIT_STACK, stack.rlim_cur, STACK_BYTES_MAX) &&
           (job->tasks == 0 || limit(RLIMIT_NPROC, job->tasks, job->tasks));
}

/* Becomes the program. Returns only if that fails, with errno set. */
static void become_program(const struct supervised *job, pid_t supervisor)
{
    sigset_t none;
    unsigned first_free = job->has_channel ? JAIL_CHANNEL_FD + 1 : JAIL_CHANNEL_FD;

    sigemptyset(&none);
    if (setsid() < 0 || prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0 || getppid() != supervisor ||
        chdir(job->folder) != 0 || syscall(SYS_close_range, first_free, ~0U, 1U << 2) != 0 ||
        !set_limits(job)) {
        return;
    }
    umask(022);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execve(job->arguments[0], job->arguments, environ);
}

static void send_record(enum jail_record_kind kind, int value, const struct rusage *usage)
{
    struct jail_record record = {.kind = kind, .value = value};

    if (usage != NULL) {
        uint64_t seconds = (uint64_t)usage->ru_utime.tv_sec + (uint64_t)usage->ru_stime.tv_sec;
        uint64_t micro = (uint64_t)usage->ru_utime.tv_usec + (uint64_t)usage->ru_stime.tv_usec;
        record.cpu_ns = seconds * UINT64_C(1000000000) + micro * 1000;
        record.peak_memory_bytes = (uint64_t)usage->ru_maxrss * 1024;
    }
    send(JAIL_CONTROL_FD, &record, sizeof record, MSG_NOSIGNAL);
}

/* Forks the program; the pipe tells an errno if it could not become it. */
static pid_t start_program(const struct supervised *job)
{
    int failure[2];
    int cause = 0;
    pid_t self = getpid();

    if (pipe2(failure, O_CLOEXEC) != 0) {
        give_up("cannot make a pipe");
    }
    pid_t child = fork();
    if (child < 0) {
        give_up("cannot start a process");
    }
    if (child == 0) {
        become_program(job, self);
        cause = errno;
        _exit(write(failure[1], &cause, sizeof cause) == sizeof cause ? EXIT_JAIL : EXIT_JAIL + 1);
    }
    close(failure[1]);
    bool failed = read(failure[0], &cause, sizeof cause) == sizeof cause;
    close(failure[0]);
    /* The program alone holds its descriptors. Without a channel, number 3 is one of ours. */
    for (int fd = 0; fd < (job->has_channel ? JAIL_CHANNEL_FD + 1 : JAIL_CHANNEL_FD); fd++) {
        close(fd);
    }
    send_record(failed ? JAIL_NOT_STARTED : JAIL_STARTED, cause, NULL);
    return child;
}

/* Kills the children of this process; grandchildren become children when these die. */
static void kill_children(void)
{
    char path[64];
    char list[4096];

    snprintf(path, sizeof path, "/proc/self/task/%ld/children", (long)getpid());
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return;
    }
    ssize_t length = read(fd, list, sizeof list - 1);
    close(fd);
    list[length < 0 ? 0 : length] = '\0';
    char *rest = list;
    for (;;) {
        char *end = NULL;
        long pid = strtol(rest, &end, 10);
        /* A number at the very end of a full buffer may be cut; the next round sees it whole. */
        if (end == rest || *end != ' ' || pid <= 1) {
            return;
        }
        kill((pid_t)pid, SIGKILL);
        rest = end;
    }
}

/* Kills everything that the program started, until there is nothing left to wait for. */
static void kill_everything(pid_t program, bool owns_user)
{
    for (int round = 0; round < KILL_ROUNDS_MAX; round++) {
        if (owns_user) {
            kill(-1, SIGKILL);
        } else {
            kill(-program, SIGKILL);
            kill_children();
        }
        pid_t ended;
        do {
            ended = waitpid(-1, NULL, WNOHANG);
        } while (ended > 0);
        if (ended < 0 && errno == ECHILD) {
            return;
        }
        poll(NULL, 0, KILL_PAUSE_MS);
    }
}

/* Reaps what has ended; true if the program itself is among it. */
static bool reap(pid_t program, int *out_status, struct rusage *out_usage)
{
    for (;;) {
        int status;
        struct rusage usage;
        pid_t ended = wait4(-1, &status, WNOHANG, &usage);
        if (ended <= 0) {
            return false;
        }
        if (ended == program) {
            *out_status = status;
            *out_usage = usage;
            return true;
        }
    }
}

static int supervise(const struct supervised *job)
{
    sigset_t child_signal;
    int status = SIGKILL;
    struct rusage usage = {0};
    /* Only a user, or a process namespace, of our own may be swept with kill(-1). */
    bool owns_user = job->uid != 0 || getpid() == 1;

    drop_privileges(job->uid);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    sigemptyset(&child_signal);
    sigaddset(&child_signal, SIGCHLD);
    sigprocmask(SIG_SETMASK, &child_signal, NULL);
    int signals = signalfd(-1, &child_signal, SFD_CLOEXEC | SFD_NONBLOCK);
    if (signals < 0 || fcntl(JAIL_CONTROL_FD, F_SETFD, FD_CLOEXEC) != 0) {
        give_up("cannot watch the program");
    }
    pid_t program = start_program(job);
    struct pollfd waited[] = {
        {.fd = signals, .events = POLLIN},
        {.fd = JAIL_CONTROL_FD, .events = POLLIN},
    };
    bool ended = false;
    while (!ended && waited[1].revents == 0) {
        struct signalfd_siginfo information;
        poll(waited, 2, -1);
        if (read(signals, &information, sizeof information) > 0) {
            ended = reap(program, &status, &usage);
        }
    }
    if (!ended) {
        kill(program, SIGKILL);
        wait4(program, &status, 0, &usage);
    }
    kill_everything(program, owns_user);
    send_record(JAIL_ENDED, status, &usage);
    return 0;
}

static const char usage_text[] =
    "usage: gpugrade-jail enter UID PROGRAM [ARGUMENT...]\n"
    "       gpugrade-jail supervise UID CPU_SECONDS DATA_BYTES TASKS FILE_BYTES CHANNEL FOLDER "
    "PROGRAM [ARGUMENT...]\n"
    "a part of gpugrade, which calls it; there is no use for it by hand\n";

int main(int argc, char **argv)
{
    if (argc >= FIRST_OPTION + 2 && strcmp(argv[1], "enter") == 0) {
        drop_privileges(read_number(argv[FIRST_OPTION]));
        execve(argv[FIRST_OPTION + 1], argv + FIRST_OPTION + 1, environ);
        give_up(argv[FIRST_OPTION + 1]);
    }
    if (argc >= FIRST_OPTION + 8 && strcmp(argv[1], "supervise") == 0) {
        struct supervised job = {
            .uid = read_number(argv[FIRST_OPTION]),
            .cpu_seconds = read_number(argv[FIRST_OPTION + 1]),
            .data_bytes = read_number(argv[FIRST_OPTION + 2]),
            .tasks = read_number(argv[FIRST_OPTION + 3]),
            .file_bytes = read_number(argv[FIRST_OPTION + 4]),
            .has_channel = read_number(argv[FIRST_OPTION + 5]) != 0,
            .folder = argv[FIRST_OPTION + 6],
            .arguments = argv + FIRST_OPTION + 7,
        };
        return supervise(&job);
    }
    fputs(usage_text, stderr);
    return EXIT_JAIL;
}
