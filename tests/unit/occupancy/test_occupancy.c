/* test_occupancy.c: GPU models, and blocks a multiprocessor worked out by hand.
 *
 * The rules, from the CUDA C++ Programming Guide and NVIDIA's occupancy calculator: registers are
 * given to warps in units of 256, out of four parts of 16384; shared memory to blocks in units of
 * 128 bytes (256 before compute capability 8.0), with 1024 bytes reserved for each block from 8.0
 * on.
 */
#include "occupancy/occupancy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct gpu_model find(const char *name)
{
    struct gpu_model model = {.name = ""};
    struct diagnostic diagnostic = {0};

    if (gpu_model_find(name, &model, &diagnostic) != ERROR_NONE) {
        fail_msg("%s", diagnostic.message);
    }
    return model;
}

static void test_h200(void **state)
{
    struct gpu_model model = find("h200");

    (void)state;
    assert_string_equal(model.name, "H200");
    assert_string_equal(model.device_name, "NVIDIA H200");
    assert_int_equal(model.compute_major, 9);
    assert_int_equal(model.compute_minor, 0);
    assert_int_equal(model.multiprocessors, 132);
    assert_int_equal(model.max_blocks_per_multiprocessor, 32);
    assert_int_equal(model.max_threads_per_multiprocessor, 2048);
    assert_int_equal(model.shared_per_multiprocessor_bytes, 233472);
    assert_int_equal(model.shared_per_block_bytes, 49152);
    assert_int_equal(model.shared_per_block_optin_bytes, 232448);
    assert_int_equal(model.shared_reserved_per_block_bytes, 1024);
    assert_int_equal(model.registers_per_multiprocessor, 65536);
    assert_int_equal(model.l2_bytes, 60 << 20);
    assert_int_equal(model.warp_size, 32);
    assert_int_equal(model.max_grid[0], 2147483647);
    assert_int_equal(model.max_block[2], 64);
}

static void test_models(void **state)
{
    static const char *const names[] = {"T4",       "A100", "RTX 3060", "RTX 3090",
                                        "RTX 4090", "H100", "H200"};
    struct gpu_model model;
    struct diagnostic diagnostic = {0};

    (void)state;
    assert_int_equal(gpu_model_count(), 7);
    for (size_t i = 0; i < 7; i++) {
        assert_string_equal(gpu_model_name(i), names[i]);
        model = find(names[i]);
        assert_true(model.shared_per_block_optin_bytes + model.shared_reserved_per_block_bytes ==
                    model.shared_per_multiprocessor_bytes);
        assert_true(model.global_memory_bytes >= UINT64_C(12) << 30);
        assert_true(model.max_threads_per_multiprocessor % 32 == 0);
    }
    assert_int_equal(gpu_model_find("H300", &model, &diagnostic), ERROR_NOT_FOUND);
    assert_int_equal(diagnostic.blame, BLAME_USAGE);
    assert_string_equal(diagnostic.message, "unknown GPU model 'H300'; the known models are T4, "
                                            "A100, RTX 3060, RTX 3090, RTX 4090, H100, H200");
}

/* One kernel on one model; `raised` is the raised limit of dynamic shared memory, 0: not raised. */
static const struct {
    const char *model;
    uint32_t threads, registers, static_bytes;
    uint64_t dynamic_bytes, raised;
    uint32_t blocks;
    enum occupancy_limiter limiter;
} rows[] = {
    /* 32 registers x 32 lanes = 1024 a warp: 64 warps, all that 2048 threads can be */
    {"H200", 256, 32, 2048, 0, 0, 8, OCCUPANCY_LIMIT_WARPS},
    /* 1280 a warp: 12 in each quarter, 48 warps, 6 blocks of 8 */
    {"H200", 256, 40, 2048, 0, 0, 6, OCCUPANCY_LIMIT_REGISTERS},
    /* 33 registers cost what 40 cost: 1056 is rounded up to 1280 */
    {"H200", 256, 33, 0, 0, 0, 6, OCCUPANCY_LIMIT_REGISTERS},
    {"H200", 1024, 64, 8192, 0, 0, 1, OCCUPANCY_LIMIT_REGISTERS},
    /* 65 registers: 2304 a warp, 28 warps, and the block has 32 */
    {"H200", 1024, 65, 8192, 0, 0, 0, OCCUPANCY_LIMIT_REGISTERS},
    /* 233472 / (49152 + 1024) = 4.65 */
    {"H200", 256, 32, 0, 49152, 0, 4, OCCUPANCY_LIMIT_SHARED},
    {"H200", 256, 32, 49152, 0, 0, 4, OCCUPANCY_LIMIT_SHARED},
    /* more than 48 KiB must be asked for */
    {"H200", 256, 32, 0, 49153, 0, 0, OCCUPANCY_LIMIT_SHARED},
    {"H200", 256, 32, 8, 49145, 0, 0, OCCUPANCY_LIMIT_SHARED},
    {"H200", 256, 32, 0, 49153, 100000, 4, OCCUPANCY_LIMIT_SHARED},
    {"H200", 256, 32, 0, 232448, 232448, 1, OCCUPANCY_LIMIT_SHARED},
    {"H200", 256, 32, 0, 232449, 232449, 0, OCCUPANCY_LIMIT_SHARED},
    {"H200", 256, 32, 0, UINT64_C(1) << 40, 0, 0, OCCUPANCY_LIMIT_SHARED},
    /* 16 x 16 and 8 x 8 tiles of float, the lab's kernels */
    {"H200", 256, 32, 0, 2048, 0, 8, OCCUPANCY_LIMIT_WARPS},
    {"H200", 64, 32, 0, 512, 0, 32, OCCUPANCY_LIMIT_WARPS},
    {"H200", 32, 16, 0, 0, 0, 32, OCCUPANCY_LIMIT_BLOCKS},
    /* blocks are bounded by threads a block, too */
    {"H200", 1025, 16, 0, 0, 0, 0, OCCUPANCY_LIMIT_WARPS},
    {"T4", 32, 16, 0, 0, 0, 16, OCCUPANCY_LIMIT_BLOCKS},
    {"T4", 256, 32, 2048, 0, 0, 4, OCCUPANCY_LIMIT_WARPS},
    {"T4", 1024, 32, 8192, 0, 0, 1, OCCUPANCY_LIMIT_WARPS},
    {"T4", 64, 32, 0, 49152, 0, 1, OCCUPANCY_LIMIT_SHARED},
    /* 64 KiB without a reserve: 8 blocks of 8192 */
    {"T4", 64, 32, 0, 8192, 0, 8, OCCUPANCY_LIMIT_SHARED},
    {"A100", 32, 16, 0, 0, 0, 32, OCCUPANCY_LIMIT_BLOCKS},
    {"A100", 256, 32, 0, 166912, 166912, 1, OCCUPANCY_LIMIT_SHARED},
    {"RTX 3060", 256, 32, 2048, 0, 0, 6, OCCUPANCY_LIMIT_WARPS},
    {"RTX 3090", 32, 16, 0, 0, 0, 16, OCCUPANCY_LIMIT_BLOCKS},
    {"RTX 4090", 32, 16, 0, 0, 0, 24, OCCUPANCY_LIMIT_BLOCKS},
    {"RTX 4090", 1024, 32, 8192, 0, 0, 1, OCCUPANCY_LIMIT_WARPS},
    /* 102400 / (16384 + 1024) = 5.88 */
    {"RTX 4090", 128, 32, 16384, 0, 0, 5, OCCUPANCY_LIMIT_SHARED},
    {"H100", 512, 48, 0, 0, 0, 2, OCCUPANCY_LIMIT_REGISTERS},
};

static void test_active_blocks(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct gpu_model model = find(rows[i].model);
        struct kernel_usage usage = {.registers = rows[i].registers,
                                     .static_shared_bytes = rows[i].static_bytes,
                                     .optin_shared = rows[i].raised > 0,
                                     .max_dynamic_shared_bytes = rows[i].raised};
        struct occupancy_result result = {0};
        struct diagnostic diagnostic = {0};
        assert_int_equal(occupancy_active_blocks(&model, &usage, rows[i].threads,
                                                 rows[i].dynamic_bytes, &result, &diagnostic),
                         ERROR_NONE);
        if (result.active_blocks != rows[i].blocks || result.limiter != rows[i].limiter) {
            fail_msg("row %zu: expected %u by %s, got %u by %s", i, rows[i].blocks,
                     occupancy_limiter_name(rows[i].limiter), result.active_blocks,
                     occupancy_limiter_name(result.limiter));
        }
        assert_int_equal(result.limit_blocks, model.max_blocks_per_multiprocessor);
    }
}

static void test_limits_by_resource(void **state)
{
    struct gpu_model model = find("H200");
    struct kernel_usage usage = {.registers = 40, .static_shared_bytes = 2048};
    struct occupancy_result result = {0};

    (void)state;
    assert_int_equal(occupancy_active_blocks(&model, &usage, 256, 0, &result, NULL), 0);
    assert_int_equal(result.limit_warps, 8);
    assert_int_equal(result.limit_registers, 6);
    /* the split prefers what the block needs: 233472 / 3072 */
    assert_int_equal(result.limit_shared, 76);
    assert_int_equal(result.limit_blocks, 32);
    usage.registers = 0;
    assert_int_equal(occupancy_active_blocks(&model, &usage, 256, 0, &result, NULL), 0);
    assert_int_equal(result.limit_registers, INT32_MAX);
}

static void test_refused(void **state)
{
    struct gpu_model model = find("H200");
    struct kernel_usage usage = {.registers = 32};
    struct occupancy_result result = {.active_blocks = 77};
    struct diagnostic diagnostic = {0};

    (void)state;
    assert_int_equal(occupancy_active_blocks(&model, &usage, 0, 0, &result, &diagnostic),
                     ERROR_RANGE);
    assert_int_equal(occupancy_active_blocks(&model, &usage, UINT32_MAX, 0, &result, &diagnostic),
                     ERROR_RANGE);
    usage.registers = 257;
    assert_int_equal(occupancy_active_blocks(&model, &usage, 32, 0, &result, &diagnostic), 0);
    assert_int_equal(result.active_blocks, 0);
    model.compute_major = 99;
    result.active_blocks = 77;
    assert_int_equal(occupancy_active_blocks(&model, &usage, 32, 0, &result, &diagnostic),
                     ERROR_RANGE);
    assert_int_equal(result.active_blocks, 77);
    assert_non_null(strstr(diagnostic.message, "H200"));
    /* newer than what the table has: as the one before it */
    model.compute_major = 9;
    model.compute_minor = 1;
    assert_int_equal(occupancy_active_blocks(&model, &usage, 32, 0, &result, &diagnostic), 0);
    result.active_blocks = 77;
    /* older than what the table has */
    model.compute_major = 3;
    assert_int_equal(occupancy_active_blocks(&model, &usage, 32, 0, &result, &diagnostic),
                     ERROR_RANGE);
    /* more shared memory than a multiprocessor of 9.0 has */
    model = find("H200");
    model.shared_per_multiprocessor_bytes++;
    assert_int_equal(occupancy_active_blocks(&model, &usage, 32, 0, &result, &diagnostic),
                     ERROR_RANGE);
    model = find("H200");
    model.registers_per_block = 0;
    assert_int_equal(occupancy_active_blocks(&model, &usage, 32, 0, &result, &diagnostic),
                     ERROR_RANGE);
}

static uint64_t two_float_tiles(void *context, uint32_t threads)
{
    (void)context;
    return UINT64_C(8) * threads;
}

static uint64_t a_megabyte(void *context, uint32_t threads)
{
    (void)context;
    (void)threads;
    return 1 << 20;
}

static void check_best(const char *name, struct kernel_usage usage, occupancy_shared shared,
                       uint32_t threads, uint32_t grid)
{
    struct gpu_model model = find(name);
    uint32_t best_threads = 99, best_grid = 99;

    assert_int_equal(
        occupancy_best_block_size(&model, &usage, shared, NULL, &best_threads, &best_grid, NULL),
        ERROR_NONE);
    assert_int_equal(best_threads, threads);
    assert_int_equal(best_grid, grid);
}

static void test_best_block_size(void **state)
{
    (void)state;
    check_best("H200", (struct kernel_usage){.registers = 32}, two_float_tiles, 1024, 264);
    /* 48 warps fit: 2 blocks of 768 threads, before 3 of 512 */
    check_best("H200", (struct kernel_usage){.registers = 40}, two_float_tiles, 768, 264);
    check_best("T4", (struct kernel_usage){.registers = 32}, two_float_tiles, 1024, 40);
    check_best("RTX 4090", (struct kernel_usage){.registers = 32}, two_float_tiles, 768, 256);
    check_best("H200", (struct kernel_usage){.registers = 32}, NULL, 1024, 264);
    /* at most 100 threads: 16 blocks of 100 fill less than 32 of 64 */
    check_best("H200", (struct kernel_usage){.registers = 32, .max_threads_per_block = 100}, NULL,
               64, 32 * 132);
    check_best("H200", (struct kernel_usage){.registers = 32}, a_megabyte, 0, 0);
}

static void test_limiter_names(void **state)
{
    (void)state;
    assert_string_equal(occupancy_limiter_name(OCCUPANCY_LIMIT_SHARED), "shared memory");
    assert_string_equal(occupancy_limiter_name(OCCUPANCY_LIMIT_NONE), "nothing");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_h200),          cmocka_unit_test(test_models),
        cmocka_unit_test(test_active_blocks), cmocka_unit_test(test_limits_by_resource),
        cmocka_unit_test(test_refused),       cmocka_unit_test(test_best_block_size),
        cmocka_unit_test(test_limiter_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
