/* test_occupancy_toolkit.c: our calculator against the toolkit's, cuda_occupancy.h, over some
 * millions of inputs. Without that header all tests are skipped.
 *
 * The inputs are the same each time. Devices: all models, and one of each compute capability of our
 * table. For each: registers and threads; registers of smaller multiprocessors; bytes around each
 * unit of shared memory, as static and dynamic ones; bytes around each split; the best block sizes.
 */
#include "occupancy/block_limits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#ifdef GPUGRADE_CUDA_OCCUPANCY

#include <cuda_occupancy.h>

enum { DEVICES_MAX = 64, NUMBERS = 16, KIB = 1024, DEFAULT_BYTES = 48 * KIB, THREADS = 1024 };

static struct gpu_model devices[DEVICES_MAX];
static size_t device_count;
static uint64_t row_count;

static struct gpu_model model_by_name(const char *name)
{
    struct gpu_model model;

    assert_int_equal(gpu_model_find(name, &model, NULL), ERROR_NONE);
    return model;
}

/* The toolkit's structs. */

static cudaOccDeviceProp toolkit_device(const struct gpu_model *model)
{
    return (cudaOccDeviceProp){
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

static cudaOccFuncAttributes toolkit_kernel(const struct gpu_model *model,
                                            const struct kernel_usage *usage)
{
    const uint64_t room = model->shared_per_block_bytes;
    uint64_t dynamic = room > usage->static_shared_bytes ? room - usage->static_shared_bytes : 0;
    uint32_t threads = model->max_threads_per_block;

    if (usage->optin_shared && usage->max_dynamic_shared_bytes > 0) {
        dynamic = usage->max_dynamic_shared_bytes;
    }
    if (usage->max_threads_per_block > 0 && usage->max_threads_per_block < threads) {
        threads = usage->max_threads_per_block;
    }
    return (cudaOccFuncAttributes){
        .maxThreadsPerBlock = (int)threads,
        .numRegs = (int)usage->registers,
        .sharedSizeBytes = usage->static_shared_bytes,
        .partitionedGCConfig = PARTITIONED_GC_OFF,
        .shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN,
        .maxDynamicSharedSizeBytes = dynamic,
        .numBlockBarriers = 1,
    };
}

static const cudaOccDeviceState no_preference = {.cacheConfig = CACHE_PREFER_NONE,
                                                 .carveoutConfig = SHAREDMEM_CARVEOUT_DEFAULT};

static enum occupancy_limiter limiter_of(unsigned factors)
{
    return (factors & OCC_LIMIT_WARPS) != 0           ? OCCUPANCY_LIMIT_WARPS
           : (factors & OCC_LIMIT_SHARED_MEMORY) != 0 ? OCCUPANCY_LIMIT_SHARED
           : (factors & OCC_LIMIT_REGISTERS) != 0     ? OCCUPANCY_LIMIT_REGISTERS
           : (factors & OCC_LIMIT_BLOCKS) != 0        ? OCCUPANCY_LIMIT_BLOCKS
                                                      : OCCUPANCY_LIMIT_NONE;
}

/* All zero if the toolkit refuses. */
static struct occupancy_result toolkit_blocks(const struct gpu_model *model,
                                              const struct kernel_usage *usage, uint32_t threads,
                                              uint64_t dynamic_bytes)
{
    const cudaOccDeviceProp device = toolkit_device(model);
    const cudaOccFuncAttributes kernel = toolkit_kernel(model, usage);
    cudaOccResult result;

    if (cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &kernel, &no_preference,
                                                (int)threads, dynamic_bytes) != CUDA_OCC_SUCCESS) {
        return (struct occupancy_result){0};
    }
    return (struct occupancy_result){
        .active_blocks = (uint32_t)result.activeBlocksPerMultiprocessor,
        .limiter = limiter_of(result.limitingFactors),
        .limit_warps = (uint32_t)result.blockLimitWarps,
        .limit_registers = (uint32_t)result.blockLimitRegs,
        .limit_shared = (uint32_t)result.blockLimitSharedMem,
        .limit_blocks = (uint32_t)result.blockLimitBlocks,
    };
}

static void print_result(const char *whose, const struct occupancy_result *result)
{
    print_error("%s: %u blocks by %s; warps %u, registers %u, shared memory %u, blocks %u\n", whose,
                result->active_blocks, occupancy_limiter_name(result->limiter), result->limit_warps,
                result->limit_registers, result->limit_shared, result->limit_blocks);
}

/* One row. */
static void compare(const struct gpu_model *model, const struct kernel_usage *usage,
                    uint32_t threads, uint64_t dynamic_bytes)
{
    const struct occupancy_result theirs = toolkit_blocks(model, usage, threads, dynamic_bytes);
    struct occupancy_result ours = {0};

    /* A refusal leaves zeros, which no answer is: there is a limit by blocks. */
    occupancy_active_blocks(model, usage, threads, dynamic_bytes, &ours, NULL);
    row_count++;
    if (memcmp(&ours, &theirs, sizeof ours) != 0) {
        print_result("ours", &ours);
        print_result("toolkit", &theirs);
        fail_msg("%u.%u (%s, %u registers, %llu bytes): %u threads, %u registers, %u static bytes, "
                 "%llu dynamic bytes, limit raised to %llu",
                 model->compute_major, model->compute_minor, model->name,
                 model->registers_per_multiprocessor,
                 (unsigned long long)model->shared_per_multiprocessor_bytes, threads,
                 usage->registers, usage->static_shared_bytes, (unsigned long long)dynamic_bytes,
                 (unsigned long long)usage->max_dynamic_shared_bytes);
    }
}

/* Devices. */

/* A device with all the shared memory that its compute capability can have. */
static struct gpu_model device_of(const struct compute_capability *capability)
{
    struct gpu_model model = model_by_name("H200");
    uint64_t shared_kib = 64;

    model.compute_major = capability->major;
    model.compute_minor = capability->minor;
    model.shared_reserved_per_block_bytes = capability->major < 8 ? 0 : KIB;
    if ((capability->major == 5 && capability->minor == 2) ||
        (capability->major == 6 && capability->minor == 1)) {
        shared_kib = 96;
    }
    for (size_t i = 0; i < SPLITS_MAX && capability->splits_kib[i] != 0; i++) {
        shared_kib = capability->splits_kib[i];
    }
    model.shared_per_multiprocessor_bytes = shared_kib * KIB;
    /* There is no opt-in before 7.0: this much must change nothing. */
    model.shared_per_block_optin_bytes = shared_kib * KIB - model.shared_reserved_per_block_bytes;
    return model;
}

static void add_device(struct gpu_model model)
{
    const struct kernel_usage usage = {.registers = 32};

    if (toolkit_blocks(&model, &usage, 32, 0).limit_blocks == 0) {
        print_message("This toolkit does not know %u.%u.\n", model.compute_major,
                      model.compute_minor);
        return;
    }
    assert_true(device_count < DEVICES_MAX);
    devices[device_count++] = model;
}

static int find_devices(void **state)
{
    (void)state;
    for (size_t i = 0; i < gpu_model_count(); i++) {
        add_device(model_by_name(gpu_model_name(i)));
    }
    for (uint32_t number = 0; number < NUMBERS * NUMBERS; number++) {
        const struct compute_capability *capability =
            compute_capability_find(number / NUMBERS, number % NUMBERS);
        if (capability != NULL && capability->minor == number % NUMBERS) {
            add_device(device_of(capability));
        }
    }
    return device_count > gpu_model_count() ? 0 : 1;
}

/* Tests. */

static void test_registers_and_threads(void **state)
{
    (void)state;
    for (size_t i = 0; i < device_count; i++) {
        for (uint32_t registers = 0; registers <= 257; registers++) {
            const struct kernel_usage usage = {.registers = registers,
                                               .max_threads_per_block = registers % 2 * 100};
            for (uint32_t threads = 1; threads <= THREADS + 32; threads += 11) {
                compare(&devices[i], &usage, threads, 0);
            }
        }
    }
}

static void test_smaller_register_files(void **state)
{
    (void)state;
    for (size_t i = 0; i < device_count; i++) {
        for (uint32_t part = 1; part <= 8; part++) {
            struct gpu_model model = devices[i];
            model.registers_per_multiprocessor = model.registers_per_multiprocessor / 8 * part - 1;
            model.registers_per_block /= 1 + part % 2;
            for (uint32_t registers = 0; registers <= 255; registers++) {
                const struct kernel_usage usage = {.registers = registers};
                for (uint32_t warps = 1; warps <= 32; warps += 3) {
                    compare(&model, &usage, warps * 32, 0);
                }
            }
        }
    }
}

/* A block of `bytes`, divided into static and dynamic ones, with and without a raised limit. */
static void compare_bytes(const struct gpu_model *model, uint64_t bytes)
{
    const uint64_t statics[] = {0, 1, 100, bytes / 2, bytes};
    const uint32_t threads = 32 + (uint32_t)(bytes % 5) * 96;

    for (size_t i = 0; i < sizeof statics / sizeof statics[0]; i++) {
        if (statics[i] > bytes) {
            continue;
        }
        const uint64_t dynamic = bytes - statics[i];
        const uint64_t raised[] = {0, dynamic, model->shared_per_block_optin_bytes - 1};
        for (size_t j = 0; j < 4; j++) {
            const struct kernel_usage usage = {
                .registers = 32,
                .static_shared_bytes = (uint32_t)statics[i],
                .optin_shared = j < 3 && raised[j] > 0,
                .max_dynamic_shared_bytes = j < 3 ? raised[j] : DEFAULT_BYTES, /* not raised */
            };
            compare(model, &usage, threads, dynamic);
        }
    }
}

static void test_units_of_shared_memory(void **state)
{
    enum { UNIT = 128 };

    (void)state;
    for (size_t i = 0; i < device_count; i++) {
        const uint64_t most = devices[i].shared_per_multiprocessor_bytes;
        for (uint64_t bytes = UNIT; bytes <= most + 4 * (uint64_t)UNIT; bytes += UNIT) {
            compare_bytes(&devices[i], bytes - 1);
            compare_bytes(&devices[i], bytes);
            compare_bytes(&devices[i], bytes + 1);
        }
    }
}

static void compare_blocks(const struct gpu_model *model)
{
    static const uint64_t blocks[] = {
        0, 1, KIB, 7 * KIB + 1, DEFAULT_BYTES - 1, DEFAULT_BYTES, DEFAULT_BYTES + 1};

    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        compare_bytes(model, blocks[i]);
    }
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* A device with that much shared memory, and with limits of a block that are bound by it or not. */
static void compare_split(struct gpu_model model, uint64_t bytes)
{
    model.shared_per_multiprocessor_bytes = bytes;
    compare_blocks(&model);
    model.shared_per_block_optin_bytes = smaller(model.shared_per_block_optin_bytes, bytes);
    compare_blocks(&model);
    model.shared_per_block_bytes = smaller(model.shared_per_block_bytes, bytes);
    compare_blocks(&model);
}

static void test_splits(void **state)
{
    (void)state;
    for (size_t i = 0; i < device_count; i++) {
        /* Some are more than a device can have: that is refused. */
        for (uint64_t kib = 1; kib <= 240; kib++) {
            for (uint64_t bytes = kib * KIB - 1; bytes <= kib * KIB + 1; bytes++) {
                compare_split(devices[i], bytes);
            }
        }
    }
}

static size_t bytes_by_threads(int threads)
{
    return (size_t)threads * 24 + 100;
}

static uint64_t our_bytes_by_threads(void *context, uint32_t threads)
{
    (void)context;
    return bytes_by_threads((int)threads);
}

static void compare_best(const struct gpu_model *model, const struct kernel_usage *usage,
                         bool is_shared)
{
    const cudaOccDeviceProp device = toolkit_device(model);
    const cudaOccFuncAttributes kernel = toolkit_kernel(model, usage);
    uint32_t threads = 0;
    uint32_t grid = 0;
    int their_threads = 0;
    int their_grid = 0;

    assert_int_equal(cudaOccMaxPotentialOccupancyBlockSize(&their_grid, &their_threads, &device,
                                                           &kernel, &no_preference,
                                                           is_shared ? bytes_by_threads : NULL, 0),
                     CUDA_OCC_SUCCESS);
    assert_int_equal(occupancy_best_block_size(model, usage,
                                               is_shared ? our_bytes_by_threads : NULL, NULL,
                                               &threads, &grid, NULL),
                     ERROR_NONE);
    row_count++;
    if (threads != (uint32_t)their_threads || grid != (uint32_t)their_grid) {
        fail_msg("%u.%u, %u registers, at most %u threads: ours %u blocks of %u, toolkit %d of %d",
                 model->compute_major, model->compute_minor, usage->registers,
                 usage->max_threads_per_block, grid, threads, their_grid, their_threads);
    }
}

static void test_best_block_sizes(void **state)
{
    static const uint32_t bounds[] = {0, 1, 32, 100, 768, 1000, 1024, 2000};

    (void)state;
    for (size_t i = 0; i < device_count; i++) {
        for (uint32_t registers = 0; registers <= 255; registers += 5) {
            for (size_t j = 0; j < sizeof bounds / sizeof bounds[0]; j++) {
                const struct kernel_usage usage = {.registers = registers,
                                                   .static_shared_bytes = registers * 64,
                                                   .max_threads_per_block = bounds[j]};
                compare_best(&devices[i], &usage, false);
                compare_best(&devices[i], &usage, true);
            }
        }
    }
}

static void test_row_count(void **state)
{
    (void)state;
    print_message("%llu rows on %zu devices\n", (unsigned long long)row_count, device_count);
    assert_true(row_count >= 1000000);
}

#else

static int find_devices(void **state)
{
    (void)state;
    return 0;
}

static void test_without_toolkit(void **state)
{
    (void)state;
    print_message("There was no cuda_occupancy.h when this was built.\n");
    skip();
}

#define test_registers_and_threads test_without_toolkit
#define test_smaller_register_files test_without_toolkit
#define test_units_of_shared_memory test_without_toolkit
#define test_splits test_without_toolkit
#define test_best_block_sizes test_without_toolkit
#define test_row_count test_without_toolkit

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_registers_and_threads),
        cmocka_unit_test(test_smaller_register_files),
        cmocka_unit_test(test_units_of_shared_memory),
        cmocka_unit_test(test_splits),
        cmocka_unit_test(test_best_block_sizes),
        cmocka_unit_test(test_row_count),
    };

    return cmocka_run_group_tests(tests, find_devices, NULL);
}
