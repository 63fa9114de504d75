/* block_limits.c: the rules of block_limits.h, and the rows of compute_capabilities.def.
 *
 * Warps, from the CUDA C++ Programming Guide, "Hardware Multithreading": a block has whole warps,
 * and a multiprocessor holds a fixed number of them.
 *
 * Registers, from the CUDA Occupancy Calculator, rows "Register allocation unit size" and "Warp
 * allocation granularity": a warp gets whole units of 256, all of them from one part of the
 * multiprocessor. The registers of one block must suffice for a multiple of four warps.
 *
 * Shared memory, from the same, row "Shared Memory allocation unit size", and from the guide's
 * sections "Shared Memory" of each compute capability: a block gets whole units, the reserved bytes
 * among them. L1 and shared memory share one memory, which can be split in a few ways.
 *
 * Where the publications leave something open (what is rounded first, which limit holds), the rule
 * here is the one that gives the toolkit's results.
 */
#include "occupancy/block_limits.h"

#include <limits.h>

enum {
    REGISTER_UNIT = 256,
    WARP_UNIT = 4,
    KIB = 1024,
};

static const struct compute_capability capabilities[] = {
#define SPLITS(...)                                                                                \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define COMPUTE_CAPABILITY(major, minor, blocks, thread_registers, register_parts, shared_unit,    \
                           splits)                                                                 \
    {major, minor, blocks, thread_registers, register_parts, shared_unit, splits},
#include "occupancy/compute_capabilities.def"
#undef COMPUTE_CAPABILITY
#undef SPLITS
};

static uint64_t whole_units(uint64_t amount, uint64_t unit)
{
    return (amount + unit - 1) / unit * unit;
}

static uint64_t warps_of(const struct gpu_model *model, const struct block_needs *block)
{
    return whole_units(block->threads, model->warp_size) / model->warp_size;
}

const struct compute_capability *compute_capability_find(uint32_t major, uint32_t minor)
{
    const struct compute_capability *found = NULL;

    for (size_t i = 0; i < sizeof capabilities / sizeof capabilities[0]; i++) {
        if (capabilities[i].major == major && capabilities[i].minor <= minor) {
            found = &capabilities[i];
        }
    }
    return found;
}

uint32_t block_limit_warps(const struct gpu_model *model, const struct block_needs *block)
{
    uint64_t warps = model->max_threads_per_multiprocessor / model->warp_size;

    return block->threads > model->max_threads_per_block
               ? 0
               : (uint32_t)(warps / warps_of(model, block));
}

uint32_t block_limit_registers(const struct compute_capability *capability,
                               const struct gpu_model *model, const struct block_needs *block)
{
    const uint64_t parts = capability->register_parts;
    const uint64_t warps = warps_of(model, block);
    const uint64_t of_warp =
        whole_units((uint64_t)block->registers * model->warp_size, REGISTER_UNIT);

    if (block->registers == 0) {
        return INT32_MAX;
    }
    const uint64_t of_block = of_warp * whole_units(warps, WARP_UNIT);
    if (block->registers > capability->thread_registers || of_block > model->registers_per_block ||
        of_block > model->registers_per_multiprocessor) {
        return 0;
    }
    return (uint32_t)(model->registers_per_multiprocessor / parts / of_warp * parts / warps);
}

/* The smallest split with that many bytes; 0 if there is none. */
static uint64_t smallest_split(const struct compute_capability *capability, uint64_t bytes)
{
    for (size_t i = 0; i < SPLITS_MAX && capability->splits_kib[i] != 0; i++) {
        uint64_t split = (uint64_t)capability->splits_kib[i] * KIB;
        if (split >= bytes) {
            return split;
        }
    }
    return 0;
}

/* Bytes that a block may have at most, with the reserved ones. The opt-in limit is that of a kernel
 * which may be launched with more than the default one, reserved bytes counted. */
static uint64_t most_of_block(const struct compute_capability *capability,
                              const struct gpu_model *model, const struct block_needs *block)
{
    const uint64_t reserved = model->shared_reserved_per_block_bytes;
    const uint64_t allowed =
        block->static_shared_bytes + block->max_dynamic_shared_bytes + reserved;
    const bool is_optin = capability->splits_kib[0] != 0 && allowed > model->shared_per_block_bytes;

    return reserved +
           (is_optin ? model->shared_per_block_optin_bytes : model->shared_per_block_bytes);
}

bool block_limit_shared(const struct compute_capability *capability, const struct gpu_model *model,
                        const struct block_needs *block, uint32_t *out_limit)
{
    const uint64_t bytes = whole_units(block->static_shared_bytes + block->dynamic_shared_bytes +
                                           model->shared_reserved_per_block_bytes,
                                       capability->shared_unit_bytes);
    const bool is_allowed = block->dynamic_shared_bytes <= block->max_dynamic_shared_bytes &&
                            bytes <= most_of_block(capability, model, block);
    uint64_t whole = model->shared_per_multiprocessor_bytes;

    if (capability->splits_kib[0] != 0) {
        whole = smallest_split(capability, is_allowed && bytes > whole ? bytes : whole);
        if (whole == 0) {
            return false;
        }
    }
    *out_limit = !is_allowed ? 0 : bytes == 0 ? INT32_MAX : (uint32_t)(whole / bytes);
    return true;
}
