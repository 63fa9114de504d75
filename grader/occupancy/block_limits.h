/* block_limits.h: how many blocks of a kernel each resource of a multiprocessor holds.
 *
 * The rules are those of the CUDA C++ Programming Guide and of NVIDIA's occupancy calculator.
 * block_limits.c names the source of each.
 */
#ifndef GPUGRADE_OCCUPANCY_BLOCK_LIMITS_H
#define GPUGRADE_OCCUPANCY_BLOCK_LIMITS_H

#include "occupancy/occupancy.h"

enum { SPLITS_MAX = 9 };

/* What a compute capability fixes: a row of compute_capabilities.def, which says what each is. */
struct compute_capability {
    uint32_t major, minor;
    uint32_t max_blocks;
    uint32_t thread_registers;
    uint32_t register_parts;
    uint32_t shared_unit_bytes;
    uint32_t splits_kib[SPLITS_MAX]; /* 0 after the last one, if fewer */
};

/* One block of a kernel. */
struct block_needs {
    uint32_t threads;
    uint32_t registers; /* of a thread */
    uint64_t static_shared_bytes, dynamic_shared_bytes;
    uint64_t max_dynamic_shared_bytes; /* that the kernel may be launched with */
};

/* The row of a compute capability, or the one before it with the same major number: a minor number
 * that is newer than the table usually differs in nothing here. NULL if there is none. */
const struct compute_capability *compute_capability_find(uint32_t major, uint32_t minor);

/* Blocks that the warps of a multiprocessor hold; 0 for a block of more threads than the model
 * allows. Here and below, the model's warp size and the block's threads are not 0. */
uint32_t block_limit_warps(const struct gpu_model *model, const struct block_needs *block);

/* Blocks that the registers hold; 0 for a thread or a block with too many, INT32_MAX for a thread
 * without any. */
uint32_t block_limit_registers(const struct compute_capability *capability,
                               const struct gpu_model *model, const struct block_needs *block);

/* Blocks that the shared memory holds, where as little as possible of it is L1; 0 for a block of
 * more bytes than a launch may ask for, INT32_MAX for a block without any. Reserved bytes count.
 * False if no split has as many bytes as the model or the block. */
bool block_limit_shared(const struct compute_capability *capability, const struct gpu_model *model,
                        const struct block_needs *block, uint32_t *out_limit);

#endif
