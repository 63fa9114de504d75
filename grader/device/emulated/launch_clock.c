/* launch_clock.c: see launch_clock.h. */
#include "device/emulated/launch_clock.h"

#include <time.h>

/* How often a launch asks whether it is still wanted. */
#define LOOK_NS (UINT64_C(20) * CLOCK_NS_PER_MS)

uint64_t thread_time_ns(void)
{
    struct timespec used = {0};

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return (uint64_t)used.tv_sec * CLOCK_NS_PER_S + (uint64_t)used.tv_nsec;
}

static uint64_t later(uint64_t time_ns, uint64_t by_ns)
{
    return by_ns > UINT64_MAX - time_ns ? UINT64_MAX : time_ns + by_ns;
}

uint64_t launch_wall_end_ns(uint64_t limit_ns)
{
    return later(later(clock_now_ns(), limit_ns), LAUNCH_WALL_SLACK_NS);
}

void worker_start_clock(struct worker *worker)
{
    worker->limit_time_ns = later(thread_time_ns(), worker->launch->limit_ns);
    worker->look_ns = later(clock_now_ns(), worker->launch->limit_ns);
}

static bool is_unwanted(struct launch *launch, uint64_t now_ns)
{
    if (launch->is_unwanted == NULL ||
        now_ns < __atomic_load_n(&launch->look_ns, __ATOMIC_RELAXED)) {
        return false;
    }
    __atomic_store_n(&launch->look_ns, now_ns + LOOK_NS, __ATOMIC_RELAXED);
    return launch->is_unwanted(launch->unwanted_context);
}

/* True if a worker has used what it may. */
static bool has_used_up(struct worker *worker, uint64_t now_ns)
{
    if (now_ns < worker->look_ns) {
        return false;
    }
    uint64_t used_ns = thread_time_ns();
    if (used_ns >= worker->limit_time_ns) {
        return true;
    }
    worker->look_ns = now_ns + (worker->limit_time_ns - used_ns);
    return false;
}

bool launch_is_late(struct worker *worker)
{
    struct launch *launch = worker->launch;
    uint64_t now_ns = clock_now_ns();

    if (__atomic_load_n(&launch->is_late, __ATOMIC_RELAXED)) {
        return true;
    }
    if (now_ns < launch->wall_end_ns && !has_used_up(worker, now_ns) &&
        !is_unwanted(launch, now_ns)) {
        return false;
    }
    __atomic_store_n(&launch->is_late, true, __ATOMIC_RELAXED);
    return true;
}
