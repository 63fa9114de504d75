/* occupancy.c: our structs in, cuda_occupancy.h's answer out; see occupancy.h.
 *
 * The calculator is asked as the runtime asks it: no preference for the split between shared memory
 * and L1, one barrier a block, and a limit of dynamic shared memory that is the default 48 KiB less
 * the static part unless the kernel raised it.
 */
#include "occupancy/occupancy.h"

#include <assert.h>
#include <cuda_occupancy.h>
#include <limits.h>

/* More than any multiprocessor has, and far from where the calculator's int sums overflow. */
static const uint64_t SHARED_BYTES_MAX = UINT64_C(1) << 28;

static struct cudaOccDeviceProp calculator_device(const struct gpu_model *model)
{
    return (struct cudaOccDeviceProp){
        .computeMajor = (int)model->compute_major,
        .computeMinor = (int)model->compute_minor,
        .maxThreadsPerBlock = (int)model->max_threads_per_block,
        .maxThreadsPerMultiprocessor = (int)model->max_threads_per_multiprocessor,
        .regsPerBlock = (int)model->registers_per_block,
        .regsPerMultiprocessor = (int)model->registers_per_multiprocessor,
        .warpSize = (int)model->warp_size,
        .sharedMemPerBlock = model->shared_per_block_bytes,
        .sharedMemPerMultiprocessor = model->shared_per_multiprocessor_bytes,
        .numSms = (int)model->multiprocessors,
        .sharedMemPerBlockOptin = model->shared_per_block_optin_bytes,
        .reservedSharedMemPerBlock = model->shared_reserved_per_block_bytes,
    };
}

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

static struct cudaOccFuncAttributes calculator_kernel(const struct gpu_model *model,
                                                      const struct kernel_usage *usage)
{
    uint64_t room = model->shared_per_block_bytes;
    uint64_t dynamic = room > usage->static_shared_bytes ? room - usage->static_shared_bytes : 0;

    if (usage->optin_shared && usage->max_dynamic_shared_bytes > 0) {
        dynamic = smaller(usage->max_dynamic_shared_bytes, SHARED_BYTES_MAX);
    }
    return (struct cudaOccFuncAttributes){
        .maxThreadsPerBlock = (int)kernel_block_limit(model, usage),
        .numRegs = (int)usage->registers,
        .sharedSizeBytes = smaller(usage->static_shared_bytes, SHARED_BYTES_MAX),
        .partitionedGCConfig = PARTITIONED_GC_OFF,
        .shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN,
        .maxDynamicSharedSizeBytes = dynamic,
        .numBlockBarriers = 1,
    };
}

/* The resource that is named when several run out at once: the one that no kernel can help first,
 * then those that a student can change. */
static enum occupancy_limiter first_limiter(unsigned factors)
{
    static const struct {
        unsigned factor;
        enum occupancy_limiter limiter;
    } order[] = {
        {OCC_LIMIT_WARPS, OCCUPANCY_LIMIT_WARPS},
        {OCC_LIMIT_SHARED_MEMORY, OCCUPANCY_LIMIT_SHARED},
        {OCC_LIMIT_REGISTERS, OCCUPANCY_LIMIT_REGISTERS},
        {OCC_LIMIT_BLOCKS, OCCUPANCY_LIMIT_BLOCKS},
        {OCC_LIMIT_BARRIERS, OCCUPANCY_LIMIT_BARRIERS},
    };

    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        if ((factors & order[i].factor) != 0) {
            return order[i].limiter;
        }
    }
    return OCCUPANCY_LIMIT_NONE;
}

enum error occupancy_active_blocks(const struct gpu_model *model, const struct kernel_usage *usage,
                                   uint32_t block_threads, uint64_t dynamic_shared_bytes,
                                   struct occupancy_result *out_result,
                                   struct diagnostic *diagnostic)
{
    const struct cudaOccDeviceProp device = calculator_device(model);
    const struct cudaOccFuncAttributes kernel = calculator_kernel(model, usage);
    const struct cudaOccDeviceState state = {.cacheConfig = CACHE_PREFER_NONE,
                                             .carveoutConfig = SHAREDMEM_CARVEOUT_DEFAULT};
    struct cudaOccResult result = {0};

    if (block_threads == 0 || block_threads > INT_MAX / 2 || usage->registers > INT_MAX / 2) {
        diagnostic_set(
            diagnostic, BLAME_STUDENT,
            "cannot compute the occupancy of a block of %u threads with %u registers each",
            block_threads, usage->registers);
        return ERROR_RANGE;
    }
    cudaOccError status = cudaOccMaxActiveBlocksPerMultiprocessor(
        &result, &device, &kernel, &state, (int)block_threads,
        smaller(dynamic_shared_bytes, SHARED_BYTES_MAX));
    if (status != CUDA_OCC_SUCCESS) {
        diagnostic_set(diagnostic, BLAME_STUDENT,
                       "the occupancy calculator rejects %u threads, %u registers and %llu bytes "
                       "of shared memory on %s",
                       block_threads, usage->registers,
                       (unsigned long long)usage->static_shared_bytes + dynamic_shared_bytes,
                       model->name);
        return ERROR_RANGE;
    }
    *out_result = (struct occupancy_result){
        .active_blocks = (uint32_t)result.activeBlocksPerMultiprocessor,
        .limiter = first_limiter(result.limitingFactors),
        .limit_warps = (uint32_t)result.blockLimitWarps,
        .limit_registers = (uint32_t)result.blockLimitRegs,
        .limit_shared = (uint32_t)result.blockLimitSharedMem,
        .limit_blocks = (uint32_t)result.blockLimitBlocks,
    };
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
        [OCCUPANCY_LIMIT_BLOCKS] = "blocks",       [OCCUPANCY_LIMIT_BARRIERS] = "barriers",
    };

    assert((unsigned)limiter < sizeof names / sizeof names[0]);
    return names[limiter];
}
