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

/* Diagnostics that are made already: the indices follow the verdicts that are left. */
static void diagnostics_on_hidden_criteria_are_left_out(void **state)
{
    static const size_t on_hidden[] = {1, 0}, on_both[] = {2, 1}, on_open[] = {2};
    static const struct diagnostic_note notes[] = {
        {NOTE_SEEN, "seen"}, {NOTE_SO, "so"}, {NOTE_ALSO, "also"}, {NOTE_HINT, "hint"}};
    static const struct verdict own[] = {
        {.criterion = &criteria[2], .status = STATUS_FAILED},
        {.criterion = &criteria[1], .status = STATUS_FAILED},
        {.criterion = &criteria[0], .status = STATUS_FAILED},
    };
    static const struct report_diagnostic diagnostics[] = {
        {.message = "secret", .verdicts = on_hidden, .verdict_count = 2},
        {.message = "both",
         .verdicts = on_both,
         .verdict_count = 2,
         .notes = notes,
         .note_count = 4},
        {.message = "open",
         .verdicts = on_open,
         .verdict_count = 1,
         .notes = notes,
         .note_count = 4},
        {.message = "launch", .finding = &findings[1]},
        {.message = "free", .finding = &findings[2]},
    };
    struct arena *arena = arena_new();
    struct report told = full;
    struct report shown;

    (void)state;
    told.verdicts = own;
    told.diagnostics = diagnostics;
    told.diagnostic_count = 5;
    report_for_student(&told, arena, &shown);
    assert_int_equal(shown.verdict_count, 1);
    assert_int_equal(shown.diagnostic_count, 3);
    assert_string_equal(shown.diagnostics[0].message, "both");
    assert_int_equal(shown.diagnostics[0].verdict_count, 1);
    assert_int_equal(shown.diagnostics[0].verdicts[0], 0);
    assert_int_equal(shown.diagnostics[0].note_count, 2);
    assert_string_equal(shown.diagnostics[0].notes[1].text, "hint");
    assert_string_equal(shown.diagnostics[1].message, "open");
    assert_int_equal(shown.diagnostics[1].note_count, 4);
    assert_string_equal(shown.diagnostics[2].message, "free");
    arena_free(arena);
}

/* Where texts may tell of what is hidden, only status, points and code are left. */
static void an_instructors_texts_are_left_out(void **state)
{
    static const struct verdict own[] = {{.criterion = &criteria[0],
                                          .status = STATUS_PARTIAL,
                                          .points = 4,
                                          .cause = {.code = CODE_MISMATCH,
                                                    .message = "wrong for A 7x9 (hidden)",
                                                    .file = "a.cu",
                                                    .line = 7,
                                                    .hint = "hidden"},
                                          .evidence_count = 1}};
    static const struct report_diagnostic diagnostics[] = {{.message = "A 7x9 (hidden)"}};
    static const struct remark remarks[] = {{.message = "hidden", .file = ""}};
    struct arena *arena = arena_new();
    struct rubric whole = rubric;
    struct report told = full;
    struct report shown;

    (void)state;
    whole.reports_hidden = true;
    told.rubric = &whole;
    told.verdicts = own;
    told.verdict_count = 1;
    told.diagnostics = diagnostics;
    told.diagnostic_count = 1;
    told.remarks = remarks;
    told.remark_count = 1;
    report_for_student(&told, arena, &shown);
    assert_int_equal(shown.verdicts[0].status, STATUS_PARTIAL);
    assert_true(shown.verdicts[0].points == 4);
    assert_int_equal(shown.verdicts[0].cause.code, CODE_MISMATCH);
    assert_string_equal(shown.verdicts[0].cause.message, code_title(CODE_MISMATCH));
    assert_string_equal(shown.verdicts[0].cause.file, "");
    assert_int_equal(shown.verdicts[0].cause.line, 0);
    assert_string_equal(shown.verdicts[0].cause.hint, "");
    assert_int_equal(shown.verdicts[0].evidence_count, 0);
    assert_int_equal(shown.diagnostic_count + shown.finding_count + shown.remark_count, 0);
    assert_string_equal(shown.rubric->sha256, "");
    assert_false(shown.rubric->reports_hidden);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(diagnostics_on_hidden_criteria_are_left_out),
        cmocka_unit_test(an_instructors_texts_are_left_out),
        cmocka_unit_test(hidden_criteria_and_findings_are_left_out),
        cmocka_unit_test(the_report_for_students_is_taken),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
