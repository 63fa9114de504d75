/* test_race_order.c: what is known of the sets of threads behind several lanes at once. */
#include "base/rng.h"
#include "device/emulated/race/race_cells.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { WARPS = 3, WORDS = WARPS + 1, EVENTS = 12, ORDERS = 20000 };

/* Some lanes of the lowest four. */
static uint32_t draw_lanes(struct rng *rng)
{
    return (uint32_t)rng_next(rng) % 15 + 1;
}

static void draw_order(struct rng *rng, struct race_order *order)
{
    race_order_init(order, WARPS * LANES);
    for (unsigned i = 0; i < EVENTS; i++) {
        struct race_event event = {
            .kind = (uint8_t)(rng_next(rng) % 5),
            .barrier = (uint8_t)(rng_next(rng) % 2),
            .warp = (uint32_t)(rng_next(rng) % WARPS),
            .mask = rng_next(rng) % 2 == 0 ? 15 : draw_lanes(rng),
        };
        if (event.kind == RACE_COMPLETION) {
            const uint32_t waited[WORDS] = {draw_lanes(rng), draw_lanes(rng), 0, 0};
            event.warp = 0;
            event.mask = race_order_append(order, waited);
        }
        race_order_add(order, event);
    }
}

static void set_of(const struct race_order *order, uint32_t from, uint32_t to, uint32_t warp,
                   unsigned lane, uint32_t *out_set)
{
    memset(out_set, 0, WORDS * sizeof *out_set);
    out_set[warp] = UINT32_C(1) << lane;
    race_order_advance(order, from, to, out_set);
}

static void check_lanes(const struct race_order *order, uint32_t from, uint32_t warp,
                        uint32_t lanes)
{
    for (uint32_t to = from; to <= EVENTS; to++) {
        uint32_t first[WORDS], other[WORDS];
        set_of(order, from, to, warp, (unsigned)__builtin_ctz(lanes), first);
        first[warp] |= lanes;
        for (uint32_t left = lanes; left != 0; left &= left - 1) {
            set_of(order, from, to, warp, (unsigned)__builtin_ctz(left), other);
            other[warp] |= lanes;
            assert_memory_equal(first, other, sizeof first);
        }
    }
}

static void test_lanes_in_common(void **state)
{
    (void)state;
    struct rng rng;
    unsigned common = 0;
    rng_init(&rng, 1, 0, 0, 0);
    for (unsigned i = 0; i < ORDERS; i++) {
        struct race_order order;
        draw_order(&rng, &order);
        uint32_t from = (uint32_t)(rng_next(&rng) % EVENTS);
        uint32_t warp = (uint32_t)(rng_next(&rng) % WARPS);
        uint32_t lanes = draw_lanes(&rng);
        if (race_order_is_common(&order, from, warp, lanes)) {
            common++;
            check_lanes(&order, from, warp, lanes);
        }
        race_order_release(&order);
    }
    assert_in_range(common, ORDERS / 4, ORDERS);
}

/* Dropping the events keeps for each lane what is behind it, whether lanes share that or not. */
static void test_dropped_events(void **state)
{
    (void)state;
    struct rng rng;
    rng_init(&rng, 2, 0, 0, 0);
    for (unsigned i = 0; i < ORDERS; i++) {
        struct race_order order;
        struct race_cells cells = {.words = 1};
        uint32_t expected[4][WORDS];
        draw_order(&rng, &order);
        struct race_item item = {.lanes = draw_lanes(&rng),
                                 .event = (uint32_t)(rng_next(&rng) % EVENTS),
                                 .warp = (uint16_t)(rng_next(&rng) % WARPS),
                                 .bytes = 15};
        for (unsigned lane = 0; lane < 4; lane++) {
            set_of(&order, item.event, EVENTS, item.warp, lane, expected[lane]);
        }
        race_cells_add(&cells, 0, &item);
        race_cells_drop_events(&cells, &order);
        uint32_t seen = 0;
        for (uint32_t at = cells.heads[0]; at != 0; at = cells.items[at].next) {
            const struct race_item *kept = &cells.items[at];
            assert_int_equal(kept->event, 0);
            assert_int_not_equal(kept->start, 0);
            assert_int_equal(seen & kept->lanes, 0);
            seen |= kept->lanes;
            for (uint32_t left = kept->lanes; left != 0; left &= left - 1) {
                assert_memory_equal(race_order_set(&order, kept->start - 1),
                                    expected[__builtin_ctz(left)], sizeof expected[0]);
            }
        }
        assert_int_equal(seen, item.lanes);
        race_cells_release(&cells);
        race_order_release(&order);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lanes_in_common),
        cmocka_unit_test(test_dropped_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
