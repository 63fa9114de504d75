/* jail_program.c: see jail_program.h. The order matters:
 *
 *   tracing          first, where it is wanted: the filter denies it
 *   user             then: it resets the death signal
 *   session, signal  so that the program dies with its supervisor
 *   filter           made while memory and descriptors are not limited yet
 *   greeting         JAIL_PROGRAM on the control socket, the last use of it
 *   descriptors      all but the program's are closed
 *   limits, files    Landlock opens the files that it names as the program's user
 *   filter           last, so that it need not allow any of the above
 */
#include "sandbox/jail/jail_program.h"

#include "base/program_execute.h"
#include "sandbox/jail.h"
#include "sandbox/jail/jail_filter.h"
#include "sandbox/jail/jail_landlock.h"
#include "sandbox/jail/jail_steps.h"
#include "sandbox/jail/jail_user.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* One byte, not none: with a limit of 0 the kernel still starts the machine's handler of core
 * dumps, with 1 it does not. */
enum { CORE_BYTES = 1 };
enum { OPEN_FILES_MAX = 256, LOCKED_BYTES_MAX = 8 << 20, QUEUED_SIGNALS_MAX = 1024 };
/* The soft limit is also the size of each thread's stack, which counts as memory, so it must not be
 * what the user of the grader happens to have. */
#define STACK_BYTES (UINT64_C(8) << 20)
#define STACK_BYTES_MAX (UINT64_C(64) << 20)
#define CLOSE_RANGE_UNTIL_EXEC (1U << 2)

/* A limit is only ever made smaller: without root the hard one cannot be raised. */
static bool limit(int resource, uint64_t soft, uint64_t hard)
{
    struct rlimit current;

    if (getrlimit((__rlimit_resource_t)resource, &current) != 0) {
        return false;
    }
    current.rlim_max = hard < current.rlim_max ? hard : current.rlim_max;
    current.rlim_cur = soft < current.rlim_max ? soft : current.rlim_max;
    return setrlimit((__rlimit_resource_t)resource, &current) == 0;
}

static bool set_limits(const struct jail_job *job)
{
    return limit(RLIMIT_CORE, CORE_BYTES, CORE_BYTES) &&
           limit(RLIMIT_NOFILE, OPEN_FILES_MAX, OPEN_FILES_MAX) &&
           limit(RLIMIT_CPU, job->cpu_seconds, job->cpu_seconds + 1) &&
           limit(RLIMIT_DATA, job->data_bytes, job->data_bytes) &&
           limit(RLIMIT_FSIZE, job->file_bytes, job->file_bytes) &&
           limit(RLIMIT_STACK, STACK_BYTES, STACK_BYTES_MAX) &&
           limit(RLIMIT_MEMLOCK, LOCKED_BYTES_MAX, LOCKED_BYTES_MAX) &&
           limit(RLIMIT_MSGQUEUE, 0, 0) && limit(RLIMIT_RTPRIO, 0, 0) && limit(RLIMIT_NICE, 0, 0) &&
           limit(RLIMIT_SIGPENDING, QUEUED_SIGNALS_MAX, QUEUED_SIGNALS_MAX) &&
           (job->tasks == 0 || limit(RLIMIT_NPROC, job->tasks, job->tasks));
}

/* Where memory runs out, the kernel is to kill the program first. Only a process that may be looked
 * into can write this, and there is nobody yet who could look. */
static void offer_to_be_killed(void)
{
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file >= 0) {
        ssize_t put = write(file, "1000", 4);
        (void)put; /* the supervisor is smaller in any case */
        close(file);
    }
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

static bool greet_grader(void)
{
    const struct jail_record record = {.kind = JAIL_PROGRAM};

    return send(JAIL_CONTROL_FD, &record, sizeof record, MSG_NOSIGNAL) == sizeof record;
}

void jail_become_program(const struct jail_job *job, pid_t supervisor)
{
    struct jail_filter filter;
    sigset_t none;
    unsigned first_free = job->channel != 0 ? JAIL_CHANNEL_FD + 1 : JAIL_CHANNEL_FD;

    offer_to_be_killed();
    if (job->watch != 0) {
        jail_steps_offer();
    }
    if ((job->uid != 0 && !jail_become_slot((uid_t)job->uid)) || setsid() < 0 ||
        prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0 || getppid() != supervisor ||
        chdir(job->folder) != 0) {
        return;
    }
    if (job->filter != 0 && !jail_filter_build(job->filter, getpid(), &filter)) {
        return;
    }
    umask(022);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (!greet_grader() || syscall(SYS_close_range, first_free, ~0U, CLOSE_RANGE_UNTIL_EXEC) != 0 ||
        !set_limits(job) || !jail_landlock_apply(job) ||
        (job->filter != 0 && !jail_filter_apply(&filter))) {
        return;
    }
    program_execute(job->program[0], job->program, job->environment);
}
