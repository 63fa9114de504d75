/* clock.h: monotonic time. */
#ifndef GPUGRADE_BASE_CLOCK_H
#define GPUGRADE_BASE_CLOCK_H

#include <stdint.h>

enum { CLOCK_NS_PER_MS = 1000000 };
#define CLOCK_NS_PER_S UINT64_C(1000000000)

/* Nanoseconds of CLOCK_MONOTONIC. */
uint64_t clock_now_ns(void);

/* Milliseconds from now until `deadline_ns`, rounded up, for poll(); 0 if it has passed. */
int clock_poll_timeout_ms(uint64_t deadline_ns);

#endif
