/* clock.c: see clock.h. */
#include "base/clock.h"

#include <limits.h>
#include <time.h>

uint64_t clock_now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * CLOCK_NS_PER_S + (uint64_t)now.tv_nsec;
}

int clock_poll_timeout_ms(uint64_t deadline_ns)
{
    uint64_t now = clock_now_ns();

    if (deadline_ns <= now) {
        return 0;
    }
    uint64_t wait_ms = (deadline_ns - now + CLOCK_NS_PER_MS - 1) / CLOCK_NS_PER_MS;
    return wait_ms > INT_MAX ? INT_MAX : (int)wait_ms;
}
