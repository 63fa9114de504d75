/* backend_bench.h: what the scenarios of backend_on_gpu.c share. */
#ifndef GPUGRADE_TESTS_BACKEND_BENCH_H
#define GPUGRADE_TESTS_BACKEND_BENCH_H

#include "device/device.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { DEADLINE_MS = 1500 };

/* What the scenarios work on. */
struct bench {
    struct device *device;
    void *state; /* of the cuda backend; NULL on the emulated device */
    FILE *log;
    const char *kernels; /* PTX */
    const char *matmul;
    const char *cubin; /* path; NULL: none */
    uint32_t module;   /* the kernels */
};

/* Ends the process unless something holds. */
void bench_demand(bool holds, const char *what);

/* Loads PTX, allocates memory, finds a kernel whose name holds `name`; each ends the process if it
 * fails. */
uint32_t bench_load(struct bench *bench, const char *text);
uint64_t bench_allocate(struct bench *bench, uint64_t bytes);
uint32_t bench_find_kernel(struct bench *bench, uint32_t module, const char *name,
                           struct device_function_info *out_info);

/* Writes down that after a death everything is refused, and nothing hangs. */
void bench_log_refusals(struct bench *bench, uint64_t address);

/* What that gives, by the status of the launch that killed the device. */
#define REFUSED(status)                                                                            \
    "after it: status " status ", findings 0, read 0, write 0, fill 0, copy 0\n"                   \
    "allocate: a limit was reached; snapshot: a limit was reached; load: a mistake in the "        \
    "grader itself\n"

#endif
