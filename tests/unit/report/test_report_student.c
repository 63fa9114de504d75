/* test_report_student.c: a student's report is the one that was made for students, where there is
 * one; and hidden criteria and findings are left out of whatever it was made of. */
#include "report/report_student.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static const struct rubric_launch launches[] = {{.id = "seen"}, {.id = "unseen"}};
static const struct rubric rubric = {.id = "matmul", .launches = launches, .launch_count = 2};
static const struct rubric_criterion criteria[] = {
    {.id = "open", .points = 10, .has_launch = true, .launch = 0},
    {.id = "also.on.seen", .points = 5, .has_launch = true, .launch = 0, .hidden = true},
    {.id = "secret", .points = 3, .has_launch = true, .launch = 1, .hidden = true},
};
static const struct verdict verdicts[] = {
    {.criterion = &criteria[0], .status = STATUS_PASSED, .points = 10},
    {.criterion = &criteria[1], .status = STATUS_FAILED},
    {.criterion = &criteria[2], .status = STATUS_PASSED, .points = 3},
};
static const struct finding findings[] = {
    {.code = CODE_SHARED_RACE, .launch = "seen"},
    {.code = CODE_SHARED_RACE, .launch = "unseen"},
    {.code = CODE_SHARED_RACE, .launch = ""},
};
static const struct report full = {
    .rubric = &rubric,
    .verdicts = verdicts,
    .verdict_count = 3,
    .findings = findings,
    .finding_count = 3,
    .again = "gpugrade check . --rubric secret.json",
};

static void hidden_criteria_and_findings_are_left_out(void **state)
{
    struct arena *arena = arena_new();
    struct report shown;

    (void)state;
    report_for_student(&full, arena, &shown);
    assert_int_equal(shown.verdict_count, 1);
    assert_string_equal(shown.verdicts[0].criterion->id, "open");
    assert_true(report_score(&shown) == 10);
    assert_true(report_max_score(&shown) == 10);
    assert_int_equal(shown.finding_count, 2);
    assert_string_equal(shown.findings[0].launch, "seen");
    assert_string_equal(shown.findings[1].launch, "");
    arena_free(arena);
}

static void the_report_for_students_is_taken(void **state)
{
    struct arena *arena = arena_new();
    const struct report student = {
        .rubric = &rubric,
        .verdicts = verdicts,
        .verdict_count = 2, /* a hidden one that came in by mistake */
        .again = "gpugrade check .",
    };
    struct report both = full;
    struct report shown;

    (void)state;
    both.student = &student;
    report_for_student(&both, arena, &shown);
    assert_int_equal(shown.verdict_count, 1);
    assert_int_equal(shown.finding_count, 0);
    assert_string_equal(shown.again, "gpugrade check .");
    assert_null(shown.student);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hidden_criteria_and_findings_are_left_out),
        cmocka_unit_test(the_report_for_students_is_taken),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
