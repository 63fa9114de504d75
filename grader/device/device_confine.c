/* device_confine.c: see device_confine.h.
 *
 * The order matters: limits, then capabilities, then Landlock, then the filter, which forbids all
 * that came before it. Landlock binds the calling thread and those that it starts, so this must be
 * called while there is one thread; the filter is set for all of them.
 */
#include "device/device_confine.h"

#include "base/sanitized.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <malloc.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What a new thread shares with this one, and what clone() must not be asked for beside it. */
enum {
    DEVICE_THREAD_FLAGS = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD,
    DEVICE_CLONE_FLAGS = DEVICE_THREAD_FLAGS | CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS |
                         CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_PTRACE,
};

enum { ARENAS_PER_CORE = 8, CPU_GRACE_S = 5 };
#define NS_PER_S UINT64_C(1000000000)

/* What holds of an argument for a row to apply. */
struct argument_rule {
    enum { RULE_NONE, RULE_IS, RULE_HAS, RULE_SELF } kind;
    unsigned argument;
    uint64_t bits, value;
};

struct call_row {
    int number; /* of the system call; __NR_SCMP_ERROR: this machine has none of that name */
    uint32_t action;
    struct argument_rule rules[2];
};

static const struct call_row calls[] = {
#define ANY                                                                                        \
    {                                                                                              \
        .kind = RULE_NONE                                                                          \
    }
#define IS(at, wanted)                                                                             \
    {                                                                                              \
        .kind = RULE_IS, .argument = (at), .value = (wanted)                                       \
    }
#define HAS(at, mask, wanted)                                                                      \
    {                                                                                              \
        .kind = RULE_HAS, .argument = (at), .bits = (mask), .value = (wanted)                      \
    }
#define SELF(at)                                                                                   \
    {                                                                                              \
        .kind = RULE_SELF, .argument = (at)                                                        \
    }
#define ALLOW SCMP_ACT_ALLOW
#define FAIL(cause) SCMP_ACT_ERRNO(cause)
#define DEVICE_CALL(name, what, first, second, why) {SCMP_SYS(name), what, {first, second}},
#include "device/device_calls.def"
#undef DEVICE_CALL
#undef FAIL
#undef ALLOW
#undef SELF
#undef HAS
#undef IS
#undef ANY
};

/* Memory was refused to whoever calls abort(): that is told apart from a mistake of ours. */
static void end_without_memory(int number)
{
    (void)number;
    if (errno == ENOMEM) {
        _exit(DEVICE_EXIT_MEMORY);
    }
}

static void end_without_time(int number)
{
    (void)number;
    _exit(DEVICE_EXIT_TIME);
}

/* Limits of the grader that started this process are not this process's. */
static void shed(__rlimit_resource_t resource)
{
    struct rlimit limit;

    if (getrlimit(resource, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(resource, &limit);
    }
}

void device_confine_start(void)
{
    const struct rlimit none = {0, 0};
    struct sigaction action = {.sa_handler = end_without_memory};

    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    setrlimit(RLIMIT_CORE, &none);
    shed(RLIMIT_DATA);
    sigaction(SIGABRT, &action, NULL);
}

/* Lowers a limit, never raises it. */
static void limit(__rlimit_resource_t resource, uint64_t most)
{
    struct rlimit current;

    if (getrlimit(resource, &current) == 0 && current.rlim_cur > most) {
        current.rlim_cur = most;
        current.rlim_max = most;
        setrlimit(resource, &current);
    }
}

/* At the soft limit the process is asked to end, behind the hard one it is killed. */
static void limit_time(uint64_t seconds)
{
    struct sigaction action = {.sa_handler = end_without_time};
    struct rlimit current;

    if (getrlimit(RLIMIT_CPU, &current) == 0 && current.rlim_max > seconds + CPU_GRACE_S) {
        sigaction(SIGXCPU, &action, NULL);
        current.rlim_cur = seconds;
        current.rlim_max = seconds + CPU_GRACE_S;
        setrlimit(RLIMIT_CPU, &current);
    }
}

static uint64_t most_of_machine(void)
{
    return (uint64_t)sysconf(_SC_PHYS_PAGES) / 4 * 3 * (uint64_t)sysconf(_SC_PAGESIZE);
}

uint64_t device_confine_bytes(uint64_t memory_bytes, bool watches_all, uint64_t threads)
{
    uint64_t all = most_of_machine(), least, watched;

    if (__builtin_mul_overflow(memory_bytes, DEVICE_SHARES, &least) ||
        __builtin_add_overflow(least, DEVICE_OTHER_BYTES, &least) ||
        __builtin_add_overflow(least, threads * DEVICE_THREAD_BYTES, &least)) {
        return UINT64_MAX;
    }
    if (!watches_all) {
        return least;
    }
    watched = memory_bytes * (DEVICE_WATCHED_SHARES - DEVICE_SHARES);
    if (watched / (DEVICE_WATCHED_SHARES - DEVICE_SHARES) != memory_bytes || watched > all ||
        least > all - watched) {
        return least < all ? all : least;
    }
    return least + watched;
}

static void set_limits(const struct device_config *config, bool has_own_user)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t count = cores < 1 ? 1 : (uint64_t)cores;
    uint64_t threads = config->threads != 0 ? config->threads : count;

    /* Else the heap would ask the machine for its cores, by files, when a second thread comes. */
    mallopt(M_ARENA_MAX, (int)(ARENAS_PER_CORE * (count < 256 ? count : 256)));
    limit(RLIMIT_NOFILE, DEVICE_CLIENT_FD + 1); /* as many as it has */
    limit(RLIMIT_DATA,
          device_confine_bytes(config->memory_limit_bytes, config->checks_global_races, threads));
    if (config->cpu_limit_ns > 0) {
        limit_time((config->cpu_limit_ns + NS_PER_S - 1) / NS_PER_S * threads);
    }
    if (has_own_user) {
        limit(RLIMIT_NPROC, 2 * threads + 8); /* those that have just ended count for a moment */
    }
}

static void drop_capabilities(void)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0, 0, 0}};

    syscall(SYS_capset, &header, none);
}

/* Forbids all access to files that this kernel can forbid; true if there is any. */
static bool forbid_files(void)
{
    /* How many kinds of access each version of Landlock knows, from version 1. */
    static const unsigned counts[] = {13, 14, 15, 15, 16};
    const long newest = sizeof counts / sizeof counts[0];
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);

    if (version < 1) {
        return false;
    }
    unsigned count = counts[(version < newest ? version : newest) - 1];
    struct landlock_ruleset_attr nothing = {.handled_access_fs = (UINT64_C(1) << count) - 1};
    int ruleset =
        (int)syscall(SYS_landlock_create_ruleset, &nothing, sizeof nothing.handled_access_fs, 0);
    if (ruleset < 0) {
        return false;
    }
    bool holds = syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
    close(ruleset);
    return holds;
}

/* Turns a row into a rule of the filter. */
static bool add_call(scmp_filter_ctx filter, const struct call_row *row)
{
    struct scmp_arg_cmp comparisons[2];
    unsigned count = 0;

    for (size_t i = 0; i < 2; i++) {
        const struct argument_rule *rule = &row->rules[i];

        if (rule->kind == RULE_HAS) {
            comparisons[count++] =
                SCMP_CMP(rule->argument, SCMP_CMP_MASKED_EQ, rule->bits, rule->value);
        } else if (rule->kind != RULE_NONE) {
            uint64_t value = rule->kind == RULE_SELF ? (uint64_t)getpid() : rule->value;
            comparisons[count++] = SCMP_CMP(rule->argument, SCMP_CMP_EQ, value, 0);
        }
    }
    /* A call that this machine does not have needs no rule. */
    return row->number == __NR_SCMP_ERROR ||
           seccomp_rule_add_array(filter, row->action, row->number, count, comparisons) == 0;
}

/* Sets the filter for all threads; true if it holds. */
static bool forbid_calls(void)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_KILL_PROCESS);

    if (filter == NULL) {
        return false;
    }
    /* Without this, older kernels would slow down the loads and stores of every kernel that is
     * interpreted, against a leak between processes: there is nothing secret in this one. */
    seccomp_attr_set(filter, SCMP_FLTATR_CTL_SSB, 1);
    bool holds = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS) == 0 &&
                 seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1) == 0;
    for (size_t i = 0; holds && i < sizeof calls / sizeof calls[0]; i++) {
        holds = add_call(filter, &calls[i]);
    }
    holds = holds && seccomp_load(filter) == 0;
    seccomp_release(filter);
    return holds;
}

uint64_t device_confine(const struct device_config *config, bool has_own_user)
{
    uint64_t confinement = 0;

    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || config->gpu != NULL || IS_SANITIZED) {
        return 0;
    }
    set_limits(config, has_own_user);
    drop_capabilities();
    if (forbid_files()) {
        confinement |= CONTROL_CONFINED_FILES;
    }
    if (forbid_calls()) {
        confinement |= CONTROL_CONFINED_CALLS;
    }
    return confinement;
}
