/* runtime_crash.c: where host code crashes.
 *
 * Nobody outside of a process can tell where it was, and which address it touched, when a signal
 * ended it; the most common reason here is host code that uses a device pointer. So the runtime
 * handles the signals of a crash: it tells the device, and lets the faulting instruction run again
 * with the default action, so that the process ends as it would have. A program that has a handler,
 * or installs one later, keeps it; its own alternate stack serves the handler if there is one.
 */
#include "cudart/runtime.h"

#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

enum { STACK_BYTES = 256 * 1024 };

static void (*tell)(uint64_t address, bool has_address);
static bool (*repair_page)(uint64_t address, bool is_write);

/* Whether the instruction that faulted wanted to write; false where that is not known. */
static bool is_write(const void *context)
{
#if defined(__x86_64__)
    enum { WRITE = 2 }; /* of the error code of a page fault */
    return (((const ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] & WRITE) != 0;
#else
    (void)context;
    return false;
#endif
}

static void handle(int number, siginfo_t *info, void *context)
{
    bool is_sent = info->si_code <= 0; /* not by an instruction that will fault again */
    bool names_address = number == SIGSEGV || number == SIGBUS;

    if (number == SIGSEGV && info->si_code == SEGV_ACCERR &&
        repair_page((uint64_t)(uintptr_t)info->si_addr, is_write(context))) {
        return;
    }
    signal(number, SIG_DFL);
    if (!is_sent) { /* SI_KERNEL: the processor named no address, si_addr is 0 */
        tell((uint64_t)(uintptr_t)info->si_addr, names_address && info->si_code != SI_KERNEL);
    } else {
        if (number == SIGABRT && info->si_pid == getpid()) {
            tell(0, false);
        }
        raise(number);
    }
}

static void watch(int number)
{
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    struct sigaction before;

    sigemptyset(&action.sa_mask);
    if (sigaction(number, NULL, &before) == 0 && (before.sa_flags & SA_SIGINFO) == 0 &&
        before.sa_handler == SIG_DFL) {
        sigaction(number, &action, NULL);
    }
}

bool runtime_sees_faults(void)
{
    struct sigaction now;
    sigset_t blocked;

    return sigaction(SIGSEGV, NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO) != 0 &&
           now.sa_sigaction == handle && pthread_sigmask(SIG_SETMASK, NULL, &blocked) == 0 &&
           sigismember(&blocked, SIGSEGV) == 0;
}

void runtime_watch_crashes(void (*report)(uint64_t address, bool has_address),
                           bool (*repair)(uint64_t address, bool is_write))
{
    static uint8_t stack[STACK_BYTES];
    const stack_t ours = {.ss_sp = stack, .ss_size = sizeof(stack)};
    stack_t before;

    tell = report;
    repair_page = repair;
    if (sigaltstack(NULL, &before) == 0 && (before.ss_flags & SS_DISABLE) != 0) {
        sigaltstack(&ours, NULL);
    }
    watch(SIGSEGV);
    watch(SIGBUS);
    watch(SIGFPE);
    watch(SIGILL);
    watch(SIGABRT);
}
