/* test_server_result.c: what a program that is judged as one call copies and hands over, by its
 * bytes. */
#include "device/server_state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

enum { RESULT = 1000, COPIES = 16, FILE_BYTES = 4096 };

static struct server server;
static uint8_t numbers[FILE_BYTES];

static int set_up(void **state)
{
    (void)state;
    memset(&server, 0, sizeof server);
    server.call.is_open = true;
    server.call.bounds[CALL_BOUND_COPIES] = COPIES;
    server_result_init(&server.call.result, RESULT);
    uint32_t seed = 1;
    for (size_t i = 0; i < sizeof numbers; i++) {
        seed = seed * 1664525 + 1013904223;
        numbers[i] = (uint8_t)(seed >> 24);
    }
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    server_result_release(&server.call.result);
    return 0;
}

/* Copies that name no memory. */
static const struct device_allocation nowhere;

static void note_copied(const void *bytes, size_t count)
{
    server_result_note_copied(&server, 0, &nowhere, bytes, count);
}

static bool is_of_file(const void *bytes, size_t count)
{
    return server_result_is_of_file(&server, 0, &nowhere, bytes, count);
}

static uint64_t host_bytes(void)
{
    uint64_t array;

    return server_result_host_bytes(&server, &array);
}

/* Hands over so many bytes of a result of `all`; returns how many more are wanted. */
static uint64_t hand_over(uint64_t all, const void *bytes, size_t count)
{
    struct message reply = {0};
    const struct message request = {
        .type = CLIENT_RESULT, .words = {0, all}, .payload = bytes, .payload_bytes = count};

    assert_int_equal(server_result_take(&server, &request, &reply), SERVER_STEP_REPLY);
    return reply.words[0];
}

static void hold_file(uint64_t number, const void *bytes, size_t count)
{
    struct message reply = {0};
    const struct message request = {
        .type = CONTROL_CALL_FILE, .words = {number}, .payload = bytes, .payload_bytes = count};

    assert_int_equal(server_result_file(&server, &request, &reply, NULL), ERROR_NONE);
}

static void a_result_comes_in_one_copy(void **state)
{
    (void)state;
    note_copied(numbers + 8, RESULT);
    assert_int_equal(hand_over(RESULT, NULL, 0), RESULT);
    assert_int_equal(hand_over(RESULT, numbers + 8, 600), 400);
    assert_int_equal(hand_over(RESULT, numbers + 608, 400), 0);
    assert_int_equal(host_bytes(), 0);
}

/* In the order in which it likes, among others. */
static void a_result_comes_in_some_copies(void **state)
{
    (void)state;
    note_copied(numbers + 500, 500);
    note_copied(numbers + 2000, 77);
    note_copied(numbers, 500);
    hand_over(RESULT, numbers, RESULT);
    assert_int_equal(host_bytes(), 0);
}

static void what_the_host_changes_counts(void **state)
{
    (void)state;
    note_copied(numbers, RESULT);
    numbers[400] ^= 1;
    hand_over(RESULT, numbers, RESULT);
    assert_int_equal(host_bytes(), 4);
}

static void what_was_never_copied_counts(void **state)
{
    (void)state;
    hand_over(RESULT, numbers, RESULT);
    assert_int_equal(host_bytes(), RESULT);
}

/* Who puts a result together from small copies computes it, even if they lie side by side. */
static void small_copies_bring_no_result(void **state)
{
    (void)state;
    for (size_t at = 0; at < RESULT; at += 4) {
        note_copied(numbers + at, 4);
    }
    hand_over(RESULT, numbers, RESULT);
    assert_true(host_bytes() >= RESULT - 64);
}

static void many_copies_bring_no_result(void **state)
{
    (void)state;
    server_result_release(&server.call.result);
    server_result_init(&server.call.result, FILE_BYTES);
    for (size_t at = 0; at < FILE_BYTES; at += 128) {
        note_copied(numbers + at, 128);
    }
    hand_over(FILE_BYTES, numbers, FILE_BYTES);
    assert_int_equal(host_bytes(), FILE_BYTES - COPIES * 128);
}

/* Of all that is copied a bounded part is kept: the last. */
static void the_last_copies_are_kept(void **state)
{
    (void)state;
    uint8_t *zeros = calloc(1, CLIENT_PIECE_BYTES);

    assert_non_null(zeros);
    for (size_t i = 0; i < 40; i++) {
        note_copied(zeros, CLIENT_PIECE_BYTES);
    }
    for (size_t i = 0; i < 3000; i++) {
        note_copied(zeros, 16);
    }
    note_copied(numbers, RESULT);
    assert_true(server.call.result.copied.length <= 8 * RESULT + 2 * CLIENT_PIECE_BYTES);
    assert_true(server.call.result.copy_count <= COPIES_KEPT);
    hand_over(RESULT, numbers, RESULT);
    assert_int_equal(host_bytes(), 0);
    free(zeros);
}

static void of_another_size_nothing_is_wanted(void **state)
{
    (void)state;
    assert_int_equal(hand_over(UINT64_C(1) << 60, numbers, FILE_BYTES), 0);
    assert_int_equal(hand_over(RESULT, numbers, RESULT), 0);
    assert_int_equal(server.call.result.handed.length, 0);
    assert_int_equal(server.call.record.result_bytes, UINT64_C(1) << 60);
}

static void a_second_result_changes_nothing(void **state)
{
    (void)state;
    assert_int_equal(hand_over(RESULT, numbers, RESULT), 0);
    assert_int_equal(hand_over(RESULT, numbers + 1, RESULT), 0);
    assert_int_equal(hand_over(RESULT, numbers, 1), 0);
    assert_memory_equal(server.call.result.handed.bytes, numbers, RESULT);
}

static void more_than_the_result_is_not_taken(void **state)
{
    (void)state;
    assert_int_equal(hand_over(RESULT, numbers, RESULT + 1), 0);
    assert_int_equal(server.call.result.handed.length, 0);
}

static void pieces_of_files_are_known(void **state)
{
    (void)state;
    hold_file(0, numbers, 1000);
    hold_file(0, numbers + 1000, 1000);
    hold_file(1, numbers + 3000, 1000);
    assert_true(is_of_file(numbers + 900, 200));
    assert_true(is_of_file(numbers + 1100, 900));
    assert_true(is_of_file(numbers + 3000, 1000));
    assert_false(is_of_file(numbers + 1900, 200));
    assert_false(is_of_file(numbers + 2500, 100));
}

/* So many pieces may be copied as copies may be made; who copies more puts them together. */
static void pieces_of_files_are_counted(void **state)
{
    (void)state;
    hold_file(0, numbers, 1000);
    for (size_t i = 0; i < COPIES; i++) {
        assert_true(is_of_file(numbers + i, 4));
    }
    assert_false(is_of_file(numbers, 4));
}

/* A copy of a part of numbers to so many bytes past the start of memory. */
static void copy_to(uint64_t array, uint64_t size, uint64_t offset, const void *bytes, size_t count)
{
    const struct device_allocation to = {.address = array, .bytes = size};

    assert_true(server_result_is_of_file(&server, array + offset, &to, bytes, count));
}

static void a_file_lies_where_all_of_it_goes(void **state)
{
    (void)state;
    hold_file(0, numbers, 1000);
    hold_file(2, numbers + 1000, 800);
    copy_to(0x10000, 1000, 0, numbers, 500);
    copy_to(0x20000, 800, 0, numbers + 1000, 800);
    copy_to(0x10000, 1000, 500, numbers + 500, 500);
    copy_to(0x20000, 800, 0, numbers + 1000, 800); /* once more */
    assert_int_equal(server_result_array(&server, 0), 0x10000);
    assert_int_equal(server_result_array(&server, 1), 0);
    assert_int_equal(server_result_array(&server, 2), 0x20000);
}

/* Loads from there would not count. */
static void a_file_that_is_copied_twice_lies_nowhere(void **state)
{
    (void)state;
    hold_file(0, numbers, 1000);
    copy_to(0x10000, 1000, 0, numbers, 1000);
    copy_to(0x20000, 4096, 64, numbers + 128, 256);
    assert_int_equal(server_result_array(&server, 0), 0);
}

static void a_file_in_other_memory_than_its_size_lies_nowhere(void **state)
{
    (void)state;
    hold_file(0, numbers, 1000);
    hold_file(1, numbers + 1000, 1000);
    copy_to(0x10000, 1004, 0, numbers, 1000);
    copy_to(0x20000, 1000, 4, numbers + 1000, 996); /* not in its place */
    assert_int_equal(server_result_array(&server, 0), 0);
    assert_int_equal(server_result_array(&server, 1), 0);
}

/* A counter that starts as 0, or a cleared array, may be in a file as well. */
static void what_a_file_holds_by_chance_is_no_copy_of_it(void **state)
{
    static const uint8_t zeros[512];
    uint8_t sparse[1000];

    (void)state;
    memcpy(sparse, numbers, sizeof sparse);
    memset(sparse + 400, 0, 512);
    hold_file(0, sparse, sizeof sparse);
    copy_to(0x10000, 1000, 0, sparse, 1000);
    copy_to(0x20000, 8, 0, sparse + 12, 8);
    copy_to(0x30000, 512, 0, zeros, 512);
    assert_int_equal(server_result_array(&server, 0), 0x10000);
}

/* The second is a piece of the first, and copied before it. */
static void the_whole_of_a_file_is_taken_for_it(void **state)
{
    (void)state;
    hold_file(0, numbers, 1000);
    hold_file(1, numbers, 4);
    hold_file(2, numbers, 4);
    copy_to(0x10000, 4, 0, numbers, 4);
    copy_to(0x20000, 1000, 0, numbers, 1000);
    copy_to(0x30000, 4, 0, numbers, 4);
    assert_int_equal(server_result_array(&server, 0), 0x20000);
    assert_int_equal(server_result_array(&server, 1), 0x10000);
    assert_int_equal(server_result_array(&server, 2), 0x30000);
}

/* A copy to the host of bytes that lie so far past the start of memory. */
static void copy_from(uint64_t array, uint64_t size, uint64_t offset, const void *bytes,
                      size_t count)
{
    const struct device_allocation from = {.address = array, .bytes = size};

    server_result_note_copied(&server, array + offset, &from, bytes, count);
}

static uint64_t array_of_result(void)
{
    uint64_t array = 1;

    hand_over(RESULT, numbers, RESULT);
    server_result_host_bytes(&server, &array);
    return array;
}

static void a_result_lies_where_it_was_copied_from(void **state)
{
    (void)state;
    copy_from(0x10000, RESULT, 0, numbers + RESULT, RESULT);
    copy_from(0x20000, RESULT, 600, numbers + 600, 400);
    copy_from(0x20000, RESULT, 0, numbers, 600);
    assert_int_equal(array_of_result(), 0x20000);
}

static void a_result_of_two_arrays_lies_nowhere(void **state)
{
    (void)state;
    copy_from(0x10000, RESULT, 0, numbers, 600);
    copy_from(0x20000, RESULT, 600, numbers + 600, 400);
    assert_int_equal(array_of_result(), 0);
}

static void a_result_out_of_place_lies_nowhere(void **state)
{
    (void)state;
    copy_from(0x10000, RESULT, 0, numbers + 400, 600);
    copy_from(0x10000, RESULT, 600, numbers, 400);
    assert_int_equal(array_of_result(), 0);
}

static void a_result_in_larger_memory_lies_nowhere(void **state)
{
    (void)state;
    copy_from(0x10000, RESULT + 4, 0, numbers, RESULT);
    assert_int_equal(array_of_result(), 0);
}

/* What is no piece is looked for some times, and no more. */
static void the_search_in_files_ends(void **state)
{
    (void)state;
    hold_file(0, numbers, 1000);
    for (size_t i = 0; i < 100000; i++) {
        assert_false(is_of_file(numbers + 2000, 1000));
    }
    assert_true(server.call.result.budget < 1000);
}

static void only_what_was_handed_over_is_read(void **state)
{
    (void)state;
    struct diagnostic diagnostic;
    struct message reply = {0};
    const struct message inside = {.words = {990, 10}}, past = {.words = {990, 11}},
                         far = {.words = {UINT64_MAX, 1}};

    hand_over(RESULT, numbers, RESULT);
    assert_int_equal(server_result_read(&server, &inside, &reply, &diagnostic), ERROR_NONE);
    assert_int_equal(reply.payload_bytes, 10);
    assert_int_equal(server_result_read(&server, &past, &reply, &diagnostic), ERROR_NOT_FOUND);
    assert_int_equal(server_result_read(&server, &far, &reply, &diagnostic), ERROR_NOT_FOUND);
}

#define RESULT_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        RESULT_TEST(a_result_comes_in_one_copy),
        RESULT_TEST(a_result_comes_in_some_copies),
        RESULT_TEST(what_the_host_changes_counts),
        RESULT_TEST(what_was_never_copied_counts),
        RESULT_TEST(small_copies_bring_no_result),
        RESULT_TEST(many_copies_bring_no_result),
        RESULT_TEST(the_last_copies_are_kept),
        RESULT_TEST(of_another_size_nothing_is_wanted),
        RESULT_TEST(a_second_result_changes_nothing),
        RESULT_TEST(more_than_the_result_is_not_taken),
        RESULT_TEST(pieces_of_files_are_known),
        RESULT_TEST(pieces_of_files_are_counted),
        RESULT_TEST(a_file_lies_where_all_of_it_goes),
        RESULT_TEST(a_file_that_is_copied_twice_lies_nowhere),
        RESULT_TEST(a_file_in_other_memory_than_its_size_lies_nowhere),
        RESULT_TEST(what_a_file_holds_by_chance_is_no_copy_of_it),
        RESULT_TEST(the_whole_of_a_file_is_taken_for_it),
        RESULT_TEST(a_result_lies_where_it_was_copied_from),
        RESULT_TEST(a_result_of_two_arrays_lies_nowhere),
        RESULT_TEST(a_result_out_of_place_lies_nowhere),
        RESULT_TEST(a_result_in_larger_memory_lies_nowhere),
        RESULT_TEST(the_search_in_files_ends),
        RESULT_TEST(only_what_was_handed_over_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
