/* gpu_watchdog.h: ends the process when a driver call does not return.
 *
 * The deadline of a launch is normally kept by polling the driver. If a call blocks inside the
 * driver, polling is impossible, so a separate thread ends the process with DEVICE_EXIT_HUNG. It
 * uses _exit(), because the driver's own clean-up would block as well.
 */
#ifndef GPUGRADE_DEVICE_CUDA_GPU_WATCHDOG_H
#define GPUGRADE_DEVICE_CUDA_GPU_WATCHDOG_H

#include "base/diagnostic.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* How long after the deadline of a launch the driver may take to return. */
#define WATCHDOG_GRACE_NS UINT64_C(2000000000)

struct gpu_watchdog {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    uint64_t due_ns; /* of CLOCK_MONOTONIC; 0: not armed */
    bool is_ending;
};

/* Starts the thread. The watchdog must not move until it is released. Errors: ERROR_ENVIRONMENT. */
enum error gpu_watchdog_init(struct gpu_watchdog *watchdog, struct diagnostic *diagnostic);
void gpu_watchdog_release(struct gpu_watchdog *watchdog);

/* The process ends in `limit_ns` plus WATCHDOG_GRACE_NS unless the watchdog is disarmed or armed
 * again before that. */
void gpu_watchdog_arm(struct gpu_watchdog *watchdog, uint64_t limit_ns);
void gpu_watchdog_disarm(struct gpu_watchdog *watchdog);

#endif
