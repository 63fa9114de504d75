/* supervise.c: fork, signals as a descriptor, one poll loop; see supervise.h. */
#include "cli/supervise.h"

#include "base/clock.h"
#include "base/process.h"
#include "base/text.h"
#include "base/work_folder.h"
#include "cli/console.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    QUIET_MS = 1000,    /* no progress before */
    REDRAW_MS = 1000,   /* between two changes of the elapsed time */
    GRACE_MS = 2000,    /* from a forwarded signal to SIGKILL */
    LEFTOVER_MS = 5000, /* for killed processes to go away */
    TICK_MS = 250,      /* between two looks at the oracle */
    STAGE_BYTES_MAX = 256,
};

static const int forwarded[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

struct supervisor {
    pid_t grader;
    int signal_fd;
    int stage_fd; /* reading end; -1 when closed */
    uint64_t started_ns;
    uint64_t kill_ns;    /* when to kill the grader; 0: not asked to end */
    int received;        /* the first signal that asked to end; 0: none */
    bool passes_signals; /* they are the task's business, see supervise_program */
    bool shows_stages;
    bool redraws;                /* the stage stands in the last line, with the elapsed time */
    uint64_t drawn_ns;           /* when it was drawn; 0: it is to be drawn at once */
    char stage[STAGE_BYTES_MAX]; /* the latest one; without `redraws` not shown yet; "" if none */
    bool ended;
    int status;                   /* of waitpid */
    struct oracle_watch *watch;   /* NULL: no oracle is called */
    uint64_t tick_ns;             /* when to look at it again */
    uint64_t oracle_steps;        /* where it was when it was looked at */
    uint64_t same_ticks;          /* so many looks found it inside of one call */
    bool oracle_is_late;          /* the grader was killed for it */
    struct grader_bounds *bounds; /* NULL: there are none */
    uint64_t cpu_ns;              /* processor time of the grader when it was looked at */
    uint64_t own_cpu_ns;          /* what it used between looks that saw nothing of the oracle */
};

/* Blocks the signals that the supervisor waits for, without those that the caller ignores (nohup).
 */
static void block_signals(sigset_t *out_waited, sigset_t *out_before)
{
    sigemptyset(out_waited);
    sigaddset(out_waited, SIGCHLD);
    for (size_t i = 0; i < sizeof forwarded / sizeof forwarded[0]; i++) {
        struct sigaction action;
        if (sigaction(forwarded[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN) {
            sigaddset(out_waited, forwarded[i]);
        }
    }
    sigprocmask(SIG_BLOCK, out_waited, out_before);
}

static void reap(struct supervisor *supervisor)
{
    int status;
    pid_t pid;

    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
        if (pid == supervisor->grader) {
            supervisor->ended = true;
            supervisor->status = status;
        }
    }
}

/* The terminal sends to the whole process group, to the grader too. */
static void pass_signal(const struct supervisor *supervisor, const struct signalfd_siginfo *info)
{
    if (info->ssi_code != SI_KERNEL && !supervisor->ended) {
        kill(supervisor->grader, (int)info->ssi_signo);
    }
}

static void read_signals(struct supervisor *supervisor)
{
    struct signalfd_siginfo info;

    while (read(supervisor->signal_fd, &info, sizeof info) == (ssize_t)sizeof info) {
        if (info.ssi_signo == SIGCHLD) {
            reap(supervisor);
            continue;
        }
        if (supervisor->passes_signals) {
            pass_signal(supervisor, &info);
            continue;
        }
        if (supervisor->received == 0) {
            supervisor->received = (int)info.ssi_signo;
            supervisor->kill_ns = clock_now_ns() + (uint64_t)GRACE_MS * CLOCK_NS_PER_MS;
        }
        if (!supervisor->ended) {
            kill(supervisor->grader, (int)info.ssi_signo);
        }
    }
}

/* Keeps the last line that was sent. */
static void read_stage(struct supervisor *supervisor)
{
    char bytes[STAGE_BYTES_MAX];
    ssize_t length = read(supervisor->stage_fd, bytes, sizeof bytes - 1);

    if (length < 0 && errno == EINTR) {
        return;
    }
    if (length <= 0) {
        descriptor_close(&supervisor->stage_fd);
        return;
    }
    while (length > 0 && bytes[length - 1] == '\n') {
        length--;
    }
    bytes[length] = '\0';
    const char *last = strrchr(bytes, '\n');
    snprintf(supervisor->stage, sizeof supervisor->stage, "%s", last == NULL ? bytes : last + 1);
    supervisor->drawn_ns = 0;
}

/* When the stage is to be shown, or shown again with another time; UINT64_MAX: never. */
static uint64_t next_show_ns(const struct supervisor *supervisor)
{
    uint64_t quiet_ns = supervisor->started_ns + (uint64_t)QUIET_MS * CLOCK_NS_PER_MS;
    uint64_t again_ns = supervisor->drawn_ns + (uint64_t)REDRAW_MS * CLOCK_NS_PER_MS;

    if (!supervisor->shows_stages || supervisor->stage[0] == '\0') {
        return UINT64_MAX;
    }
    return supervisor->drawn_ns == 0 || again_ns < quiet_ns ? quiet_ns : again_ns;
}

static void show_stage(struct supervisor *supervisor)
{
    uint64_t now_ns = clock_now_ns();
    struct text line;

    if (supervisor->ended || now_ns < next_show_ns(supervisor)) {
        return;
    }
    if (!supervisor->redraws) {
        console_complain("%s ...", supervisor->stage);
        supervisor->stage[0] = '\0';
        return;
    }
    text_init(&line);
    text_printf(&line, CONSOLE_ERASE_LINE "gpugrade: %s ... %" PRIu64 " s", supervisor->stage,
                (now_ns - supervisor->started_ns) / CLOCK_NS_PER_S);
    console_write(STDERR_FILENO, &line);
    text_release(&line);
    supervisor->drawn_ns = now_ns;
}

/* The processor time of all threads of a process; 0 if it cannot be told. */
static uint64_t cpu_of(pid_t pid)
{
    struct timespec used;
    clockid_t clock;

    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &used) != 0) {
        return 0;
    }
    return (uint64_t)used.tv_sec * CLOCK_NS_PER_S + (uint64_t)used.tv_nsec;
}

/* Kills the grader if it has used the processor time that it may. */
static void watch_cpu(struct supervisor *supervisor, bool saw_oracle)
{
    struct grader_bounds *bounds = supervisor->bounds;

    if (bounds == NULL) {
        return;
    }
    uint64_t cpu_ns = cpu_of(supervisor->grader);
    uint64_t most_ns = atomic_load(&bounds->cpu_ns);
    if (cpu_ns > supervisor->cpu_ns && !saw_oracle) {
        supervisor->own_cpu_ns += cpu_ns - supervisor->cpu_ns;
    }
    supervisor->cpu_ns = cpu_ns;
    if (most_ns > 0 && supervisor->own_cpu_ns > most_ns) {
        atomic_store(&bounds->reached, BOUND_TIME);
        kill(supervisor->grader, SIGKILL);
    }
}

/* Kills the grader if its oracle does not come back. Time is counted in looks, not by the clock, so
 * that it does not pass while all of it is stopped. */
static void watch_grader(struct supervisor *supervisor)
{
    struct oracle_watch *watch = supervisor->watch;

    if (watch == NULL || supervisor->ended || supervisor->oracle_is_late ||
        clock_now_ns() < supervisor->tick_ns) {
        return;
    }
    uint64_t steps = atomic_load(&watch->steps);
    supervisor->tick_ns = clock_now_ns() + (uint64_t)TICK_MS * CLOCK_NS_PER_MS;
    watch_cpu(supervisor, steps % 2 == 1 || steps != supervisor->oracle_steps);
    supervisor->same_ticks =
        steps % 2 == 1 && steps == supervisor->oracle_steps ? supervisor->same_ticks + 1 : 0;
    supervisor->oracle_steps = steps;
    if (supervisor->same_ticks * TICK_MS >= watch->limit_ms && supervisor->same_ticks > 0) {
        supervisor->oracle_is_late = true;
        kill(supervisor->grader, SIGKILL);
    }
}

/* When something is due although nothing happens; UINT64_MAX: never. */
static uint64_t next_due_ns(const struct supervisor *supervisor)
{
    uint64_t due_ns = UINT64_MAX;

    if (supervisor->watch != NULL && !supervisor->oracle_is_late) {
        due_ns = supervisor->tick_ns;
    }
    if (supervisor->kill_ns != 0 && supervisor->kill_ns < due_ns) {
        due_ns = supervisor->kill_ns;
    }
    uint64_t show_ns = next_show_ns(supervisor);
    return show_ns < due_ns ? show_ns : due_ns;
}

static int poll_timeout_ms(const struct supervisor *supervisor)
{
    uint64_t due_ns = next_due_ns(supervisor);

    return due_ns == UINT64_MAX ? -1 : clock_poll_timeout_ms(due_ns);
}

static void wait_for_grader(struct supervisor *supervisor)
{
    while (!supervisor->ended) {
        struct pollfd polled[2] = {
            {.fd = supervisor->signal_fd, .events = POLLIN},
            {.fd = supervisor->stage_fd, .events = POLLIN},
        };
        if (poll(polled, 2, poll_timeout_ms(supervisor)) < 0 && errno != EINTR) {
            break;
        }
        if (polled[0].revents != 0) {
            read_signals(supervisor);
        }
        if (polled[1].revents != 0) {
            read_stage(supervisor);
        }
        show_stage(supervisor);
        watch_grader(supervisor);
        if (supervisor->kill_ns != 0 && !supervisor->ended &&
            clock_now_ns() >= supervisor->kill_ns) {
            kill(supervisor->grader, SIGKILL);
            supervisor->kill_ns = UINT64_MAX;
        }
    }
}

/* What a task that ended without a result left in the last line. */
static void erase_stage(struct supervisor *supervisor)
{
    struct text line;

    if (supervisor->redraws && supervisor->stage[0] != '\0') {
        text_init(&line);
        text_append(&line, CONSOLE_ERASE_LINE);
        console_write(STDERR_FILENO, &line);
        text_release(&line);
    }
}

/* Kills every child that is listed; their own children are adopted and come next. */
static void kill_children(void)
{
    char path[64];
    char pid[32];

    snprintf(path, sizeof path, "/proc/self/task/%ld/children", (long)getpid());
    FILE *list = fopen(path, "re");
    if (list == NULL) {
        return;
    }
    while (fscanf(list, "%31s", pid) == 1) {
        long long number;
        if (text_to_integer(pid, 2, INT_MAX, &number)) {
            kill((pid_t)number, SIGKILL);
        }
    }
    fclose(list);
}

/* Ends what the grader left behind; usually there is nothing, then this is one call. */
static void end_leftovers(void)
{
    uint64_t deadline_ns = clock_now_ns() + (uint64_t)LEFTOVER_MS * CLOCK_NS_PER_MS;

    for (;;) {
        pid_t pid = waitpid(-1, NULL, WNOHANG);
        if ((pid < 0 && errno == ECHILD) || clock_now_ns() > deadline_ns) {
            return;
        }
        if (pid == 0) {
            kill_children();
            poll(NULL, 0, 1);
        }
    }
}

/* What the child does. */
struct task {
    int (*run)(void *context, int stage_fd);
    void *context;
    bool passes_signals;
    struct oracle_watch *watch;
    struct grader_bounds *bounds;
};

static int run_grader(const struct task *task, int stage_fd, const char *folder, pid_t supervisor)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != supervisor || setenv("TMPDIR", folder, 1) != 0) {
        return EXIT_GRADER;
    }
    return task->run(task->context, stage_fd);
}

static bool is_forwarded(int signal)
{
    for (size_t i = 0; i < sizeof forwarded / sizeof forwarded[0]; i++) {
        if (forwarded[i] == signal) {
            return true;
        }
    }
    return false;
}

/* True if the grader ended inside a call of its oracle by what happens there, and not by a signal
 * that others send. */
static bool is_ended_by_oracle(const struct supervisor *supervisor)
{
    int status = supervisor->status;

    if (supervisor->oracle_is_late) {
        return WIFSIGNALED(status);
    }
    if (supervisor->watch == NULL || !oracle_watch_is_inside(supervisor->watch)) {
        return false;
    }
    return !WIFSIGNALED(status) || (WTERMSIG(status) != SIGKILL && !is_forwarded(WTERMSIG(status)));
}

/* Says what the oracle did, to the user and in the watch. */
static int report_oracle(const struct supervisor *supervisor)
{
    struct diagnostic diagnostic = {.blame = BLAME_NONE};
    struct oracle_watch *watch = supervisor->watch;
    int status = supervisor->status;
    char call[ORACLE_NAME_BYTES];
    char end[256];

    oracle_watch_describe(watch, call, sizeof call);
    if (supervisor->oracle_is_late) {
        snprintf(end, sizeof end, "did not return within %g s", watch->limit_ms / 1000.0);
    } else if (watch->fault[0] != '\0') {
        snprintf(end, sizeof end, "%.*s", (int)sizeof end - 1, watch->fault);
    } else if (WIFSIGNALED(status)) {
        snprintf(end, sizeof end, "was ended by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    } else {
        snprintf(end, sizeof end, "ended the grader with exit(%d)", WEXITSTATUS(status));
    }
    diagnostic_set(&diagnostic, BLAME_RUBRIC,
                   "%s %s; this is a mistake in the coursework, not in the submission", call, end);
    snprintf(watch->ended, sizeof watch->ended, "%s", diagnostic.message);
    return (int)console_report(&diagnostic);
}

static int exit_status_of(const struct supervisor *supervisor)
{
    if (supervisor->received != 0) {
        return 128 + supervisor->received;
    }
    if (supervisor->bounds != NULL && atomic_load(&supervisor->bounds->reached) != BOUND_NONE) {
        return EXIT_SOME_FAILED;
    }
    if (is_ended_by_oracle(supervisor)) {
        return report_oracle(supervisor);
    }
    if (WIFEXITED(supervisor->status)) {
        return WEXITSTATUS(supervisor->status);
    }
    if (supervisor->passes_signals && is_forwarded(WTERMSIG(supervisor->status))) {
        return 128 + WTERMSIG(supervisor->status);
    }
    console_complain(
        "grader: it was ended by signal %d (%s); this is a bug in gpugrade, not in the submission",
        WTERMSIG(supervisor->status), strsignal(WTERMSIG(supervisor->status)));
    return EXIT_GRADER;
}

/* The signals that end a check, and the mask from before they were blocked. */
struct signal_masks {
    sigset_t waited, before;
};

/* Forks the grader and waits for it; the folder is there already, the signals are blocked. */
static int run_in_folder(const struct task *task, const char *folder,
                         const struct signal_masks *masks)
{
    struct supervisor supervisor = {
        .stage_fd = -1,
        .passes_signals = task->passes_signals,
        .watch = task->watch,
        .bounds = task->bounds,
    };
    struct diagnostic diagnostic = {.blame = BLAME_NONE};
    pid_t self = getpid();
    int pipe_fds[2];

    if (pipe_pair(pipe_fds, &diagnostic) != ERROR_NONE) {
        return (int)console_report(&diagnostic);
    }
    supervisor.signal_fd = signalfd(-1, &masks->waited, SFD_CLOEXEC | SFD_NONBLOCK);
    supervisor.started_ns = clock_now_ns();
    supervisor.shows_stages = isatty(STDERR_FILENO) == 1;
    supervisor.redraws = !task->passes_signals && console_redraws(STDERR_FILENO);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    supervisor.grader = supervisor.signal_fd < 0 ? -1 : fork();
    if (supervisor.grader == 0) {
        close(pipe_fds[0]);
        close(supervisor.signal_fd);
        sigprocmask(SIG_SETMASK, &masks->before, NULL);
        exit(run_grader(task, pipe_fds[1], folder, self));
    }
    descriptor_close(&pipe_fds[1]);
    supervisor.stage_fd = pipe_fds[0];
    if (supervisor.grader > 0) {
        wait_for_grader(&supervisor);
        erase_stage(&supervisor);
        end_leftovers();
    }
    int failure = errno;
    descriptor_close(&supervisor.stage_fd);
    descriptor_close(&supervisor.signal_fd);
    if (supervisor.grader < 0) {
        console_complain("environment: no process could be started: %s", strerror(failure));
        return EXIT_GRADER;
    }
    return exit_status_of(&supervisor);
}

static int supervise_task(const struct task *task)
{
    struct diagnostic diagnostic = {.blame = BLAME_NONE};
    struct arena *arena = arena_new();
    struct work_folder folder;
    struct signal_masks masks;
    int status;

    /* Until the folder is gone again: a second signal must not leave it behind. */
    block_signals(&masks.waited, &masks.before);
    work_folder_remove_stale();
    if (work_folder_make(arena, &folder, &diagnostic) != ERROR_NONE) {
        status = (int)console_report(&diagnostic);
    } else {
        status = run_in_folder(task, folder.path, &masks);
        if (!work_folder_remove(&folder)) {
            console_complain("environment: %s could not be removed completely", folder.path);
        }
    }
    /* What came meanwhile has been answered: the check is over. */
    while (sigtimedwait(&masks.waited, NULL, &(struct timespec){0}) > 0) {
    }
    sigprocmask(SIG_SETMASK, &masks.before, NULL);
    arena_free(arena);
    return status;
}

void supervise_stage(int stage_fd, const char *stage)
{
    struct text line;

    text_init(&line);
    text_printf(&line, "%s\n", stage);
    console_write(stage_fd, &line);
    if (stage[0] == '\0' && console_redraws(STDERR_FILENO)) {
        text_clear(&line);
        text_append(&line, CONSOLE_ERASE_LINE);
        console_write(STDERR_FILENO, &line);
    }
    text_release(&line);
}

int supervise(int (*task)(void *context, int stage_fd), void *context, struct oracle_watch *watch,
              struct grader_bounds *bounds)
{
    const struct task checked = {.run = task, .context = context, .watch = watch, .bounds = bounds};

    return supervise_task(&checked);
}

int supervise_program(int (*task)(void *context, int stage_fd), void *context)
{
    const struct task passing = {.run = task, .context = context, .passes_signals = true};

    return supervise_task(&passing);
}
