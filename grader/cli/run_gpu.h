/* run_gpu.h: the real GPU of `gpugrade run --device cuda`. */
#ifndef GPUGRADE_CLI_RUN_GPU_H
#define GPUGRADE_CLI_RUN_GPU_H

#include "base/arena.h"
#include "base/diagnostic.h"
#include "occupancy/occupancy.h"
#include "submission/gpu_lock.h"

#include <stdbool.h>

struct run_gpu {
    const char *uuid;
    struct gpu_model model;
    uint32_t driver_version;
};

/* Finds the wanted GPU (a number, or the beginning of a UUID; NULL: the first). Errors:
 * ERROR_ENVIRONMENT (no driver, no GPU that can run the code), ERROR_NOT_FOUND (none of that name;
 * blames usage), those of session_list_gpus. */
enum error run_gpu_find(struct arena *arena, const char *device_path, const char *wanted,
                        struct run_gpu *out_gpu, struct diagnostic *diagnostic);

/* Waits for a lock on the GPU. Other runs may hold one at the same time, but a timing may not. It
 * stops waiting when `interrupt_fd` becomes readable; then it holds no lock. Errors: those of
 * gpu_lock_try. */
enum error run_gpu_await(const struct run_gpu *gpu, int interrupt_fd, struct gpu_lock *out_lock,
                         bool *out_held, struct diagnostic *diagnostic);

#endif
