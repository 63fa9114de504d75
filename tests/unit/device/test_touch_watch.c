/* Which words of global memory two threads touch: touch_watch.h. */
#include "device/emulated/race/touch_watch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { WORDS = 4096 };

static struct window_block area = {.start = 4096, .end = 4096 + WORDS * 4};
static const struct window_memory memory = {.blocks = &area, .block_count = 1};

/* A thread of the block that runs touches a word. */
static void touch(struct touch_watch *watch, uint32_t thread, uint64_t word, enum touch_kind kind)
{
    uint32_t now = watch->interval << TOUCH_INTERVAL_SHIFT | thread;
    touch_access(watch, &area, area.start + word * 4, 4, now, kind);
}

static bool has_met(const struct touch_watch *watch, uint64_t word)
{
    return touch_word_has_met(watch, &area, word);
}

/* Two accesses to one word, with what is between them. */
enum between { SAME_INTERVAL, BARRIER, OTHER_BLOCK };

static bool two_meet(uint32_t first_thread, enum touch_kind first, enum between between,
                     uint32_t second_thread, enum touch_kind second)
{
    struct touch_watch *watch = touch_watch_new(&memory);
    touch_watch_enter(watch, 0);
    touch(watch, first_thread, 7, first);
    if (between == BARRIER) {
        touch_watch_barrier(watch);
    } else if (between == OTHER_BLOCK) {
        touch_watch_enter(watch, 1);
    }
    touch(watch, second_thread, 7, second);
    bool meets = has_met(watch, 7);
    assert_int_equal(watch->has_met, meets);
    assert_int_equal(touch_has_met(watch, &area, area.start, 4), meets);
    assert_false(touch_has_met(watch, &area, area.start + 4 * 3000, 4));
    touch_watch_free(watch);
    return meets;
}

static void two_accesses_meet(void **state)
{
    (void)state;
    assert_false(two_meet(1, TOUCH_READ, SAME_INTERVAL, 2, TOUCH_READ));
    assert_true(two_meet(1, TOUCH_READ, SAME_INTERVAL, 2, TOUCH_WRITE));
    assert_true(two_meet(1, TOUCH_WRITE, SAME_INTERVAL, 2, TOUCH_READ));
    assert_true(two_meet(1, TOUCH_WRITE, SAME_INTERVAL, 2, TOUCH_WRITE));
    assert_false(two_meet(1, TOUCH_UPDATE, SAME_INTERVAL, 2, TOUCH_UPDATE));
    assert_true(two_meet(1, TOUCH_UPDATE, SAME_INTERVAL, 2, TOUCH_READ));
    assert_true(two_meet(1, TOUCH_READ, SAME_INTERVAL, 2, TOUCH_UPDATE));
    assert_false(two_meet(1, TOUCH_READ, SAME_INTERVAL, 1, TOUCH_UPDATE));
    assert_false(two_meet(1, TOUCH_WRITE, SAME_INTERVAL, 1, TOUCH_READ));
    assert_false(two_meet(1, TOUCH_WRITE, BARRIER, 2, TOUCH_READ));
    assert_false(two_meet(1, TOUCH_READ, BARRIER, 2, TOUCH_WRITE));
    assert_true(two_meet(1, TOUCH_WRITE, OTHER_BLOCK, 1, TOUCH_READ));
    assert_true(two_meet(1, TOUCH_READ, OTHER_BLOCK, 1, TOUCH_WRITE));
    assert_false(two_meet(1, TOUCH_READ, OTHER_BLOCK, 1, TOUCH_READ));
    assert_false(two_meet(1, TOUCH_UPDATE, OTHER_BLOCK, 1, TOUCH_UPDATE));
    assert_true(two_meet(1, TOUCH_UPDATE, OTHER_BLOCK, 1, TOUCH_WRITE));
}

/* What is ordered within a block stays known to other blocks. */
static void earlier_intervals_are_remembered(void **state)
{
    struct touch_watch *watch = touch_watch_new(&memory);
    (void)state;
    touch_watch_enter(watch, 0);
    touch(watch, 1, 0, TOUCH_WRITE);
    touch(watch, 1, 1, TOUCH_UPDATE);
    touch_watch_barrier(watch);
    touch(watch, 2, 0, TOUCH_READ);
    touch(watch, 3, 0, TOUCH_READ);
    touch(watch, 2, 1, TOUCH_UPDATE);
    touch_watch_enter(watch, 0); /* goes on */
    assert_false(watch->has_met);
    touch_watch_enter(watch, 1);
    touch(watch, 9, 1, TOUCH_UPDATE);
    assert_false(watch->has_met);
    touch(watch, 9, 0, TOUCH_READ);
    assert_true(has_met(watch, 0));
    assert_false(has_met(watch, 1));
    touch_watch_barrier(watch);
    touch(watch, 9, 1, TOUCH_READ);
    assert_true(has_met(watch, 1));
    touch_watch_free(watch);
}

/* Intervals are numbered anew when their numbers run out, which forgets no word. */
static void intervals_do_not_run_out(void **state)
{
    struct touch_watch *watch = touch_watch_new(&memory);
    (void)state;
    touch_watch_enter(watch, 0);
    touch(watch, 1, 0, TOUCH_WRITE);
    touch(watch, 1, 1, TOUCH_READ);
    touch(watch, 1, 2, TOUCH_UPDATE);
    for (uint64_t block = 1; block <= 1 << (32 - TOUCH_INTERVAL_SHIFT); block++) {
        touch_watch_enter(watch, block);
    }
    assert_in_range(watch->interval, 1, 8);
    touch(watch, 1, 0, TOUCH_READ);
    touch(watch, 1, 1, TOUCH_READ);
    touch(watch, 1, 2, TOUCH_UPDATE);
    touch(watch, 1, 3, TOUCH_WRITE);
    assert_true(has_met(watch, 0));
    assert_false(has_met(watch, 1) || has_met(watch, 2) || has_met(watch, 3));
    touch(watch, 2, 1, TOUCH_WRITE);
    assert_true(has_met(watch, 1));
    touch_watch_free(watch);
}

/* Eight words at once are what each of them is. */
static void eight_are_one_by_one(void **state)
{
    struct touch_watch *together = touch_watch_new(&memory);
    struct touch_watch *apart = touch_watch_new(&memory);
    uint32_t random = 1;
    (void)state;
    for (unsigned i = 0; i < 20000; i++) {
        random = random * 1664525u + 1013904223u;
        uint64_t word = random >> 8 & 31;
        uint32_t thread = random >> 13 & 7;
        enum touch_kind kind = random >> 16 & 1 ? TOUCH_READ : (random >> 17) % 3;
        uint32_t now = together->interval << TOUCH_INTERVAL_SHIFT | thread;
        if ((random >> 20) % 64 == 0) {
            touch_watch_enter(together, random >> 28);
            touch_watch_enter(apart, random >> 28);
        } else if ((random >> 20) % 64 == 1) {
            touch_watch_barrier(together);
            touch_watch_barrier(apart);
        } else if ((random >> 20) % 256 == 2) {
            touch_watch_free(together);
            touch_watch_free(apart);
            together = touch_watch_new(&memory);
            apart = touch_watch_new(&memory);
        } else {
            touch_eight(together, touch_page(together, &area, word), word, now, kind);
            for (uint32_t k = 0; k < 8; k++) {
                touch(apart, thread + k, word + k, kind);
            }
        }
        for (uint64_t k = 0; k < 40; k++) {
            assert_int_equal(has_met(together, k), has_met(apart, k));
        }
    }
    touch_watch_free(together);
    touch_watch_free(apart);
}

/* A page that several blocks only read is known to be so, until it is written. */
static void pages_are_read_only(void **state)
{
    struct touch_watch *watch = touch_watch_new(&memory);
    bool is_read_only = false;
    (void)state;
    for (uint64_t block = 0; block < 2; block++) {
        touch_watch_enter(watch, block);
        touch_access(watch, &area, area.start, 4 * TOUCH_PAGE_WORDS,
                     watch->interval << TOUCH_INTERVAL_SHIFT, TOUCH_READ);
        for (unsigned i = 0; i < 64; i++) {
            is_read_only = touch_is_read_only(watch, &area, area.start, 128);
        }
        assert_int_equal(is_read_only, block == 1);
    }
    assert_false(touch_is_read_only(watch, &area, area.start + 4 * TOUCH_PAGE_WORDS - 4, 8));
    touch(watch, 0, 5, TOUCH_WRITE);
    assert_true(watch->has_met);
    assert_false(touch_is_read_only(watch, &area, area.start, 128));
    touch_watch_free(watch);
}

static bool workers_meet(enum touch_kind first, uint64_t word, enum touch_kind second)
{
    struct touch_watch *both[2] = {touch_watch_new(&memory), touch_watch_new(&memory)};
    touch_watch_enter(both[0], 0);
    touch_watch_enter(both[1], 1);
    touch(both[0], 0, 3, first);
    touch_watch_barrier(both[0]);
    touch(both[0], 0, 3, TOUCH_UPDATE == first ? first : TOUCH_READ);
    touch(both[1], 0, word, second);
    bool meets = touch_watches_meet(both, 2);
    touch_watch_free(both[0]);
    touch_watch_free(both[1]);
    return meets;
}

static void watches_of_two_workers_meet(void **state)
{
    (void)state;
    assert_false(workers_meet(TOUCH_READ, 3, TOUCH_READ));
    assert_true(workers_meet(TOUCH_READ, 3, TOUCH_WRITE));
    assert_true(workers_meet(TOUCH_WRITE, 3, TOUCH_READ));
    assert_false(workers_meet(TOUCH_WRITE, 4, TOUCH_WRITE));
    assert_false(workers_meet(TOUCH_UPDATE, 3, TOUCH_UPDATE));
    assert_true(workers_meet(TOUCH_UPDATE, 3, TOUCH_READ));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_accesses_meet),
        cmocka_unit_test(earlier_intervals_are_remembered),
        cmocka_unit_test(intervals_do_not_run_out),
        cmocka_unit_test(eight_are_one_by_one),
        cmocka_unit_test(pages_are_read_only),
        cmocka_unit_test(watches_of_two_workers_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
