/* Timers, alarms and handlers of its own, one of them for a fault that it makes itself. */
#define ATTACK_AT_LAUNCH take_signals
#define ATTACK_AT_PRINT take_signals
#include "honest_ends.cuh"

#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t alarms;
static sigjmp_buf back;

static void rang(int)
{
    alarms = alarms + 1;
}

static void faulted(int)
{
    siglongjmp(back, 1);
}

static void take_signals(void)
{
    struct sigaction action, before;
    memset(&action, 0, sizeof action);
    action.sa_handler = faulted;
    sigaction(SIGSEGV, &action, &before);
    char *page = (char *)mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (sigsetjmp(back, 1) == 0) {
        *(volatile char *)page = 1;
        abort();
    }
    sigaction(SIGSEGV, &before, NULL);
    munmap(page, 4096);
    signal(SIGALRM, rang);
    const struct itimerval timer = {{0, 10000}, {0, 10000}};
    const struct itimerval none = {{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &timer, NULL);
    while (alarms < 3) {
        pause();
    }
    setitimer(ITIMER_REAL, &none, NULL);
    raise(SIGALRM);
}
