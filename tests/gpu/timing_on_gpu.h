/* timing_on_gpu.h: the scenarios of backend_on_gpu.c that time kernels, with the transcript that
 * each must give. Only the cuda backend runs them. */
#ifndef GPUGRADE_TESTS_TIMING_ON_GPU_H
#define GPUGRADE_TESTS_TIMING_ON_GPU_H

#include "backend_bench.h"

void timing_of_matmul(struct bench *bench);
#define TIMING_OF_MATMUL                                                                           \
    "status 0, samples 96, findings 0, wrong spans 0\n"                                            \
    "naive over tiled is plausible 1\nthe reference over itself is 1: 1\nclocks are plausible 1\n" \
    "the host does not hold the GPU up 1\n"

void timing_of_wrong(struct bench *bench);
#define TIMING_OF_WRONG                                                                            \
    "multiply_faulty: wrong spans 16, wrong 48, first 7\n"                                         \
    "multiply_once: wrong spans 16, wrong 16777216, first 0\n"                                     \
    "multiply_mostly: some 1\n"

void timing_of_rounding(struct bench *bench);
#define TIMING_OF_ROUNDING                                                                         \
    "multiply_backwards: same bits 0, within 32 u 1\n"                                             \
    "multiply_rough: same bits 0, within 32 u 0\n"

void timing_of_vandal(struct bench *bench);
#define TIMING_OF_VANDAL "status 0, wrong spans 0, variable 1.0\n"

void timing_of_scribbling(struct bench *bench);
#define TIMING_OF_SCRIBBLING                                                                       \
    "multiply_tiled: status 0, wrong spans 0, changed 0\n"                                         \
    "multiply_scribbling: status 0, wrong spans 0, changed 32\n"

void timing_of_limits(struct bench *bench);
#define TIMING_OF_LIMITS "status 0, wrong spans 0\n"

void timing_of_talking(struct bench *bench);
#define TIMING_OF_TALKING "status 0, wrong spans 0\n"

void timing_of_types(struct bench *bench);
#define TIMING_OF_TYPES                                                                            \
    "status 0, wrong spans 0\n"                                                                    \
    "f32: in range 1, mean near 0: 1, variance near 1/3: 1, low bits 1\n"                          \
    "f64: in range 1, mean near 0: 1, variance near 1/3: 1, low bits 1\n"                          \
    "f16: in range 1, mean near 0: 1, variance near 1/3: 1, low bits 1\n"                          \
    "bf16: in range 1, mean near 0: 1, variance near 1/3: 1, low bits 1\n"                         \
    "i32: in range 1, mean near 0: 1, u32: in range 1, mean near 32767: 1\n"

void timing_of_endless(struct bench *bench);
#define TIMING_OF_ENDLESS "status 2 of 0, samples 0, findings 0, in time 1\n" REFUSED("2")

void timing_of_stray(struct bench *bench);
#define TIMING_OF_STRAY "status 1 of 0, samples 0, findings 1, kind 1\n" REFUSED("1")

void timing_of_refused(struct bench *bench);
#define TIMING_OF_REFUSED                                                                          \
    "status 3 of 2, samples 0, findings 1, refused 1\nafter it: status 0, samples 6\n"

#endif
