/* test_report.c: sums over verdicts, facts beside them, and the names of the tables. */
#include "model/report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct rubric_criterion criteria[] = {
    {.id = "a", .points = 9}, {.id = "b", .points = 36}, {.id = "c", .points = 28},
    {.id = "d", .points = 9}, {.id = "e", .points = 18},
};

static void test_sums(void **state)
{
    static const struct rubric_criterion open = {.id = "o", .points = 7};
    struct verdict verdicts[] = {
        {.criterion = &criteria[0], .status = STATUS_PASSED, .points = 9},
        {.criterion = &criteria[1], .status = STATUS_PARTIAL, .points = 12.5},
        {.criterion = &criteria[2], .status = STATUS_FAILED},
        {.criterion = &criteria[3], .status = STATUS_SKIPPED},
        {.criterion = &criteria[4], .status = STATUS_ERROR},
        {.criterion = &open, .status = STATUS_OPEN},
    };
    struct report report = {.verdicts = verdicts, .verdict_count = 5};

    (void)state;
    assert_true(report_score(&report) == 21.5);
    assert_true(report_max_score(&report) == 100);
    assert_true(report_measurable_max(&report) == 73);
    assert_false(report_complete(&report));
    report.verdict_count = 4;
    assert_false(report_complete(&report));
    report.verdict_count = 3;
    assert_true(report_complete(&report));
    verdicts[3] = verdicts[5];
    report.verdict_count = 4;
    assert_false(report_complete(&report));
    assert_true(report_max_score(&report) == 80);
    assert_true(report_measurable_max(&report) == 73);
    assert_true(report_points_with(&report, STATUS_OPEN) == 7);
    report.verdict_count = 0;
    assert_true(report_score(&report) == 0);
    assert_true(report_complete(&report));
}

/* Bonus adds to the score and to nothing else. */
static void test_bonus(void **state)
{
    static const struct rubric_criterion extra = {.id = "x", .points = 7, .bonus = true};
    struct verdict verdicts[] = {
        {.criterion = &criteria[0], .status = STATUS_PASSED, .points = 9},
        {.criterion = &extra, .status = STATUS_PARTIAL, .points = 4},
        {.criterion = &extra, .status = STATUS_SKIPPED},
        {.criterion = &criteria[3], .status = STATUS_SKIPPED},
    };
    struct report report = {.verdicts = verdicts, .verdict_count = 4};

    (void)state;
    assert_true(report_score(&report) == 13);
    assert_true(report_bonus(&report) == 4);
    assert_true(report_max_score(&report) == 18);
    assert_true(report_measurable_max(&report) == 9);
    assert_true(report_points_with(&report, STATUS_SKIPPED) == 9);
    assert_true(report_points_with(&report, STATUS_PARTIAL) == 0);
}

static void test_evidence(void **state)
{
    struct verdict verdict = {.criterion = &criteria[0]};

    (void)state;
    verdict_add_text(&verdict, "formula", "sheet");
    verdict_add_number(&verdict, "value", 0.25);
    verdict_add_integer(&verdict, "cases", 8);
    verdict_add_boolean(&verdict, "exact", true);
    assert_int_equal(verdict.evidence_count, 4);
    assert_int_equal(verdict.evidence[0].type, EVIDENCE_TEXT);
    assert_string_equal(verdict.evidence[0].text, "sheet");
    assert_int_equal(verdict.evidence[1].type, EVIDENCE_NUMBER);
    assert_true(verdict.evidence[1].number == 0.25);
    assert_string_equal(verdict.evidence[2].key, "cases");
    assert_int_equal(verdict.evidence[2].integer, 8);
    assert_int_equal(verdict.evidence[3].type, EVIDENCE_BOOLEAN);
    assert_int_equal(verdict.evidence[3].integer, 1);
}

static void test_names(void **state)
{
    (void)state;
    assert_string_equal(status_name(STATUS_PASSED), "passed");
    assert_string_equal(status_name(STATUS_ERROR), "error");
    assert_string_equal(status_name(STATUS_OPEN), "open");
    assert_string_equal(criterion_kind_name(CRITERION_BLOCK_SIZE), "block-size");
    assert_string_equal(probe_name(PROBE_EXACT_SWAPPED), "exact-swapped");
    assert_int_equal(element_bytes(ELEMENT_F32), 4);
    assert_int_equal(element_bytes(ELEMENT_F64), 8);
    assert_int_equal(element_bytes(ELEMENT_I32), 4);
    assert_int_equal(element_bytes(ELEMENT_U32), 4);
}

/* The tables of causes and codes: no name twice, ids of one letter and two digits. */
static void test_codes(void **state)
{
    (void)state;
    for (int i = 1; i < CODE_COUNT; i++) {
        const char *id = code_id((enum code)i);
        assert_int_equal(strlen(id), 3);
        assert_in_range(id[0], 'A', 'Z');
        assert_int_not_equal(code_cause((enum code)i), CAUSE_NONE);
        assert_true(strlen(code_title((enum code)i)) > 0);
        for (int j = 0; j < i; j++) {
            assert_string_not_equal(id, code_id((enum code)j));
            assert_string_not_equal(code_name((enum code)i), code_name((enum code)j));
        }
    }
    for (int i = 0; i < CAUSE_COUNT; i++) {
        assert_true(strlen(cause_title((enum cause_kind)i)) > 0);
        for (int j = 0; j < i; j++) {
            assert_string_not_equal(cause_name((enum cause_kind)i), cause_name((enum cause_kind)j));
        }
    }
    assert_string_equal(code_name(CODE_NAMED_MISTAKE), "named_mistake");
    assert_string_equal(code_id(CODE_NAMED_MISTAKE), "W02");
    assert_int_equal(code_cause(CODE_NAMED_MISTAKE), CAUSE_WRONG_RESULT);
}

/* Only nvcc's version is that of a toolkit. */
static void test_cuda_version(void **state)
{
    (void)state;
    assert_string_equal(report_cuda_version("nvcc 13.0"), "13.0");
    assert_string_equal(report_cuda_version("nvcc "), "");
    assert_string_equal(report_cuda_version("clang 19.1.7"), "");
    assert_string_equal(report_cuda_version("13.0"), "");
    assert_string_equal(report_cuda_version(""), "");
    assert_string_equal(report_cuda_version(NULL), "");
}

/* Only what is right is ranked, and only by what its author may see. */
static void test_rank(void **state)
{
    static const struct rubric_criterion correct = {.id = "c", .kind = CRITERION_CORRECT};
    static const struct rubric_criterion free = {.id = "r", .kind = CRITERION_RACE_FREE};
    static const struct rubric_criterion second = {
        .id = "d", .kind = CRITERION_CORRECT, .has_launch = true, .launch = 1};
    static const struct rubric_criterion fast = {.id = "s", .kind = CRITERION_SPEEDUP, .launch = 1};
    static const struct rubric_criterion secret = {
        .id = "h", .kind = CRITERION_SPEEDUP, .launch = 1, .hidden = true};
    static const struct report_device devices[] = {{"emulated", "H200", "", 0},
                                                   {"cuda", "NVIDIA T4", "GPU-1", 13000}};
    static const struct launch_profile profiles[] = {{.launch = 0, .warp_instructions = 40},
                                                     {.launch = 1, .warp_instructions = 2}};
    struct verdict verdicts[] = {{.criterion = &correct, .status = STATUS_PASSED},
                                 {.criterion = &free, .status = STATUS_PASSED},
                                 {.criterion = &fast, .status = STATUS_PARTIAL},
                                 {.criterion = &secret, .status = STATUS_PASSED},
                                 {.criterion = &second, .status = STATUS_PASSED}};
    struct rubric rubric = {.leaderboard = {.by = RANKED_BY_NOTHING}};
    struct report report = {.rubric = &rubric,
                            .verdicts = verdicts,
                            .verdict_count = 5,
                            .devices = devices,
                            .device_count = 2,
                            .profiles = profiles,
                            .profile_count = 2};
    struct report_rank rank;

    (void)state;
    verdict_add_measured_number(&verdicts[2], "speedup", 3.14159);
    verdict_add_measured_number(&verdicts[3], "speedup", 99);
    assert_false(report_rank(&report, &rank));
    rubric.leaderboard.by = RANKED_BY_SPEEDUP;
    assert_true(report_rank(&report, &rank));
    assert_true(rank.value == 3.14 && !rank.is_ascending);
    assert_string_equal(rank.gpu, "NVIDIA T4");
    rubric.leaderboard.by = RANKED_BY_INSTRUCTIONS;
    assert_true(report_rank(&report, &rank));
    assert_true(rank.value == 42 && rank.is_ascending);
    assert_string_equal(rank.gpu, "");
    rubric.leaderboard.has_launch = true; /* the first one */
    assert_true(report_rank(&report, &rank) && rank.value == 40);
    rubric.leaderboard.by = RANKED_BY_SPEEDUP;
    assert_false(report_rank(&report, &rank)); /* it was not timed */
    rubric.leaderboard.by = RANKED_BY_INSTRUCTIONS;
    for (size_t i = 0; i < 2; i++) {
        verdicts[i].status = STATUS_FAILED;
        assert_false(report_rank(&report, &rank));
        verdicts[i].status = STATUS_PASSED;
    }
    rubric.leaderboard.has_launch = false;
    report.profile_count = 1;
    assert_false(report_rank(&report, &rank)); /* the second launch was not counted */
    report.profile_count = 2;
    assert_true(report_rank(&report, &rank));
    report.only = "c";
    assert_false(report_rank(&report, &rank));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums),     cmocka_unit_test(test_bonus),
        cmocka_unit_test(test_evidence), cmocka_unit_test(test_names),
        cmocka_unit_test(test_codes),    cmocka_unit_test(test_cuda_version),
        cmocka_unit_test(test_rank),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
