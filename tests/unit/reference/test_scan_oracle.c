/* test_scan_oracle.c: reference/scan/oracle.c against sums made by hand. */
#include "model/oracle.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* So many elements that a second level of blocks of 512 shows, and no last block is full. */
enum { ELEMENTS_MAX = 146 * 4096 - 1, MISTAKES_MAX = 160 };

/* One problem. */
struct scanned {
    int32_t elements[ELEMENTS_MAX];
    const void *inputs[1];
    size_t input_counts[1];
    size_t output_counts[2];
    int64_t parameters[1];
    struct oracle_problem problem;
};

static struct scanned scanned;
static double results[ELEMENTS_MAX];

static void problem_set(const char *launch, size_t count)
{
    const size_t outputs[2] = {strcmp(launch, "scan") == 0 ? count : 1, count};

    memcpy(scanned.output_counts, outputs, sizeof outputs);
    scanned.inputs[0] = scanned.elements;
    scanned.input_counts[0] = count;
    scanned.parameters[0] = (int64_t)count;
    scanned.problem = (struct oracle_problem){
        .parameters = scanned.parameters,
        .inputs = scanned.inputs,
        .output_count = outputs[0],
        .launch = launch,
        .input_counts = scanned.input_counts,
        .output_counts = scanned.output_counts,
    };
}

static void problem_by_hand(const char *launch)
{
    static const int32_t elements[] = {3, -1, 0, 7, 2147483647, -2, 4};

    memcpy(scanned.elements, elements, sizeof elements);
    problem_set(launch, sizeof elements / sizeof elements[0]);
}

static const struct oracle_mistake *mistake_named(const char *name)
{
    size_t i = 0;

    while (i < gpugrade_oracle.mistake_count &&
           strcmp(gpugrade_oracle.mistakes[i].name, name) != 0) {
        i++;
    }
    assert_true(i < gpugrade_oracle.mistake_count);
    return &gpugrade_oracle.mistakes[i];
}

static int mistaken(const char *name)
{
    memset(results, 0, sizeof results);
    return mistake_named(name)->compute(&scanned.problem, results);
}

static void sums_are_those_made_by_hand(void **state)
{
    static const double right[] = {0, 3, 2, 2, 9, -2147483640.0, -2147483642.0};
    double magnitudes[7] = {0}, expected[7] = {0};
    double *all_magnitudes[1] = {magnitudes};
    void *all_expected[1] = {results};
    (void)state;

    problem_by_hand("scan");
    gpugrade_oracle.expect(&scanned.problem, expected, magnitudes);
    gpugrade_oracle.expect_all(&scanned.problem, all_expected, all_magnitudes);
    for (size_t i = 0; i < 7; i++) {
        assert_true(expected[i] == right[i]);
        assert_true(results[i] == right[i]);
    }
}

static void kept_elements_are_those_above_0(void **state)
{
    static const double right[] = {3, 7, 2147483647, 4};
    double count = 0, magnitudes[2][7] = {{0}};
    double *all_magnitudes[2] = {magnitudes[0], magnitudes[1]};
    void *all_expected[2] = {&count, results};
    (void)state;

    problem_by_hand("compact");
    gpugrade_oracle.expect_all(&scanned.problem, all_expected, all_magnitudes);
    assert_true(count == 4);
    assert_memory_equal(results, right, sizeof right);
}

static void an_element_needs_those_before_it(void **state)
{
    struct oracle_need needs[3] = {{9, 9}, {9, 9}, {9, 9}};
    (void)state;

    problem_by_hand("scan");
    assert_int_equal(gpugrade_oracle.needs(&scanned.problem, 0, needs, 3), 0);
    assert_int_equal(gpugrade_oracle.needs(&scanned.problem, 2, needs, 3), 2);
    assert_int_equal(needs[0].element, 0);
    assert_int_equal(needs[1].element, 1);
    assert_int_equal(needs[2].element, 9);
    assert_int_equal(gpugrade_oracle.needs(&scanned.problem, 6, needs, 3), 6);
    assert_int_equal(needs[2].element, 2);
}

static void mistakes_of_one_block_by_their_definition(void **state)
{
    (void)state;

    problem_by_hand("scan");
    assert_true(mistaken("inclusive"));
    assert_true(results[0] == 3 && results[3] == 9 && results[4] == -2147483640.0);
    assert_true(mistaken("shifted"));
    assert_true(results[0] == 0 && results[1] == 3 && results[2] == -1);
    assert_true(mistaken("without_first"));
    assert_true(isnan(results[0]) && results[1] == 3);
    assert_false(mistaken("restarts_32"));
    assert_false(mistaken("root_not_cleared_32"));
    assert_false(mistaken("last_uncounted"));
}

static void mistakes_of_the_count_by_their_definition(void **state)
{
    (void)state;

    problem_by_hand("compact");
    assert_true(mistaken("zeros_too") && results[0] == 5);
    assert_true(mistaken("last_uncounted") && results[0] == 3);
    assert_true(mistaken("all_of_them") && results[0] == 7);
    assert_true(mistaken("count_unwritten") && isnan(results[0]));
    assert_false(mistaken("one_too_many")); /* the last one is kept */
    assert_false(mistaken("inclusive"));
    assert_false(mistaken("first_32"));
}

/* 70 elements of value 1: two blocks of 32 and a third of 6. */
static void mistakes_of_blocks_by_their_definition(void **state)
{
    (void)state;

    for (int i = 0; i < 70; i++) {
        scanned.elements[i] = 1;
    }
    problem_set("scan", 70);
    assert_true(mistaken("restarts_32"));
    assert_true(results[31] == 31 && results[32] == 0 && results[69] == 5);
    assert_true(mistaken("block_before_only_32"));
    assert_true(results[63] == 63 && results[64] == 32);
    assert_true(mistaken("last_of_block_lost_32"));
    assert_true(results[31] == 31 && results[32] == 31 && results[64] == 62);
    assert_true(mistaken("inclusive_by_blocks_32"));
    assert_true(results[0] == 33 && results[32] == 65 && results[69] == 76);
    assert_true(mistaken("root_not_cleared_32"));
    assert_true(results[0] == 102); /* 32 in its block, and 70 in all sums of blocks */
    assert_true(mistaken("first_block_only_32"));
    assert_true(results[31] == 31 && isnan(results[32]));
    assert_false(mistaken("restarts_128"));
}

static uint32_t mixed(uint32_t bits)
{
    bits ^= bits << 13;
    bits ^= bits >> 17;
    return bits ^ bits << 5;
}

static uint64_t hash_of(size_t count)
{
    uint64_t hash = 14695981039346656037u;

    for (size_t i = 0; i < count; i++) {
        uint64_t bits = 0;
        memcpy(&bits, &results[i], sizeof bits);
        hash = (hash ^ bits) * 1099511628211u;
        hash ^= hash >> 29;
    }
    return hash;
}

static void every_mistake_is_judged_and_no_two_are_the_same(void **state)
{
    static const char *const launches[] = {"scan", "compact"};
    static uint64_t hashes[2][MISTAKES_MAX];
    uint32_t bits = 1;
    (void)state;

    assert_true(gpugrade_oracle.mistake_count <= MISTAKES_MAX);
    for (size_t i = 0; i < ELEMENTS_MAX; i++) {
        bits = mixed(bits);
        scanned.elements[i] = (int32_t)(bits % 9) - 4;
    }
    scanned.elements[ELEMENTS_MAX - 1] = 4;
    for (size_t i = 0; i < gpugrade_oracle.mistake_count; i++) {
        const char *name = gpugrade_oracle.mistakes[i].name;
        int judged = 0;
        for (int launch = 0; launch < 2; launch++) {
            problem_set(launches[launch], ELEMENTS_MAX);
            hashes[launch][i] = mistaken(name) ? hash_of(scanned.problem.output_count) : 0;
            judged += hashes[launch][i] != 0;
            /* Two counts may be the same by chance. */
            for (size_t j = 0; launch == 0 && hashes[0][i] != 0 && j < i; j++) {
                if (hashes[0][j] == hashes[0][i]) {
                    fail_msg("%s and %s are the same", name, gpugrade_oracle.mistakes[j].name);
                }
            }
        }
        /* the last element is kept here */
        if (judged != (strcmp(name, "one_too_many") == 0 ? 0 : 1)) {
            fail_msg("%s is judged in %d launches", name, judged);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_those_made_by_hand),
        cmocka_unit_test(kept_elements_are_those_above_0),
        cmocka_unit_test(an_element_needs_those_before_it),
        cmocka_unit_test(mistakes_of_one_block_by_their_definition),
        cmocka_unit_test(mistakes_of_the_count_by_their_definition),
        cmocka_unit_test(mistakes_of_blocks_by_their_definition),
        cmocka_unit_test(every_mistake_is_judged_and_no_two_are_the_same),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
