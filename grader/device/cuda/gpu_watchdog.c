/* gpu_watchdog.c: see gpu_watchdog.h. */
#include "device/cuda/gpu_watchdog.h"

#include "base/clock.h"
#include "wire/control.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

static void *watch(void *argument)
{
    struct gpu_watchdog *watchdog = argument;
    pthread_mutex_lock(&watchdog->mutex);
    while (!watchdog->is_ending) {
        uint64_t due_ns = watchdog->due_ns;
        if (due_ns == 0) {
            pthread_cond_wait(&watchdog->changed, &watchdog->mutex);
        } else if (clock_now_ns() >= due_ns) {
            _exit(DEVICE_EXIT_HUNG);
        } else {
            struct timespec due = {.tv_sec = (time_t)(due_ns / CLOCK_NS_PER_S),
                                   .tv_nsec = (long)(due_ns % CLOCK_NS_PER_S)};
            pthread_cond_timedwait(&watchdog->changed, &watchdog->mutex, &due);
        }
    }
    pthread_mutex_unlock(&watchdog->mutex);
    return NULL;
}

enum error gpu_watchdog_init(struct gpu_watchdog *watchdog, struct diagnostic *diagnostic)
{
    pthread_condattr_t attributes;
    sigset_t all, before;
    *watchdog = (struct gpu_watchdog){.due_ns = 0};
    pthread_mutex_init(&watchdog->mutex, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&watchdog->changed, &attributes);
    pthread_condattr_destroy(&attributes);

    /* signals are for the thread that serves */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(&watchdog->thread, NULL, watch, watchdog);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed != 0) {
        pthread_cond_destroy(&watchdog->changed);
        pthread_mutex_destroy(&watchdog->mutex);
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "cannot start the thread that watches the GPU");
        return ERROR_ENVIRONMENT;
    }
    return ERROR_NONE;
}

/* Changes what the thread waits for. */
static void tell(struct gpu_watchdog *watchdog, uint64_t due_ns, bool is_ending)
{
    pthread_mutex_lock(&watchdog->mutex);
    watchdog->due_ns = due_ns;
    watchdog->is_ending = is_ending;
    pthread_cond_signal(&watchdog->changed);
    pthread_mutex_unlock(&watchdog->mutex);
}

void gpu_watchdog_release(struct gpu_watchdog *watchdog)
{
    tell(watchdog, 0, true);
    pthread_join(watchdog->thread, NULL);
    pthread_cond_destroy(&watchdog->changed);
    pthread_mutex_destroy(&watchdog->mutex);
}

void gpu_watchdog_arm(struct gpu_watchdog *watchdog, uint64_t limit_ns)
{
    uint64_t most_ns = UINT64_MAX / 4;
    limit_ns = limit_ns < most_ns ? limit_ns : most_ns;
    tell(watchdog, clock_now_ns() + limit_ns + WATCHDOG_GRACE_NS, false);
}

void gpu_watchdog_disarm(struct gpu_watchdog *watchdog)
{
    tell(watchdog, 0, false);
}
