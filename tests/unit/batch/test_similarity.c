/* test_similarity.c: who is alike in made classes. Marks are numbers that the tests choose. */
#include "batch/similarity.h"

#include "base/clock.h"
#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { STUDENTS_MAX = 10000 };

static struct arena *arena;
static struct class_row *rows;
static struct store_code *codes;
static size_t count;
static const struct class_pair *pairs;
static size_t pair_count;

static int set_up(void **state)
{
    (void)state;
    arena = arena_new();
    rows = arena_array(arena, STUDENTS_MAX, sizeof *rows);
    codes = arena_array(arena, STUDENTS_MAX, sizeof *codes);
    count = 0;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

static int compare_marks(const void *left_pointer, const void *right_pointer)
{
    uint64_t left = *(const uint64_t *)left_pointer, right = *(const uint64_t *)right_pointer;

    return (left > right) - (left < right);
}

static struct device_code code_of(uint64_t *marks, size_t mark_count)
{
    qsort(marks, mark_count, sizeof *marks, compare_marks);
    return (struct device_code){
        .program = "tiled", .marks = marks, .mark_count = mark_count, .instructions = mark_count};
}

/* Marks [first, end), and those of `more`. */
static struct device_code range(uint64_t first, uint64_t end, const struct device_code *more)
{
    size_t own = (size_t)(end - first), all = own + (more == NULL ? 0 : more->mark_count);
    uint64_t *marks = arena_array(arena, all, sizeof *marks);

    for (size_t i = 0; i < own; i++) {
        marks[i] = first + i;
    }
    for (size_t i = own; i < all; i++) {
        marks[i] = more->marks[i - own];
    }
    return code_of(marks, all);
}

/* The next student; contents that are called the same are the same. */
static void add(const char *content, struct device_code code)
{
    rows[count].content = content;
    codes[count] = (struct store_code){.content = content, .code = code};
    count++;
}

static int compare_codes(const void *left_pointer, const void *right_pointer)
{
    const struct store_code *left = left_pointer, *right = right_pointer;

    return strcmp(left->content, right->content);
}

/* As a store does it: each content once, by content. */
static void find(const struct device_code *known, size_t known_count)
{
    size_t kept = 0;

    qsort(codes, count, sizeof *codes, compare_codes);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || strcmp(codes[i].content, codes[i - 1].content) != 0) {
            codes[kept++] = codes[i];
        }
    }
    const struct similarity_input input = {.rows = rows,
                                           .row_count = count,
                                           .codes = codes,
                                           .code_count = kept,
                                           .known = known,
                                           .known_count = known_count};
    similarity_find(&input, arena, &pairs, &pair_count);
}

static void what_most_of_the_smaller_one_has_is_a_pair(void **state)
{
    (void)state;
    add("a", range(0, 100, NULL));
    add("b", range(1000, 1100, NULL));
    add("c", range(10, 300, NULL)); /* 90 of a's 100, and much besides */
    add("d", range(1030, 1130, NULL));
    find(NULL, 0);
    assert_int_equal(pair_count, 1);
    assert_int_equal(pairs[0].first, 0);
    assert_int_equal(pairs[0].second, 2);
    assert_int_equal(pairs[0].shared, 90);
    assert_true(pairs[0].similarity == 0.9);
    assert_string_equal(pairs[0].program, "tiled");
    assert_false(pairs[0].is_same_content);
}

static void most_alike_come_first(void **state)
{
    (void)state;
    add("d", range(0, 100, NULL));
    add("c", range(15, 115, NULL));
    add("b", range(5, 105, NULL));
    find(NULL, 0);
    assert_int_equal(pair_count, 3);
    assert_true(pairs[0].first == 0 && pairs[0].second == 2 && pairs[0].shared == 95);
    assert_true(pairs[1].first == 1 && pairs[1].second == 2 && pairs[1].shared == 90);
    assert_true(pairs[2].first == 0 && pairs[2].second == 1 && pairs[2].shared == 85);
}

static void what_is_known_is_left_out(void **state)
{
    const struct device_code known[] = {range(0, 60, NULL), range(50, 90, NULL)};
    (void)state;

    add("a", range(0, 100, NULL)); /* 10 of its own: too few to say anything */
    add("b", range(0, 100, NULL));
    add("c", range(80, 110, NULL)); /* 20 */
    add("d", range(85, 110, NULL));
    find(known, 2);
    assert_int_equal(pair_count, 1);
    assert_true(pairs[0].first == 2 && pairs[0].second == 3);
    assert_int_equal(pairs[0].shared, 20);
}

static void programs_are_apart(void **state)
{
    struct device_code known = range(0, 100, NULL);
    (void)state;

    add("a", range(0, 100, NULL));
    add("b", range(0, 100, NULL));
    codes[1].code.program = "dynamic";
    find(NULL, 0);
    assert_int_equal(pair_count, 0);
    codes[1].code.program = "tiled";
    known.program = "dynamic";
    find(&known, 1);
    assert_int_equal(pair_count, 1);
}

/* What eleven of a small class have, the coursework leads to. */
static void what_many_have_is_left_out(void **state)
{
    struct device_code common = range(5000, 5100, NULL);
    (void)state;

    for (uint64_t i = 0; i < LIKENESS_COMMON; i++) {
        add(arena_printf(arena, "%03u", (unsigned)i), range(i * 100, i * 100 + 20, &common));
    }
    find(NULL, 0);
    assert_int_equal(pair_count, LIKENESS_COMMON * (LIKENESS_COMMON - 1) / 2);
    assert_true(pairs[0].shared == 100 && pairs[0].similarity == 100.0 / 120);
    add("more", range(9000, 9020, &common));
    find(NULL, 0);
    assert_int_equal(pair_count, 0);
}

/* Equal files count once: eleven who hand in the same ones do not make it common. */
static void equal_files_are_told(void **state)
{
    (void)state;
    for (size_t i = 0; i < LIKENESS_COMMON + 1; i++) {
        add("same", range(0, 5, NULL)); /* however small */
    }
    add("other", range(1000, 1100, NULL));
    find(NULL, 0);
    assert_int_equal(pair_count, (LIKENESS_COMMON + 1) * LIKENESS_COMMON / 2);
    assert_true(pairs[0].is_same_content && pairs[0].similarity == 1 && pairs[0].shared == 5);
}

static void untouched_templates_are_no_pair(void **state)
{
    const struct device_code template = range(0, 100, NULL);
    (void)state;

    add("same", range(0, 100, NULL));
    add("same", range(0, 100, NULL));
    add("", range(500, 600, NULL)); /* nothing that could be graded */
    add("", range(500, 600, NULL));
    find(&template, 1);
    assert_int_equal(pair_count, 0);
}

/* Everybody of a large group is named, but not with everybody else. */
static void large_groups_are_chained(void **state)
{
    enum { GROUP = LIKENESS_GROUP + 1 };
    bool named[GROUP + 1] = {false};
    (void)state;

    for (size_t i = 0; i < GROUP; i++) {
        add("same", range(0, 50, NULL));
    }
    add("alike", range(0, 49, NULL));
    find(NULL, 0);
    assert_int_equal(pair_count, GROUP - 1 + 1);
    for (size_t i = 0; i < pair_count; i++) {
        named[pairs[i].first] = named[pairs[i].second] = true;
    }
    for (size_t i = 0; i <= GROUP; i++) {
        assert_true(named[i]);
    }
}

static void empty_classes_have_no_pairs(void **state)
{
    (void)state;
    find(NULL, 0);
    assert_int_equal(pair_count, 0);
    add("a", range(0, 0, NULL));
    add("b", range(0, 0, NULL));
    find(NULL, 0);
    assert_int_equal(pair_count, 0);
}

/* 10,000 students, each with 60 marks of a stock and 60 of their own; every hundredth is a copy
 * with a tenth changed of the one before. Compared one with another they would take minutes. */
static void large_classes_are_possible(void **state)
{
    struct device_code known = range(0, 100, NULL);
    struct rng rng;
    (void)state;

    rng_init(&rng, 1, 2, 3, 4);
    for (size_t i = 0; i < STUDENTS_MAX; i++) {
        uint64_t *marks = arena_array(arena, 120, sizeof *marks);
        for (size_t k = 0; k < 60; k++) {
            marks[k] = 10 * k + (uint64_t)rng_range(&rng, 0, 9);
        }
        for (size_t k = 60; k < 120; k++) {
            marks[k] = rng_next(&rng) | UINT64_C(1) << 63;
        }
        for (size_t k = 0; i % 100 == 99 && k < 108; k++) {
            marks[k] = codes[i - 1].code.marks[k];
        }
        add(arena_printf(arena, "%05zu", i), code_of(marks, 120));
    }
    uint64_t start_ns = clock_now_ns();
    find(&known, 1);
    uint64_t spent_ns = clock_now_ns() - start_ns;
    assert_int_equal(pair_count, STUDENTS_MAX / 100);
    for (size_t i = 0; i < pair_count; i++) {
        assert_int_equal(pairs[i].second % 100, 99);
        assert_int_equal(pairs[i].first + 1, pairs[i].second);
    }
    print_message("10,000 students: %.2f s\n", (double)spent_ns / CLOCK_NS_PER_S);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        T(what_most_of_the_smaller_one_has_is_a_pair),
        T(most_alike_come_first),
        T(what_is_known_is_left_out),
        T(programs_are_apart),
        T(what_many_have_is_left_out),
        T(equal_files_are_told),
        T(untouched_templates_are_no_pair),
        T(large_groups_are_chained),
        T(empty_classes_have_no_pairs),
        T(large_classes_are_possible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
