/* timing_kernels.h: the grader's own kernels for timing, as the host launches them.
 *
 * Their PTX is built from timing_kernels.cu and is part of this program; the driver assembles it
 * once for the GPU. Each kernel's parameter block is one struct below; all of its members have 8
 * bytes.
 */
#ifndef GPUGRADE_DEVICE_CUDA_TIMING_KERNELS_H
#define GPUGRADE_DEVICE_CUDA_TIMING_KERNELS_H

#include "device/cuda/driver.h"

#include <stddef.h>
#include <stdint.h>

extern const char timing_kernels_ptx[]; /* made by embed_ptx.cmake */

struct timing_kernels {
    CUmodule module;
    CUfunction fill, fill_range, compare_bits, compare_magnitudes, compare_close, stamp, gate;
};

struct timing_fill {
    uint64_t address, elements, seed, type, is_absolute;
};

struct timing_fill_range {
    uint64_t address, elements, seed, type, is_absolute;
    double least, most;
};

struct timing_compare_bits {
    uint64_t seen, expected, elements, element_bytes, base, result;
};

struct timing_compare_magnitudes {
    uint64_t seen, expected, magnitudes, elements;
    double bound;
    uint64_t base, result;
};

struct timing_compare_close {
    uint64_t seen, expected, elements, type;
    double absolute, relative;
    uint64_t base, result;
};

struct timing_stamp {
    uint64_t slots, slot_count;
};

struct timing_gate {
    uint64_t flag, ticket, limit_ns;
};

/* Hands the kernels to the driver. Errors: ERROR_ENVIRONMENT. */
enum error timing_kernels_load(const struct driver *driver, struct timing_kernels *out_kernels,
                               struct diagnostic *diagnostic);

/* Starts one of them on the default stream, with its parameter block of `bytes` bytes. */
CUresult timing_kernel_start(const struct driver *driver, CUfunction kernel, uint32_t blocks,
                             uint32_t threads, void *parameters, size_t bytes);

/* Blocks of `TIMING_THREADS` threads for a number of elements: enough to fill any GPU. */
enum { TIMING_THREADS = 256 };
uint32_t timing_blocks(uint64_t elements);

#endif
