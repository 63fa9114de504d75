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
#include <unistd.h>

enum { STACK_BYTES = 64 * 1024 };

static void (*tell)(uint64_t address, bool has_address);

static void handle(int number, siginfo_t *info, void *context)
{
    (void)context;
    bool is_sent = info->si_code <= 0; /* not by an instruction that will fault again */
    bool names_address = number == SIGSEGV || number == SIGBUS;

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

void runtime_watch_crashes(void (*report)(uint64_t address, bool has_address))
{
    static uint8_t stack[STACK_BYTES];
    const stack_t ours = {.ss_sp = stack, .ss_size = sizeof(stack)};
    stack_t before;

    tell = report;
    if (sigaltstack(NULL, &before) == 0 && (before.ss_flags & SS_DISABLE) != 0) {
        sigaltstack(&ours, NULL);
    }
    watch(SIGSEGV);
    watch(SIGBUS);
    watch(SIGFPE);
    watch(SIGILL);
    watch(SIGABRT);
}
