/* test_stream_order.c: which work of streams has an order, and which touches the same bytes. */
#include "device/stream_order.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { FIRST = 3, SECOND, THIRD, EVENT = 1, OTHER_EVENT };

static int setup(void **state)
{
    struct stream_order *order = stream_order_new();

    for (uint32_t stream = FIRST; stream <= THIRD; stream++) {
        stream_order_make(order, stream, false);
    }
    *state = order;
    return 0;
}

static int teardown(void **state)
{
    stream_order_free(*state);
    return 0;
}

/* Gives a stream work on [start, end); returns the number of conflicts. */
static size_t give(struct stream_order *order, uint32_t stream, enum order_access access,
                   uint64_t start, uint64_t end)
{
    const struct order_label label = {.call = stream, .site = 10 * stream};
    const struct order_range range = {start, end};
    struct order_bytes bytes = {{NULL}, {0}};
    struct order_conflict conflicts[8];

    bytes.ranges[access] = &range;
    bytes.counts[access] = 1;
    return stream_order_work(order, stream, &label, &bytes, conflicts, 8);
}

static void one_stream_has_an_order(void **state)
{
    assert_int_equal(give(*state, FIRST, ORDER_WRITE, 0, 100), 0);
    assert_int_equal(give(*state, FIRST, ORDER_WRITE, 0, 100), 0);
}

static void two_streams_have_none(void **state)
{
    give(*state, FIRST, ORDER_WRITE, 0, 100);
    assert_int_equal(give(*state, SECOND, ORDER_READ, 99, 200), 1);
    assert_int_equal(give(*state, SECOND, ORDER_READ, 100, 200), 0);
}

static void readers_and_atomics_agree(void **state)
{
    give(*state, FIRST, ORDER_READ, 0, 100);
    assert_int_equal(give(*state, SECOND, ORDER_READ, 0, 100), 0);
    give(*state, FIRST, ORDER_UPDATE, 200, 300);
    assert_int_equal(give(*state, SECOND, ORDER_UPDATE, 200, 300), 0);
    assert_int_equal(give(*state, THIRD, ORDER_READ, 200, 204), 2);
}

static void an_event_orders_what_is_before_it(void **state)
{
    give(*state, FIRST, ORDER_WRITE, 0, 100);
    stream_order_record(*state, EVENT, FIRST);
    give(*state, FIRST, ORDER_WRITE, 100, 200);
    stream_order_wait(*state, SECOND, EVENT);
    assert_int_equal(give(*state, SECOND, ORDER_WRITE, 0, 100), 0);
    assert_int_equal(give(*state, SECOND, ORDER_WRITE, 100, 200), 1);
}

static void order_goes_on_through_others(void **state)
{
    give(*state, FIRST, ORDER_WRITE, 0, 100);
    stream_order_record(*state, EVENT, FIRST);
    stream_order_wait(*state, SECOND, EVENT);
    stream_order_record(*state, OTHER_EVENT, SECOND);
    stream_order_wait(*state, THIRD, OTHER_EVENT);
    assert_int_equal(give(*state, THIRD, ORDER_WRITE, 0, 100), 0);
}

static void the_last_record_counts(void **state)
{
    stream_order_record(*state, EVENT, FIRST);
    give(*state, FIRST, ORDER_WRITE, 0, 100);
    stream_order_wait(*state, SECOND, EVENT);
    assert_int_equal(give(*state, SECOND, ORDER_READ, 0, 100), 1);
    stream_order_record(*state, EVENT, FIRST);
    stream_order_wait(*state, THIRD, EVENT);
    assert_int_equal(give(*state, THIRD, ORDER_READ, 0, 100), 0);
}

static void the_host_orders_what_it_gives_later(void **state)
{
    give(*state, FIRST, ORDER_WRITE, 0, 100);
    stream_order_host_waits(*state, SECOND);
    assert_int_equal(give(*state, SECOND, ORDER_READ, 0, 100), 1);
    stream_order_host_waits(*state, FIRST);
    assert_int_equal(give(*state, THIRD, ORDER_READ, 0, 100), 0);
}

static void the_default_stream_waits_for_blocking_ones(void **state)
{
    give(*state, FIRST, ORDER_WRITE, 0, 100);
    assert_int_equal(give(*state, ORDER_LEGACY, ORDER_WRITE, 0, 100), 1);
    stream_order_host_waits_all(*state);
    stream_order_make(*state, SECOND, true);
    give(*state, SECOND, ORDER_WRITE, 0, 100);
    assert_int_equal(give(*state, ORDER_LEGACY, ORDER_WRITE, 0, 100), 0);
    assert_int_equal(give(*state, SECOND, ORDER_WRITE, 0, 100), 0);
    assert_int_equal(give(*state, ORDER_PER_THREAD, ORDER_WRITE, 0, 100), 1);
}

static void host_code_meets_what_it_did_not_wait_for(void **state)
{
    struct order_conflict conflict;
    struct order_range range;

    assert_int_equal(stream_order_pending(*state, 0, 1000, &range), ORDER_ACCESSES);
    give(*state, FIRST, ORDER_READ, 100, 200);
    assert_int_equal(stream_order_pending(*state, 0, 150, &range), ORDER_READ);
    assert_int_equal(range.start, 100);
    assert_int_equal(range.end, 150);
    assert_false(stream_order_host_touches(*state, 100, false, &conflict));
    assert_true(stream_order_host_touches(*state, 199, true, &conflict));
    assert_false(stream_order_host_touches(*state, 200, true, &conflict));
    stream_order_host_waits(*state, FIRST);
    assert_false(stream_order_host_touches(*state, 199, true, &conflict));
}

static void the_longest_pending_stretch_is_told(void **state)
{
    const uint64_t gap = CLIENT_ORDER_GAP;
    struct order_range range;

    give(*state, FIRST, ORDER_READ, 0, 100000);
    give(*state, SECOND, ORDER_WRITE, 4000, 4010);
    give(*state, FIRST, ORDER_WRITE, 1010 + gap, 2000);
    give(*state, FIRST, ORDER_UPDATE, 1000, 1010);
    assert_int_equal(stream_order_pending(*state, 0, 5000, &range), ORDER_WRITE);
    assert_int_equal(range.start, 1000);
    assert_int_equal(range.end, 2000);
    give(*state, THIRD, ORDER_WRITE, 2001 + gap, 2100 + gap);
    assert_int_equal(stream_order_pending(*state, 0, 5000, &range), ORDER_WRITE);
    assert_int_equal(range.end, 2000);
    assert_int_equal(stream_order_pending(*state, 5000, 6000, &range), ORDER_READ);
}

static void work_of_many_ranges_is_forgotten_earlier(void **state)
{
    const size_t count = ORDER_RANGES_MAX;
    const struct order_label label = {0};
    struct order_range *ranges = calloc(count, sizeof(*ranges));
    struct order_conflict conflict;

    assert_non_null(ranges);
    for (uint64_t work = 0; work < 20; work++) {
        for (uint64_t i = 0; i < count; i++) {
            ranges[i] = (struct order_range){100 * i + work, 100 * i + work + 1};
        }
        const struct order_bytes bytes = {.ranges = {[ORDER_WRITE] = ranges},
                                          .counts = {[ORDER_WRITE] = count}};
        stream_order_work(*state, FIRST, &label, &bytes, &conflict, 1);
    }
    free(ranges);
    assert_int_equal(give(*state, SECOND, ORDER_READ, 0, 1), 0);
    assert_int_equal(give(*state, SECOND, ORDER_READ, 19, 20), 1);
}

static void the_longest_chain_is_known(void **state)
{
    give(*state, FIRST, ORDER_WRITE, 0, 100);
    give(*state, SECOND, ORDER_WRITE, 100, 400);
    stream_order_record(*state, EVENT, FIRST);
    stream_order_wait(*state, SECOND, EVENT);
    give(*state, SECOND, ORDER_READ, 0, 50);
    stream_order_host_waits(*state, FIRST);
    give(*state, THIRD, ORDER_READ, 0, 10);
    stream_order_host_waits_all(*state);
    const struct order_totals totals = stream_order_totals(*state);
    assert_int_equal(totals.work, 4);
    assert_int_equal(totals.bytes, 460);
    assert_int_equal(totals.longest, 350);
    assert_int_equal(totals.host_waits, 2);
}

/* What a thread of the host waits for holds back no chain of another, but races are not looked for
 * past it. */
static void threads_of_the_host_have_chains_of_their_own(void **state)
{
    for (uint32_t i = 0; i < 4; i++) {
        stream_order_set_caller(*state, 1, 1 + i % 2);
        give(*state, FIRST + i % 2, ORDER_WRITE, 0, 100);
        stream_order_host_waits(*state, FIRST + i % 2);
    }
    assert_int_equal(stream_order_totals(*state).longest, 200);
    stream_order_set_caller(*state, 1, 2);
    assert_int_equal(give(*state, FIRST, ORDER_READ, 0, 10), 0); /* thread 2 knows FIRST's 200 */
    assert_int_equal(stream_order_totals(*state).longest, 210);
    stream_order_restart(*state);
    for (uint32_t thread = 1; thread <= 2 * ORDER_THREADS_MAX; thread++) {
        stream_order_set_caller(*state, 1, thread);
        give(*state, FIRST + thread % 3, ORDER_WRITE, 0, 100);
        stream_order_host_waits(*state, FIRST + thread % 3);
        stream_order_make(*state, FIRST + thread % 3, false); /* another one */
    }
    assert_int_equal(stream_order_totals(*state).longest, 100);
    stream_order_set_caller(*state, 1, ORDER_THREADS_MAX + 1); /* known still */
    give(*state, FIRST, ORDER_WRITE, 0, 100);
    assert_int_equal(stream_order_totals(*state).longest, 200);
}

/* Two streams are two, also if the second has the number of the first, which has ended. */
static void a_number_that_is_used_again_is_another_stream(void **state)
{
    give(*state, FIRST, ORDER_WRITE, 0, 100);
    give(*state, FIRST, ORDER_WRITE, 0, 100);
    assert_int_equal(stream_order_totals(*state).streams, 1);
    stream_order_make(*state, FIRST, true);
    give(*state, FIRST, ORDER_WRITE, 0, 100);
    assert_int_equal(stream_order_totals(*state).streams, 2);
    assert_int_equal(stream_order_totals(*state).longest, 200);
}

static void assert_link(const struct stream_order *order, enum order_link_kind kind, uint32_t site)
{
    const struct order_totals totals = stream_order_totals(order);

    assert_int_equal(totals.link.kind, kind);
    assert_int_equal(totals.link.site, site);
}

static void what_holds_a_chain_together_is_known(void **state)
{
    assert_link(*state, ORDER_LINK_NONE, 0);
    for (size_t i = 0; i < 3; i++) { /* one stream */
        give(*state, FIRST, ORDER_WRITE, 0, 100);
    }
    assert_link(*state, ORDER_LINK_STREAM, 10 * FIRST);
    stream_order_restart(*state);
    assert_link(*state, ORDER_LINK_NONE, 0);
    for (uint32_t i = 0; i < 4; i++) { /* each part waits, though streams take turns */
        give(*state, FIRST + i % 2, ORDER_WRITE, 0, 100);
        give(*state, FIRST + i % 2, ORDER_READ, 0, 100);
        stream_order_set_caller(*state, 7, 1);
        stream_order_host_waits_all(*state);
    }
    assert_link(*state, ORDER_LINK_HOST, 7);
    stream_order_restart(*state);
    for (uint32_t i = 0; i < 4; i++) {
        give(*state, FIRST + i % 2, ORDER_WRITE, 0, 100);
        stream_order_record(*state, EVENT, FIRST + i % 2);
        stream_order_set_caller(*state, 8, 1);
        stream_order_wait(*state, FIRST + (i + 1) % 2, EVENT);
    }
    assert_link(*state, ORDER_LINK_EVENT, 8);
    stream_order_restart(*state);
    stream_order_make(*state, FIRST, true);
    stream_order_make(*state, SECOND, true);
    for (uint32_t i = 0; i < 4; i++) {
        give(*state, FIRST + i % 2, ORDER_WRITE, 0, 100);
        give(*state, ORDER_LEGACY, ORDER_WRITE, 0, 100);
    }
    assert_link(*state, ORDER_LINK_LEGACY, 10 * ORDER_LEGACY);
}

/* One wait among much that a stream orders by itself is not why it takes long. */
static void a_rare_link_is_not_told(void **state)
{
    for (uint32_t i = 0; i < 20; i++) {
        give(*state, i < 10 ? FIRST : SECOND, ORDER_WRITE, 0, 100);
        if (i == 9) {
            stream_order_host_waits_all(*state);
        }
    }
    assert_link(*state, ORDER_LINK_STREAM, 10 * FIRST);
}

static void equal_work_takes_one_place(void **state)
{
    for (uint64_t i = 0; i < 10 * ORDER_WORK_MAX; i++) {
        give(*state, FIRST, ORDER_WRITE, 4 * (i % 2), 4 * (i % 2) + 4);
    }
    assert_int_equal(give(*state, SECOND, ORDER_WRITE, 0, 8), 2);
}

static void the_oldest_is_forgotten(void **state)
{
    for (uint64_t i = 0; i < ORDER_WORK_MAX + 1; i++) {
        give(*state, FIRST, ORDER_WRITE, 4 * i, 4 * i + 4);
    }
    assert_int_equal(give(*state, SECOND, ORDER_WRITE, 0, 4), 0);
    assert_int_equal(give(*state, THIRD, ORDER_WRITE, 4 * ORDER_WORK_MAX, 4 * ORDER_WORK_MAX + 4),
                     1);
}

static void wrong_numbers_are_ignored(void **state)
{
    stream_order_make(*state, ORDER_STREAMS_MAX, false);
    stream_order_record(*state, ORDER_EVENTS_MAX, FIRST);
    stream_order_record(*state, EVENT, ORDER_STREAMS_MAX);
    stream_order_wait(*state, FIRST, ORDER_EVENTS_MAX);
    stream_order_wait(*state, FIRST, EVENT);
    stream_order_host_waits(*state, ORDER_STREAMS_MAX);
    stream_order_host_waits_event(*state, ORDER_EVENTS_MAX);
    assert_int_equal(give(*state, ORDER_STREAMS_MAX, ORDER_WRITE, 0, 4), 0);
    assert_int_equal(give(*state, THIRD + 1, ORDER_WRITE, 0, 4), 0);
    assert_int_equal(give(*state, FIRST, ORDER_WRITE, 0, 4), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(one_stream_has_an_order),
        TEST(two_streams_have_none),
        TEST(readers_and_atomics_agree),
        TEST(an_event_orders_what_is_before_it),
        TEST(order_goes_on_through_others),
        TEST(the_last_record_counts),
        TEST(the_host_orders_what_it_gives_later),
        TEST(the_default_stream_waits_for_blocking_ones),
        TEST(host_code_meets_what_it_did_not_wait_for),
        TEST(the_longest_pending_stretch_is_told),
        TEST(work_of_many_ranges_is_forgotten_earlier),
        TEST(the_longest_chain_is_known),
        TEST(threads_of_the_host_have_chains_of_their_own),
        TEST(a_number_that_is_used_again_is_another_stream),
        TEST(what_holds_a_chain_together_is_known),
        TEST(a_rare_link_is_not_told),
        TEST(equal_work_takes_one_place),
        TEST(the_oldest_is_forgotten),
        TEST(wrong_numbers_are_ignored),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
