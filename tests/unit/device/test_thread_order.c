/* Which accesses of others a thread has seen: thread_order.h. */
#include "device/emulated/race/thread_order.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { BLOCKS = 3, WARPS = 2, THREADS = WARPS * LANES };
enum { STORES = ORDER_STORES | ORDER_DEVICE, LOADS = ORDER_LOADS | ORDER_DEVICE };

/* Three blocks of two warps, which run at once. */
struct scene {
    struct launch launch;
    struct thread_order *order;
    struct block blocks[BLOCKS];
    struct warp warps[BLOCKS][WARPS];
};

static int set_up(void **state)
{
    static struct scene scene;
    scene = (struct scene){
        .launch = {.threads = THREADS, .warp_count = WARPS, .blocks = BLOCKS},
    };
    scene.order = thread_order_new(&scene.launch, BLOCKS);
    for (uint32_t b = 0; b < BLOCKS; b++) {
        scene.blocks[b] = (struct block){.launch = &scene.launch, .linear = b};
        for (uint32_t w = 0; w < WARPS; w++) {
            scene.warps[b][w] = (struct warp){.block = &scene.blocks[b], .index = w};
        }
        thread_order_start(scene.order, b);
    }
    *state = &scene;
    return 0;
}

static int tear_down(void **state)
{
    struct scene *scene = *state;
    for (uint32_t b = 0; b < BLOCKS; b++) {
        thread_order_finish(scene->order, b);
    }
    thread_order_free(scene->order);
    thread_order_free(NULL);
    return 0;
}

static struct past_access write_now(const struct scene *scene, uint32_t block, uint32_t thread)
{
    return (struct past_access){block, thread, thread_order_epoch(scene->order, block), false};
}

static struct past_access read_now(const struct scene *scene, uint32_t block, uint32_t thread)
{
    return (struct past_access){block, thread, thread_order_epoch(scene->order, block), true};
}

static bool sees(const struct scene *scene, uint32_t block, uint32_t thread,
                 struct past_access access)
{
    return thread_order_has_seen(scene->order, block, thread, &access);
}

static void fence(const struct scene *scene, uint32_t block, uint32_t thread, bool is_of_device)
{
    thread_order_fence(scene->order, &scene->warps[block][thread / LANES],
                       UINT32_C(1) << thread % LANES, is_of_device);
}

static void make_access(const struct scene *scene, uint32_t block, uint32_t thread, unsigned kind)
{
    thread_order_access(scene->order, &scene->warps[block][thread / LANES], (uint8_t)kind,
                        UINT32_C(1) << thread % LANES);
}

static void within_a_block(void **state)
{
    struct scene *scene = *state;
    struct past_access access = write_now(scene, 0, 5);
    assert_true(sees(scene, 0, 5, access));
    assert_false(sees(scene, 0, 6, access));
    thread_order_warp_sync(scene->order, &scene->warps[0][0], 0xf0);
    assert_true(sees(scene, 0, 6, access));
    assert_false(sees(scene, 0, 8, access));
    thread_order_warp_sync(scene->order, &scene->warps[0][0], 0x1c0); /* lanes 6 to 8 */
    assert_true(sees(scene, 0, 8, access));
    assert_false(sees(scene, 0, 9, access));
    assert_false(sees(scene, 0, 40, access));
    thread_order_warp_sync(scene->order, &scene->warps[0][0], ALL_LANES);
    assert_true(sees(scene, 0, 31, access));
    assert_false(sees(scene, 0, 40, access));
    thread_order_barrier(scene->order, 0);
    assert_true(sees(scene, 0, 40, access));
    assert_false(sees(scene, 0, 40, write_now(scene, 0, 5)));
    assert_false(sees(scene, 1, 40, access));
}

static void barriers_with_a_count(void **state)
{
    struct scene *scene = *state;
    struct past_access early = write_now(scene, 0, 5);
    thread_order_arrival(scene->order, &scene->warps[0][0], 3, ALL_LANES, false);
    struct past_access late = write_now(scene, 0, 5);
    struct past_access other = write_now(scene, 0, 40);
    thread_order_arrival(scene->order, &scene->warps[0][1], 3, ALL_LANES, true);
    thread_order_completion(scene->order, 0, 3);
    assert_true(sees(scene, 0, 40, early));
    assert_false(sees(scene, 0, 40, late));
    assert_false(sees(scene, 0, 5, other)); /* it only arrived */
}

static void between_blocks(void **state)
{
    struct scene *scene = *state;
    struct past_access access = write_now(scene, 0, 5);
    struct past_access other = write_now(scene, 0, 6);
    fence(scene, 0, 5, true);
    struct past_access behind = write_now(scene, 0, 5);
    make_access(scene, 0, 5, STORES);
    make_access(scene, 1, 7, LOADS);
    assert_false(sees(scene, 1, 7, access)); /* no fence yet */
    fence(scene, 1, 7, false);
    assert_false(sees(scene, 1, 7, access)); /* one of the block */
    make_access(scene, 1, 7, LOADS);
    fence(scene, 1, 7, true);
    assert_true(sees(scene, 1, 7, access));
    assert_false(sees(scene, 1, 7, behind));
    assert_false(sees(scene, 1, 7, other));
    assert_false(sees(scene, 1, 8, access));
    thread_order_barrier(scene->order, 1);
    assert_true(sees(scene, 1, 8, access));
    /* and from there on to others */
    fence(scene, 1, 8, true);
    make_access(scene, 1, 8, STORES);
    make_access(scene, 2, 0, ORDER_LOADS | ORDER_ACQUIRES | ORDER_DEVICE);
    assert_true(sees(scene, 2, 0, access));
}

/* A barrier of the block acquires like a fence, but does not release. */
static void barrier_behind_a_load(void **state)
{
    struct scene *scene = *state;
    struct past_access access = write_now(scene, 0, 5);
    thread_order_barrier(scene->order, 0);
    make_access(scene, 0, 5, STORES);
    make_access(scene, 1, 7, LOADS);
    thread_order_barrier(scene->order, 1);
    assert_false(sees(scene, 1, 7, access)); /* nothing was released */
    fence(scene, 0, 5, true);
    make_access(scene, 0, 5, STORES);
    make_access(scene, 1, 7, LOADS);
    assert_false(sees(scene, 1, 7, access));
    thread_order_barrier(scene->order, 1);
    assert_true(sees(scene, 1, 7, access));
    assert_true(sees(scene, 1, 8, access));
}

static void scopes_of_a_block(void **state)
{
    struct scene *scene = *state;
    struct past_access access = write_now(scene, 0, 5);
    make_access(scene, 0, 5, ORDER_STORES | ORDER_RELEASES);
    make_access(scene, 1, 0, ORDER_LOADS | ORDER_ACQUIRES | ORDER_DEVICE);
    assert_false(sees(scene, 1, 0, access));
    make_access(scene, 0, 40, ORDER_LOADS | ORDER_ACQUIRES);
    assert_true(sees(scene, 0, 40, access));
    /* what thread 40 has seen it shows to all of the device */
    make_access(scene, 0, 40, ORDER_STORES | ORDER_RELEASES | ORDER_DEVICE);
    assert_false(sees(scene, 1, 0, access));
    make_access(scene, 1, 0, ORDER_LOADS | ORDER_ACQUIRES);
    assert_false(sees(scene, 1, 0, access));
    make_access(scene, 1, 0, ORDER_LOADS | ORDER_ACQUIRES | ORDER_DEVICE);
    assert_true(sees(scene, 1, 0, access));
    /* and thread 0 to its block */
    make_access(scene, 1, 0, ORDER_STORES | ORDER_RELEASES);
    make_access(scene, 1, 50, ORDER_LOADS | ORDER_ACQUIRES);
    assert_true(sees(scene, 1, 50, access));
}

static void relaxed_accesses_order_reads(void **state)
{
    struct scene *scene = *state;
    struct past_access read = read_now(scene, 0, 5);
    struct past_access write = write_now(scene, 0, 5);
    make_access(scene, 0, 5, STORES | ORDER_RELAXED);
    struct past_access later = read_now(scene, 0, 5);
    make_access(scene, 1, 0, LOADS);
    assert_false(sees(scene, 1, 0, read));
    make_access(scene, 1, 0, LOADS | ORDER_RELAXED);
    assert_true(sees(scene, 1, 0, read));
    assert_false(sees(scene, 1, 0, write) || sees(scene, 1, 0, later));
}

/* More releases than are kept: older ones show more, never less, and new ones are exact. */
static void many_releases(void **state)
{
    struct scene *scene = *state;
    struct past_access first = write_now(scene, 0, 5);
    for (unsigned i = 0; i < 1000; i++) {
        fence(scene, 0, 5, true);
        make_access(scene, 0, 5, STORES);
    }
    struct past_access last = write_now(scene, 0, 5);
    make_access(scene, 1, 0, ORDER_LOADS | ORDER_ACQUIRES | ORDER_DEVICE);
    assert_true(sees(scene, 1, 0, first));
    assert_false(sees(scene, 1, 0, last));
    fence(scene, 0, 5, true);
    make_access(scene, 0, 5, STORES);
    assert_false(sees(scene, 1, 0, last));
    for (unsigned i = 0; i < 1000; i++) {
        fence(scene, 0, 6, true);
        make_access(scene, 0, 6, STORES);
    }
    thread_order_finish(scene->order, 0);
    assert_true(sees(scene, 1, 0, first));
    make_access(scene, 1, 0, ORDER_LOADS | ORDER_ACQUIRES | ORDER_DEVICE);
    assert_true(sees(scene, 1, 0, last));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(within_a_block, set_up, tear_down),
        cmocka_unit_test_setup_teardown(barriers_with_a_count, set_up, tear_down),
        cmocka_unit_test_setup_teardown(between_blocks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(barrier_behind_a_load, set_up, tear_down),
        cmocka_unit_test_setup_teardown(scopes_of_a_block, set_up, tear_down),
        cmocka_unit_test_setup_teardown(relaxed_accesses_order_reads, set_up, tear_down),
        cmocka_unit_test_setup_teardown(many_releases, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
