/* test_finding_hint.c: the hint of a race tells where the barrier goes. */
#include "diagnosis/hints/finding_hint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* A race of two accesses; the main place is the late one. */
static struct finding race(enum code code, const char *late, int late_line, const char *other,
                           int other_line)
{
    struct finding finding = {
        .code = code,
        .message = "",
        .kernel = "sum",
        .launch = "",
        .place_count = 2,
        .main_place = 1,
    };

    finding.places[0] = (struct place){.role = other, .file = "a.cu", .line = other_line};
    finding.places[1] = (struct place){.role = late, .file = "a.cu", .line = late_line};
    return finding;
}

static void expect_hint(const struct finding *finding, const char *words, bool next_round)
{
    assert_non_null(strstr(finding_hint(finding), words));
    assert_int_equal(finding_is_of_next_round(finding), next_round);
}

static void order_of_the_lines_decides(void **state)
{
    struct finding early = race(CODE_SHARED_RACE, "read", 20, "write", 10);
    struct finding next = race(CODE_SHARED_RACE, "write", 10, "read", 20);
    struct finding after = race(CODE_SHARED_RACE, "write", 20, "read", 10);
    struct finding same = race(CODE_SHARED_RACE, "write", 10, "read", 10);
    struct finding same_late = race(CODE_SHARED_RACE, "read", 10, "write", 10);
    struct finding same_warp = race(CODE_WARP_RACE, "write", 10, "read", 10);
    struct finding stores = race(CODE_SHARED_RACE, "write", 10, "write", 10);
    struct finding writes = race(CODE_SHARED_RACE, "write", 10, "write", 20);

    (void)state;
    expect_hint(&early, "after the writes", false);
    expect_hint(&next, "at the end of the outer loop's body", true);
    expect_hint(&after, "between the read and the write", false);
    expect_hint(&same, "if threads add to the same element here, use atomicAdd()", false);
    expect_hint(&same_late, "use atomicAdd(); if each step of a loop reads what", false);
    expect_hint(&same_warp, "call __syncwarp() or __syncthreads(), then write", false);
    same.places[0].column = 16; /* s[t] += s[t + 1] */
    expect_hint(&same, "between the read and the write", false);
    expect_hint(&stores, "let only one thread write each element", false);
    expect_hint(&writes, "let only one thread write each element", false);
}

static void warps_are_told_of_syncwarp(void **state)
{
    struct finding early = race(CODE_WARP_RACE, "read", 20, "write", 10);
    struct finding next = race(CODE_WARP_RACE, "write", 10, "read", 20);

    (void)state;
    expect_hint(&early, "__syncwarp() or __syncthreads() after the writes", false);
    expect_hint(&next, "after the last read", true);
}

static void a_copy_is_to_be_waited_for(void **state)
{
    struct finding finding = race(CODE_SHARED_RACE, "write", 10, "read", 20);

    (void)state;
    finding.places[1].is_copy = true;
    expect_hint(&finding, "until its thread has waited for it", true);
}

static void nothing_is_guessed(void **state)
{
    struct finding blocks = race(CODE_GLOBAL_RACE, "write", 10, "read", 20);
    struct finding unknown = race(CODE_SHARED_RACE, "write", 0, "read", 20);
    struct finding files = race(CODE_SHARED_RACE, "write", 10, "read", 20);
    struct finding alone = race(CODE_SHARED_RACE, "write", 10, "read", 20);

    (void)state;
    files.places[0].file = "b.cuh";
    alone.places[0] = alone.places[1];
    alone.place_count = 1;
    alone.main_place = 0;
    expect_hint(&blocks, "blocks run in any order", false);
    expect_hint(&unknown, "between the read and the write", false);
    expect_hint(&files, "between the read and the write", false);
    expect_hint(&alone, "let only one thread write each element", false);
}

/* The order of blocks does not matter where both threads are in one. */
static void a_race_within_a_block_is_not_one_of_blocks(void **state)
{
    struct finding finding = race(CODE_GLOBAL_RACE, "write", 25, "read", 23);

    (void)state;
    finding.places[0].has_thread = finding.places[1].has_thread = true;
    finding.places[2] = (struct place){.role = "allocated", .file = "a.cu", .line = 42};
    finding.place_count = 3;
    expect_hint(&finding, "one thread reads what another one writes", false);
    finding.places[1].block[0] = 1;
    expect_hint(&finding, "blocks run in any order", false);
}

static void static_tiles_have_no_bytes_of_a_launch(void **state)
{
    struct finding tile = {.code = CODE_SHARED_OUT_OF_BOUNDS, .kernel = "sum", .object = "tile"};

    (void)state;
    assert_non_null(
        strstr(finding_hint(&tile), "the bytes of shared memory that the launch passes"));
    tile.object_is_static = true;
    assert_null(strstr(finding_hint(&tile), "launch"));
    assert_non_null(strstr(finding_hint(&tile), "the array's size"));
    const struct finding_values values = {.block = {32, 8, 1}};
    tile.message = "reads 4 bytes right past the end of `tile` of 256 bytes";
    tile.object_bytes = 256;
    tile.values = &values;
    tile.places[0] = (struct place){.role = "read", .has_thread = true, .thread = {0, 2, 0}};
    tile.place_count = 1;
    assert_non_null(strstr(finding_hint(&tile), "fewer elements than the block has threads"));
    tile.places[0].thread[0] = 1;
    assert_non_null(strstr(finding_hint(&tile), "check the index at the mark"));
    tile.message = "updates 4 bytes, 176 bytes before the start of `tile` of 1024 bytes";
    assert_non_null(strstr(finding_hint(&tile), "the index is negative"));
}

/* Nothing ran in that kernel that could have failed. */
static void a_launch_that_did_not_run_has_no_trap(void **state)
{
    struct finding launch = {.code = CODE_API_ERROR, .kernel = "sum"};

    (void)state;
    assert_null(strstr(finding_hint(&launch), "trap"));
    assert_non_null(strstr(finding_hint(&launch), "if an earlier launch failed"));
    launch.kernel = "";
    assert_non_null(strstr(finding_hint(&launch), "the arguments of that call"));
}

static void calls_without_a_mask_need_whole_warps(void **state)
{
    struct finding finding = race(CODE_WARP_MASK, "here", 10, "here", 11);

    (void)state;
    finding.message = "all 32 lanes of a warp execute this together, but lane 3 never gets here";
    expect_hint(&finding, "whole warps", false);
    finding.message = "the mask 0xffffffff names lane 3 of the warp, which never gets here";
    expect_hint(&finding, "the mask must contain", false);
}

static void an_index_below_zero_may_have_no_sign(void **state)
{
    struct finding far = {.code = CODE_GLOBAL_OUT_OF_BOUNDS,
                          .kernel = "sum",
                          .message = "reads 4 bytes, 17179869172 bytes past the end of it",
                          .access_bytes = 4,
                          .object_bytes = 4};

    (void)state;
    far.needed_bytes = 4 * (((uint64_t)1 << 32) - 1); /* element -2 */
    assert_non_null(strstr(finding_hint(&far), "computed without a sign"));
    far.needed_bytes = 4 * ((uint64_t)1 << 32); /* element -1 */
    assert_non_null(strstr(finding_hint(&far), "computed without a sign"));
    far.needed_bytes += 4;
    assert_null(strstr(finding_hint(&far), "sign"));
    far.needed_bytes = (uint64_t)4 << 31;
    assert_null(strstr(finding_hint(&far), "sign"));
    far.access_bytes = 0;
    assert_null(strstr(finding_hint(&far), "sign"));
}

static void an_allocation_of_the_program_may_be_too_small(void **state)
{
    struct finding past = {.code = CODE_GLOBAL_OUT_OF_BOUNDS,
                           .kernel = "sum",
                           .message = "reads 4 bytes right past the end of an allocation",
                           .has_vectors_only = true,
                           .place_count = 1};

    (void)state;
    past.places[0] = (struct place){.role = "read", .file = "a.cu", .line = 5};
    assert_null(strstr(finding_hint(&past), "large enough"));
    past.places[past.place_count++] = (struct place){.role = "allocated", .file = "a.cu"};
    assert_null(strstr(finding_hint(&past), "large enough"));
    past.places[1].line = 9;
    assert_non_null(strstr(finding_hint(&past), "large enough"));
}

static void threads_of_one_block_are_no_blocks(void **state)
{
    struct finding apart = race(CODE_GLOBAL_RACE, "read", 20, "write", 10);

    (void)state;
    apart.places[0].has_thread = apart.places[1].has_thread = true;
    expect_hint(&apart, "check which array is read", false);
    apart.places[1].line = 10; /* c[0] += 1, perhaps */
    expect_hint(&apart, "threads run in any order", false);
    apart.places[1].line = 20;
    apart.places[1].block[0] = 1;
    expect_hint(&apart, "blocks run in any order", false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_of_the_lines_decides),
        cmocka_unit_test(warps_are_told_of_syncwarp),
        cmocka_unit_test(a_copy_is_to_be_waited_for),
        cmocka_unit_test(nothing_is_guessed),
        cmocka_unit_test(a_race_within_a_block_is_not_one_of_blocks),
        cmocka_unit_test(static_tiles_have_no_bytes_of_a_launch),
        cmocka_unit_test(a_launch_that_did_not_run_has_no_trap),
        cmocka_unit_test(calls_without_a_mask_need_whole_warps),
        cmocka_unit_test(an_index_below_zero_may_have_no_sign),
        cmocka_unit_test(an_allocation_of_the_program_may_be_too_small),
        cmocka_unit_test(threads_of_one_block_are_no_blocks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
