/* runtime_crash.c: the address at which host code crashes.
 *
 * Nobody outside of a process can tell which address it touched when a signal ended it, and the
 * most common reason here is host code that uses a device pointer. So the runtime handles SIGSEGV
 * and SIGBUS: it tells the device the address and lets the faulting instruction run again, with
 * the default action, so that the process ends as it would have. A program that has a handler, or
 * installs one later, keeps it; its own alternate stack serves the handler if there is one.
 */
#include "cudart/runtime.h"

#include <signal.h>

enum { STACK_BYTES = 64 * 1024 };

static void (*tell)(uint64_t address);

static void handle(int number, siginfo_t *info, void *context)
{
    (void)context;
    signal(number, SIG_DFL);
    if (info->si_code <= 0) {
        /* Sent by somebody, not by an instruction that will fault again. */
        raise(number);
        return;
    }
    if (info->si_code != SI_KERNEL) { /* the processor named no address: si_addr is 0 then */
        tell((uint64_t)(uintptr_t)info->si_addr);
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

void runtime_watch_crashes(void (*report)(uint64_t address))
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
}
