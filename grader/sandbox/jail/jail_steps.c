/* jail_steps.c: see jail_steps.h. */
#include "sandbox/jail/jail_steps.h"

#include "sandbox/jail.h"

#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

/* An event of the tracer stands above the signal in a wait status. */
enum { EVENT_SHIFT = 16, SIGNALS_MAX = 63 };

/* Children are traced from their start, and none outlives the supervisor. */
static const long options = PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE |
                            PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;

void jail_steps_offer(void)
{
    int cause = errno;

    (void)ptrace(PTRACE_TRACEME, 0, NULL, NULL); /* where it is forbidden, nothing is seen */
    errno = cause;
}

bool jail_steps_take(pid_t process, int status, uint64_t *signals)
{
    if (WIFSIGNALED(status) && WTERMSIG(status) <= SIGNALS_MAX) {
        *signals |= UINT64_C(1) << WTERMSIG(status);
    }
    if (!WIFSTOPPED(status)) {
        return false;
    }
    int signal = WSTOPSIG(status);
    bool is_first = (*signals & JAIL_STEPS_SEEN) == 0;
    bool is_event = status >> EVENT_SHIFT != 0;

    if (is_first) {
        /* The program has just been executed. */
        *signals |= JAIL_STEPS_SEEN;
        (void)ptrace(PTRACE_SETOPTIONS, process, NULL, options);
    }
    /* A traced child begins with SIGSTOP; nobody else stops a compiler. */
    signal = is_first || is_event || signal == SIGSTOP ? 0 : signal;
    (void)ptrace(PTRACE_CONT, process, NULL, (long)signal);
    return true;
}
