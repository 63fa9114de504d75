/* occupancy.h: GPU models and how many blocks fit on one of their multiprocessors.
 *
 * Models: one table, gpu_models.def, from the vendor's published figures; each row names its
 * source. Occupancy: the published rules (block_limits.h), as the runtime applies them to a kernel
 * that prefers no split between shared memory and L1. A unit test compares with the toolkit's own
 * calculator, cuda_occupancy.h.
 */
#ifndef GPUGRADE_OCCUPANCY_OCCUPANCY_H
#define GPUGRADE_OCCUPANCY_OCCUPANCY_H

#include "base/diagnostic.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gpu_model {
    char name[64];         /* "H200", the name on the command line and in rubrics */
    char device_name[128]; /* "NVIDIA H200", what cudaGetDeviceProperties says */
    uint32_t compute_major, compute_minor;
    uint32_t multiprocessors;
    uint32_t max_threads_per_multiprocessor;
    uint32_t max_threads_per_block;
    uint32_t max_blocks_per_multiprocessor;
    uint32_t registers_per_multiprocessor;
    uint32_t registers_per_block;
    uint64_t shared_per_multiprocessor_bytes;
    uint64_t shared_per_block_bytes; /* without opt-in */
    uint64_t shared_per_block_optin_bytes;
    uint64_t shared_reserved_per_block_bytes;
    uint64_t global_memory_bytes;
    uint64_t l2_bytes;
    uint64_t constant_bytes; /* 65536 */
    uint32_t clock_khz, memory_clock_khz, memory_bus_bits;
    uint32_t warp_size; /* 32 */
    uint32_t max_grid[3];
    uint32_t max_block[3];
};

/* Finds a model by name, case ignored; a message lists the known ones. Errors: ERROR_NOT_FOUND. */
enum error gpu_model_find(const char *name, struct gpu_model *out_model,
                          struct diagnostic *diagnostic);
size_t gpu_model_count(void);
const char *gpu_model_name(size_t index);

/* What one kernel needs. */
struct kernel_usage {
    uint32_t registers;
    uint32_t static_shared_bytes;
    uint32_t max_threads_per_block;    /* of __launch_bounds__; 0: none */
    bool optin_shared;                 /* cudaFuncAttributeMaxDynamicSharedMemorySize was raised */
    uint64_t max_dynamic_shared_bytes; /* as raised; 0: the default limit */
};

enum occupancy_limiter {
    OCCUPANCY_LIMIT_NONE,
    OCCUPANCY_LIMIT_WARPS,
    OCCUPANCY_LIMIT_REGISTERS,
    OCCUPANCY_LIMIT_SHARED,
    OCCUPANCY_LIMIT_BLOCKS
};

struct occupancy_result {
    uint32_t active_blocks; /* per multiprocessor; 0 if the block cannot run at all */
    enum occupancy_limiter limiter;
    uint32_t limit_warps, limit_registers, limit_shared, limit_blocks; /* blocks by each resource;
                                                                         INT32_MAX where the kernel
                                                                         uses none of it */
};

/* Blocks of `block_threads` that fit on a multiprocessor at once. __launch_bounds__ is not looked
 * at. Errors: ERROR_RANGE for no threads, for a compute capability without a row in
 * compute_capabilities.def, and for more shared memory than any multiprocessor of that has. */
enum error occupancy_active_blocks(const struct gpu_model *model, const struct kernel_usage *usage,
                                   uint32_t block_threads, uint64_t dynamic_shared_bytes,
                                   struct occupancy_result *out_result,
                                   struct diagnostic *diagnostic);

/* Bytes of dynamic shared memory for a block of n threads. */
typedef uint64_t (*occupancy_shared)(void *context, uint32_t block_threads);

/* What cudaOccupancyMaxPotentialBlockSizeVariableSMem computes: the block size (multiple of the
 * warp size) with the highest occupancy, the larger one first, and the grid that fills the device.
 * `shared` may be NULL: no dynamic shared memory. Where no block fits both are 0, as with CUDA.
 * Errors: ERROR_RANGE. */
enum error occupancy_best_block_size(const struct gpu_model *model,
                                     const struct kernel_usage *usage, occupancy_shared shared,
                                     void *context, uint32_t *out_block_threads,
                                     uint32_t *out_grid_blocks, struct diagnostic *diagnostic);

/* A word for the screen: "shared memory". */
const char *occupancy_limiter_name(enum occupancy_limiter limiter);

#endif
