/* test_occupancy_card.c: which limit binds and where the next cliff is.
 *
 * The textbook device counts without granularity, as published course texts do: registers times
 * threads, bytes times blocks. Their worked examples stand here as figures; on real models the
 * vendor's calculator rounds, and the cliffs worked out by hand follow its rules
 * (test_occupancy.c).
 */
#include "occupancy/occupancy_card.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

/* A multiprocessor as textbooks describe one, and the threads of a block. */
struct textbook {
    uint32_t threads, blocks, registers, shared_bytes;
    uint32_t block_threads;
};

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static bool textbook_fit(void *context, uint32_t registers, uint64_t shared_bytes,
                         struct occupancy_result *out_fits)
{
    const struct textbook *device = context;

    *out_fits = (struct occupancy_result){
        .limit_warps = device->threads / device->block_threads,
        .limit_blocks = device->blocks,
        .limit_registers =
            registers > 0 ? device->registers / (registers * device->block_threads) : INT32_MAX,
        .limit_shared =
            shared_bytes > 0 ? (uint32_t)(device->shared_bytes / shared_bytes) : INT32_MAX,
    };
    out_fits->active_blocks = least(least(out_fits->limit_warps, out_fits->limit_blocks),
                                    least(out_fits->limit_registers, out_fits->limit_shared));
    return true;
}

static struct occupancy_card textbook_card(struct textbook *device, uint32_t registers,
                                           uint64_t shared_bytes)
{
    struct occupancy_card card;

    assert_true(occupancy_card_explore(textbook_fit, device, registers, shared_bytes,
                                       device->shared_bytes, &card));
    return card;
}

/* 1536 threads, 8 slots, 16384 registers; 16 x 16 threads of 10 registers: 2560 a block, 6 blocks;
 * of 12 registers: 3072 a block, 5 blocks. */
static void test_two_registers_too_many(void **state)
{
    struct textbook device = {1536, 8, 16384, 48 << 10, 256};
    struct occupancy_card card = textbook_card(&device, 10, 0);
    (void)state;

    assert_int_equal(card.fits.active_blocks, 6);
    assert_int_equal(card.fits.limit_registers, 6);
    assert_int_equal(card.fits.limit_warps, 6);
    assert_int_equal(card.fits.limit_shared, INT32_MAX);
    /* 11 registers make 2816 a block: 16384 / 2816 = 5.8, so that one is enough already */
    assert_int_equal(card.more_registers.change, 1);
    assert_int_equal(card.more_registers.blocks, 5);
    assert_int_equal(card.fewer_registers.change, 0); /* threads bind as well */
    card = textbook_card(&device, 12, 0);
    assert_int_equal(card.fits.active_blocks, 5);
    assert_int_equal(card.fewer_registers.change, 2);
    assert_int_equal(card.fewer_registers.blocks, 6);
    assert_int_equal(card.more_registers.change, 1); /* 13 x 256 = 3328: 4.9 */
    assert_int_equal(card.more_registers.blocks, 4);
}

/* The same device: 128 threads a block would make 12 blocks, but there are 8 slots. */
static void test_too_few_slots(void **state)
{
    struct textbook device = {1536, 8, 16384, 48 << 10, 128};
    struct occupancy_card card = textbook_card(&device, 10, 0);
    (void)state;

    assert_int_equal(card.fits.limit_warps, 12);
    assert_int_equal(card.fits.active_blocks, 8);
    assert_int_equal(card.fits.active_blocks * 128, 1024);
    device.block_threads = 256;
    assert_int_equal(textbook_card(&device, 10, 0).fits.active_blocks * 256, 1536);
    device.block_threads = 512;
    assert_int_equal(textbook_card(&device, 10, 0).fits.limit_warps, 3);
}

/* Two tiles of float: block width 16 takes 2 KiB a block, 8 blocks of 16 KiB; block width 32 takes
 * 8 KiB, of which 2 fit into 16 KiB and 6 into 48. */
static void test_tile_sizes(void **state)
{
    struct textbook small = {1536, 8, 32768, 16 << 10, 256};
    struct textbook large = {1536, 8, 32768, 48 << 10, 256};
    (void)state;

    assert_int_equal(textbook_card(&small, 1, 2048).fits.limit_shared, 8);
    assert_int_equal(textbook_card(&small, 1, 8192).fits.limit_shared, 2);
    assert_int_equal(textbook_card(&large, 1, 8192).fits.limit_shared, 6);
    struct occupancy_card card = textbook_card(&small, 1, 8192);
    assert_int_equal(card.more_shared.change, 1);
    assert_int_equal(card.more_shared.blocks, 1);
    assert_int_equal(card.less_shared.change, 8192 - 16384 / 3);
    assert_int_equal(card.less_shared.blocks, 3);
}

static struct occupancy_card model_card(const char *name, uint32_t registers, uint32_t static_bytes,
                                        uint64_t dynamic_bytes, uint32_t threads)
{
    struct gpu_model model = {.name = ""};
    struct kernel_usage usage = {.registers = registers, .static_shared_bytes = static_bytes};
    struct occupancy_card card;

    assert_int_equal(gpu_model_find(name, &model, NULL), ERROR_NONE);
    assert_true(occupancy_card_make(&model, &usage, threads, dynamic_bytes, &card));
    return card;
}

static void test_h200(void **state)
{
    (void)state;
    struct occupancy_card card = model_card("H200", 32, 2048, 0, 256);
    assert_int_equal(card.fits.active_blocks, 8);
    assert_int_equal(card.fits.limiter, OCCUPANCY_LIMIT_WARPS);
    assert_true(card.occupancy == 1.0);
    /* 33 registers cost what 40 cost: 6 blocks */
    assert_int_equal(card.more_registers.change, 1);
    assert_int_equal(card.more_registers.blocks, 6);
    assert_int_equal(card.fewer_registers.change, 0);
    assert_int_equal(card.less_shared.change, 0);
    /* 8 blocks of 29184 bytes fill 233472, 1024 of each reserved: up to 28160, in units of 128 */
    assert_int_equal(card.more_shared.change, 28160 - 2048 + 1);
    assert_int_equal(card.more_shared.blocks, 7);
    card = model_card("H200", 40, 0, 2048, 256);
    assert_int_equal(card.fits.active_blocks, 6);
    assert_int_equal(card.shared_bytes, 2048);
    assert_true(card.occupancy == 0.75);
    assert_int_equal(card.fewer_registers.change, 8);
    assert_int_equal(card.fewer_registers.blocks, 8);
    assert_int_equal(card.more_registers.change, 1); /* 41 to 48: 1536 a warp, 10 in each quarter */
    assert_int_equal(card.more_registers.blocks, 5);
}

static void test_bound_by_shared_memory(void **state)
{
    (void)state;
    /* 16384 + 1024 a block: 13 blocks of 17408 */
    struct occupancy_card card = model_card("H200", 16, 0, 16384, 64);
    assert_int_equal(card.fits.active_blocks, 13);
    assert_int_equal(card.fits.limiter, OCCUPANCY_LIMIT_SHARED);
    /* 14 blocks: 233472 / 14 = 16676, in units of 128 16640, less 1024: 15616 */
    assert_int_equal(card.less_shared.change, 16384 - 15616);
    assert_int_equal(card.less_shared.blocks, 14);
    /* a block of 33 threads takes two warps */
    card = model_card("H200", 16, 0, 0, 33);
    assert_true(card.occupancy == 32 * 64 / 2048.0);
}

static void test_refused(void **state)
{
    struct gpu_model model = {.name = ""};
    struct kernel_usage usage = {.registers = 32};
    struct occupancy_card card;
    (void)state;

    assert_int_equal(gpu_model_find("H200", &model, NULL), ERROR_NONE);
    assert_false(occupancy_card_make(&model, &usage, 0, 0, &card));
    usage.static_shared_bytes = 1;
    assert_false(occupancy_card_make(&model, &usage, 32, UINT64_MAX, &card));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_registers_too_many),
        cmocka_unit_test(test_too_few_slots),
        cmocka_unit_test(test_tile_sizes),
        cmocka_unit_test(test_h200),
        cmocka_unit_test(test_bound_by_shared_memory),
        cmocka_unit_test(test_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
