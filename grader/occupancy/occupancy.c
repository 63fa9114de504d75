/* occupancy.c: the blocks that fit, as the smallest limit of block_limits.h; see occupancy.h.
 *
 * A launch may ask for as much dynamic shared memory as the runtime allows it: what the static part
 * leaves of the default 48 KiB, or more if the kernel raised it. Barriers are not counted: a block
 * uses one, and a multiprocessor has at least as many as blocks.
 */
#include "occupancy/occupancy.h"

#include "occupancy/block_limits.h"

#include <assert.h>
#include <limits.h>

/* More than any multiprocessor has, and far from where sums overflow. */
static const uint64_t SHARED_BYTES_MAX = UINT64_C(1) << 28;

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint32_t kernel_block_limit(const struct gpu_model *model, const struct kernel_usage *usage)
{
    if (usage->max_threads_per_block == 0) {
        return model->max_threads_per_block;
    }
    return (uint32_t)smaller(usage->max_threads_per_block, model->max_threads_per_block);
}

static struct block_needs needs_of_block(const struct gpu_model *model,
                                         const struct kernel_usage *usage, uint32_t block_threads,
                                         uint64_t dynamic_shared_bytes)
{
    uint64_t room = model->shared_per_block_bytes;
    uint64_t dynamic = room > usage->static_shared_bytes ? room - usage->static_shared_bytes : 0;

    if (usage->optin_shared && usage->max_dynamic_shared_bytes > 0) {
        dynamic = smaller(usage->max_dynamic_shared_bytes, SHARED_BYTES_MAX);
    }
    return (struct block_needs){
        .threads = block_threads,
        .registers = usage->registers,
        .static_shared_bytes = smaller(usage->static_shared_bytes, SHARED_BYTES_MAX),
        .dynamic_shared_bytes = smaller(dynamic_shared_bytes, SHARED_BYTES_MAX),
        .max_dynamic_shared_bytes = dynamic,
    };
}

/* What the calculator divides by, or cannot do without. */
static bool is_complete(const struct gpu_model *model)
{
    return model->warp_size > 0 && model->multiprocessors > 0 && model->max_threads_per_block > 0 &&
           model->max_threads_per_multiprocessor > 0 && model->registers_per_block > 0 &&
           model->registers_per_multiprocessor > 0 && model->shared_per_block_bytes > 0 &&
           model->shared_per_multiprocessor_bytes > 0;
}

/* Fills all limits; false if nothing is known about the compute capability, or if the model cannot
 * have so much shared memory. */
static bool find_limits(const struct gpu_model *model, const struct block_needs *block,
                        struct occupancy_result *out_result)
{
    const struct compute_capability *capability =
        compute_capability_find(model->compute_major, model->compute_minor);
    uint32_t shared = 0;

    if (capability == NULL || !is_complete(model) ||
        !block_limit_shared(capability, model, block, &shared)) {
        return false;
    }
    *out_result = (struct occupancy_result){
        .limit_warps = block_limit_warps(model, block),
        .limit_registers = block_limit_registers(capability, model, block),
        .limit_shared = shared,
        .limit_blocks = capability->max_blocks,
    };
    return true;
}

/* Names the smallest limit. Of several equal ones it is the one that no kernel can help first, then
 * those that a student can change. */
static void choose_limiter(struct occupancy_result *result)
{
    const struct {
        uint32_t limit;
        enum occupancy_limiter limiter;
    } order[] = {
        {result->limit_warps, OCCUPANCY_LIMIT_WARPS},
        {result->limit_shared, OCCUPANCY_LIMIT_SHARED},
        {result->limit_registers, OCCUPANCY_LIMIT_REGISTERS},
        {result->limit_blocks, OCCUPANCY_LIMIT_BLOCKS},
    };

    result->active_blocks = INT32_MAX;
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        if (order[i].limit < result->active_blocks) {
            result->active_blocks = order[i].limit;
            result->limiter = order[i].limiter;
        }
    }
}

enum error occupancy_active_blocks(const struct gpu_model *model, const struct kernel_usage *usage,
                                   uint32_t block_threads, uint64_t dynamic_shared_bytes,
                                   struct occupancy_result *out_result,
                                   struct diagnostic *diagnostic)
{
    const struct block_needs block =
        needs_of_block(model, usage, block_threads, dynamic_shared_bytes);
    struct occupancy_result result;

    if (block_threads == 0 || block_threads > INT_MAX / 2 || usage->registers > INT_MAX / 2) {
        diagnostic_set(
            diagnostic, BLAME_STUDENT,
            "cannot compute the occupancy of a block of %u threads with %u registers each",
            block_threads, usage->registers);
        return ERROR_RANGE;
    }
    if (!find_limits(model, &block, &result)) {
        diagnostic_set(diagnostic, BLAME_STUDENT,
                       "the occupancy calculator rejects %u threads, %u registers and %llu bytes "
                       "of shared memory on %s",
                       block_threads, usage->registers,
                       (unsigned long long)usage->static_shared_bytes + dynamic_shared_bytes,
                       model->name);
        return ERROR_RANGE;
    }
    choose_limiter(&result);
    *out_result = result;
    return ERROR_NONE;
}

enum error occupancy_best_block_size(const struct gpu_model *model,
                                     const struct kernel_usage *usage, occupancy_shared shared,
                                     void *context, uint32_t *out_block_threads,
                                     uint32_t *out_grid_blocks, struct diagnostic *diagnostic)
{
    const uint32_t limit = kernel_block_limit(model, usage);
    const uint32_t warp = model->warp_size;
    uint32_t best_threads = 0;
    uint32_t best_blocks = 0;

    /* Largest first, in whole warps, so that of two sizes with equal occupancy the larger wins. */
    for (uint32_t aligned = (limit + warp - 1) / warp * warp; aligned > 0; aligned -= warp) {
        uint32_t threads = aligned < limit ? aligned : limit;
        uint64_t dynamic = shared == NULL ? 0 : shared(context, threads);
        struct occupancy_result result;
        enum error error =
            occupancy_active_blocks(model, usage, threads, dynamic, &result, diagnostic);
        if (error != ERROR_NONE) {
            return error;
        }
        if (threads * result.active_blocks > best_threads * best_blocks) {
            best_threads = threads;
            best_blocks = result.active_blocks;
        }
        if (best_threads * best_blocks == model->max_threads_per_multiprocessor) {
            break;
        }
    }
    *out_block_threads = best_threads;
    *out_grid_blocks = best_blocks * model->multiprocessors;
    return ERROR_NONE;
}

const char *occupancy_limiter_name(enum occupancy_limiter limiter)
{
    static const char *const names[] = {
        [OCCUPANCY_LIMIT_NONE] = "nothing",        [OCCUPANCY_LIMIT_WARPS] = "threads",
        [OCCUPANCY_LIMIT_REGISTERS] = "registers", [OCCUPANCY_LIMIT_SHARED] = "shared memory",
        [OCCUPANCY_LIMIT_BLOCKS] = "blocks",
    };

    assert((unsigned)limiter < sizeof names / sizeof names[0]);
    return names[limiter];
}
