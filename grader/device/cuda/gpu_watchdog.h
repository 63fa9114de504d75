/* gpu_watchdog.h: ends the process when the driver does not come back.
 *
 * A deadline of a launch is kept by asking the driver now and then. A call that waits inside of the
 * driver cannot be asked anything: a thread of its own then ends the process with DEVICE_EXIT_HUNG.
 * It does so by _exit(), because the driver's own clean-up would wait as well.
 */
#ifndef GPUGRADE_DEVICE_CUDA_GPU_WATCHDOG_H
#define GPUGRADE_DEVICE_CUDA_GPU_WATCHDOG_H

#include "base/diagnostic.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* How long after the deadline of a launch the driver may take to say so. */
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

/* From now on the process may go on for `limit_ns` and WATCHDOG_GRACE_NS, unless it disarms the
 * watchdog or arms it anew. */
void gpu_watchdog_arm(struct gpu_watchdog *watchdog, uint64_t limit_ns);
void gpu_watchdog_disarm(struct gpu_watchdog *watchdog);

#endif
