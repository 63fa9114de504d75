/* test_submission_refused.c: the report on a submission that reached a bound of the grader. */
#include "submission/submission_refused.h"

#include "submission/intake.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { CRITERIA = 3, SHA_DIGITS = 64 };

static const struct rubric_criterion criteria[CRITERIA] = {
    {.id = "compile", .title = "it compiles", .kind = CRITERION_COMPILE, .points = 5},
    {.id = "correct", .title = "it is right", .kind = CRITERION_CORRECT, .points = 20},
    {.id = "races", .title = "no races", .kind = CRITERION_RACE_FREE, .points = 10},
};

static struct arena *arena;
static struct rubric rubric;
static struct sandbox sandbox;
static struct toolchain toolchain;
static struct submission_config config;
static struct intake_file file;
static struct intake_files files;
static struct report report;

static int set_up(void **state)
{
    (void)state;
    arena = arena_new();
    rubric = (struct rubric){.id = "sums",
                             .public_options = "--rubric sums.json",
                             .sha256 = "whole",
                             .public_sha256 = "visible",
                             .gpu_model = "a model",
                             .limits = {.grader_memory_bytes = UINT64_C(96) << 20,
                                        .grader_cpu_ns = UINT64_C(1500000000)},
                             .criteria = criteria,
                             .criterion_count = CRITERIA};
    sandbox = (struct sandbox){.tier = SANDBOX_C};
    toolchain = (struct toolchain){.sandbox = &sandbox};
    config = (struct submission_config){.rubric = &rubric,
                                        .toolchain = &toolchain,
                                        .name = "student",
                                        .seed = 7,
                                        .again = "for all",
                                        .again_student = "for students"};
    file = (struct intake_file){.name = "sums.cu", .bytes = "int a;", .length = 6};
    files = (struct intake_files){.shown = "student", .files = &file, .count = 1};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

/* Verdict `index` has failed for the code, without points. */
static void assert_failed(const struct report *seen, size_t index, enum code code)
{
    const struct verdict *verdict = &seen->verdicts[index];

    assert_int_equal(verdict->status, STATUS_FAILED);
    assert_int_equal(verdict->cause.code, code);
    assert_true(verdict->points == 0);
    assert_non_null(verdict->cause.message);
    assert_true(strlen(verdict->cause.hint) > 0);
}

static void every_criterion_fails_for_the_bound(void **state)
{
    static const struct {
        enum code code;
        const char *words;
    } rows[] = {
        {CODE_GRADER_MEMORY, "more than 96 MB of memory"},
        {CODE_GRADER_TIME, "more than 1.5 s of processor time"},
    };
    char hash[SHA_DIGITS + 1];

    (void)state;
    intake_hash(&files, hash);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        submission_refuse(&config, &files, rows[i].code, arena, &report);
        assert_int_equal(report.verdict_count, CRITERIA);
        for (size_t j = 0; j < CRITERIA; j++) {
            assert_ptr_equal(report.verdicts[j].criterion, &criteria[j]);
            assert_failed(&report, j, rows[i].code);
            assert_non_null(strstr(report.verdicts[j].cause.message, rows[i].words));
        }
        assert_false(report_has_error(&report));
        assert_true(report_score(&report) == 0);
        assert_true(report_max_score(&report) == 35);
        assert_string_equal(report.submission_sha256, hash);
        assert_string_equal(report.submission_name, "student");
        assert_string_equal(report.again, "for all");
        assert_int_equal(report.seed, 7);
        assert_int_equal(report.device_count, 1);
        assert_string_equal(report.devices[0].gpu_model, "a model");
        assert_ptr_equal(report.rubric, &rubric);
        assert_null(report.student);
    }
}

static void one_criterion_alone_is_judged(void **state)
{
    (void)state;
    config.only = "correct";
    config.gpu_model = "another model";
    submission_refuse(&config, &files, CODE_GRADER_TIME, arena, &report);
    assert_int_equal(report.verdict_count, 1);
    assert_ptr_equal(report.verdicts[0].criterion, &criteria[1]);
    assert_failed(&report, 0, CODE_GRADER_TIME);
    assert_string_equal(report.only, "correct");
    assert_string_equal(report.devices[0].gpu_model, "another model");
}

/* What the rubric hides is in the whole report, and in nothing of the student's. */
static void a_student_sees_nothing_that_is_hidden(void **state)
{
    (void)state;
    rubric.hidden_criterion_count = 1;
    submission_refuse(&config, &files, CODE_GRADER_MEMORY, arena, &report);
    const struct report *student = report.student;

    assert_int_equal(report.verdict_count, CRITERIA);
    assert_failed(&report, CRITERIA - 1, CODE_GRADER_MEMORY);
    assert_non_null(student);
    assert_int_equal(student->verdict_count, CRITERIA - 1);
    for (size_t i = 0; i < student->verdict_count; i++) {
        assert_ptr_equal(student->verdicts[i].criterion, &criteria[i]);
        assert_failed(student, i, CODE_GRADER_MEMORY);
    }
    assert_int_equal(student->rubric->criterion_count, CRITERIA - 1);
    assert_string_equal(student->rubric->sha256, "visible");
    assert_string_equal(student->again, "for students --rubric sums.json");
    assert_false(student->rubric->reports_hidden);
    assert_true(report.rubric->reports_hidden);
    assert_string_equal(report.rubric->sha256, "whole");
    assert_string_equal(report.again, "for all");
    assert_false(rubric.reports_hidden);
    assert_true(report_max_score(student) == 25);

    config.only = "races";
    submission_refuse(&config, &files, CODE_GRADER_MEMORY, arena, &report);
    assert_int_equal(report.verdict_count, 1);
    assert_int_equal(report.student->verdict_count, 0);

    rubric.hidden_criterion_count = 0;
    rubric.hidden_case_count = rubric.case_count = 1;
    config.only = NULL;
    config.again_student = NULL;
    submission_refuse(&config, &files, CODE_GRADER_MEMORY, arena, &report);
    assert_int_equal(report.student->verdict_count, CRITERIA);
    assert_int_equal(report.student->rubric->case_count, 0);
    assert_string_equal(report.student->again, "for all");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_criterion_fails_for_the_bound, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_criterion_alone_is_judged, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_student_sees_nothing_that_is_hidden, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
