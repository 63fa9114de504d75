/* attempt_kernel.c: objects, namespaces and calls of the kernel; see sandbox_probe.h. */
#include "sandbox/probe/sandbox_probe.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <mqueue.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OBJECT_BYTES = 4096, STATUS_IS_ROOT = 42, NOBODY = 65534 };

void attempt_sysv_memory(char *const *facts)
{
    int id = shmget((key_t)fact_number(facts, "segment"), 0, 0);

    if (id < 0) {
        say_held("%s", strerror(errno));
    }
    const char *bytes = shmat(id, NULL, SHM_RDONLY);
    if (bytes == (const char *)-1) {
        say_held("found, but not mapped: %s", strerror(errno));
    }
    say_open("read it: %.32s", bytes);
}

/* Whoever started the sandbox probe looks for them outside, and removes them. */
void attempt_left_objects(char *const *facts)
{
    struct attempts attempts = {.last_error = 0};
    key_t key = (key_t)fact_number(facts, "left");
    const int flags = IPC_CREAT | 0666;
    struct mq_attr size = {.mq_maxmsg = 1, .mq_msgsize = 16};
    mqd_t queue = mq_open(fact_text(facts, "queue"), O_CREAT | O_RDWR | O_CLOEXEC, 0666, &size);

    attempts_add(&attempts, "POSIX queue", queue < 0 ? errno : 0);
    attempts_add(&attempts, "segment", shmget(key, OBJECT_BYTES, flags) < 0 ? errno : 0);
    attempts_add(&attempts, "semaphore", semget(key, 1, flags) < 0 ? errno : 0);
    attempts_add(&attempts, "queue", msgget(key, flags) < 0 ? errno : 0);
    attempts_say(&attempts);
}

/* Runs `attempt` in a child; returns 0 or its errno. */
static int in_child(int (*attempt)(unsigned long), unsigned long argument)
{
    int status = 0;
    pid_t child = fork();

    if (child == 0) {
        _exit(attempt(argument) == 0 ? 0 : errno);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) {
        say_broken("no child: %s", strerror(errno));
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : EPERM;
}

static int try_unshare(unsigned long flag)
{
    return unshare((int)flag);
}

/* The raw calls, whose child ends at once. */
static int try_clone(unsigned long flag)
{
    long child = syscall(SYS_clone, flag | SIGCHLD, 0, 0, 0, 0);

    if (child == 0) {
        _exit(0);
    }
    return child > 0 ? 0 : -1;
}

static int try_clone3(unsigned long flag)
{
    struct clone_args arguments = {.flags = flag, .exit_signal = SIGCHLD};
    long child = syscall(SYS_clone3, &arguments, sizeof arguments);

    if (child == 0) {
        _exit(0);
    }
    return child > 0 ? 0 : -1;
}

void attempt_namespaces(char *const *facts)
{
    static const struct {
        const char *name;
        int (*attempt)(unsigned long);
        unsigned long flag;
    } rows[] = {
        {"user", try_unshare, CLONE_NEWUSER},
        {"user by clone", try_clone, CLONE_NEWUSER},
        {"user by clone3", try_clone3, CLONE_NEWUSER},
        {"mount", try_unshare, CLONE_NEWNS},
        {"network", try_unshare, CLONE_NEWNET},
        {"process", try_unshare, CLONE_NEWPID},
        {"IPC", try_unshare, CLONE_NEWIPC},
        {"UTS", try_unshare, CLONE_NEWUTS},
        {"cgroup", try_unshare, CLONE_NEWCGROUP},
    };
    struct attempts attempts = {.last_error = 0};

    (void)facts;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        attempts_add(&attempts, rows[i].name, in_child(rows[i].attempt, rows[i].flag));
    }
    attempts_say(&attempts);
}

static int set_up_ring(void)
{
    uint64_t parameters[16] = {0}; /* struct io_uring_params, 120 bytes, all defaults */

    return (int)syscall(SYS_io_uring_setup, 1, parameters);
}

static int watch_faults(void)
{
    enum { USER_MODE_ONLY = 1 };

    return (int)syscall(SYS_userfaultfd, O_CLOEXEC | USER_MODE_ONLY);
}

static int add_key(void)
{
    enum { PROCESS_KEYRING = -2 };

    return (int)syscall(SYS_add_key, "user", "gpugrade-sandbox-probe", "x", 1, PROCESS_KEYRING);
}

static int count_events(void)
{
    struct perf_event_attr event = {.type = PERF_TYPE_SOFTWARE,
                                    .size = sizeof event,
                                    .config = PERF_COUNT_SW_TASK_CLOCK,
                                    .exclude_kernel = 1,
                                    .exclude_hv = 1};

    return (int)syscall(SYS_perf_event_open, &event, 0, -1, -1, 0);
}

static int make_map(void)
{
    union bpf_attr map = {.map_type = BPF_MAP_TYPE_ARRAY};

    map.key_size = 4;
    map.value_size = 4;
    map.max_entries = 1;
    return (int)syscall(SYS_bpf, BPF_MAP_CREATE, &map, sizeof map);
}

void attempt_kernel_calls(char *const *facts)
{
    static const struct {
        const char *name;
        int (*call)(void);
    } rows[] = {{"io_uring", set_up_ring},
                {"userfaultfd", watch_faults},
                {"keys", add_key},
                {"perf events", count_events},
                {"bpf", make_map}};
    struct attempts attempts = {.last_error = 0};

    (void)facts;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        attempts_add(&attempts, rows[i].name, rows[i].call() < 0 ? errno : 0);
    }
    attempts_say(&attempts);
}

/* True if a copy of this program that belongs to root and has the set-user-id bit runs as root. */
static int try_set_user_id(char *const *facts)
{
    char name[] = "gpugrade-sandbox-probe";
    char mode[] = "EFFECTIVE_USER";
    char *const arguments[] = {name, mode, NULL};
    char *const none[] = {NULL};
    int status = 0;
    pid_t child = fork();

    if (child == 0) {
        execve(fact_text(facts, "setuid"), arguments, none);
        _exit(errno);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) {
        say_broken("no child: %s", strerror(errno));
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == STATUS_IS_ROOT) {
        return 0;
    }
    return WIFEXITED(status) && WEXITSTATUS(status) != 0 ? WEXITSTATUS(status) : EPERM;
}

/* With the fact "drop", as it is given outside the sandbox, root is given up first, so that the
 * set-user-id program has something to show. */
void attempt_privileges(char *const *facts)
{
    struct attempts attempts = {.last_error = 0};

    if (fact_is_given(facts, "drop") && setresuid(NOBODY, NOBODY, NOBODY) != 0) {
        say_broken("cannot give up root: %s", strerror(errno));
    }
    if (fact_is_given(facts, "setuid")) {
        attempts_add(&attempts, "set-user-id program", try_set_user_id(facts));
    }
    attempts_add(&attempts, "setresuid", setresuid(0, 0, 0) == 0 ? 0 : errno);
    attempts_add(&attempts, "setresgid", setresgid(0, 0, 0) == 0 ? 0 : errno);
    attempts_say(&attempts);
}
