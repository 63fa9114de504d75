/* test_student_page.c: what is handed back to a student of a class. */
#include "report/class/student_page.h"

#include "diagnosis/grouping/diagnostics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct rubric_criterion criteria[] = {
    {.id = "compile", .title = "compiles", .points = 5, .kind = CRITERION_COMPILE},
    {.id = "secret", .title = "secret thing", .points = 95, .hidden = true},
};
static const struct rubric rubric = {.id = "matmul",
                                     .version = 3,
                                     .title = "Matrices",
                                     .sha256 = "0011",
                                     .criteria = criteria,
                                     .criterion_count = 2,
                                     .hints = HINTS_EXPLAIN};
static const struct class_criterion of_class[] = {
    {"compile", "compiles", "compile", 5, false, false, false},
    {"secret", "secret thing", "correct", 95, true, false, false},
};
static const struct class_mark marks[] = {
    {.is_judged = true, .status = STATUS_PASSED, .points = 5},
    {.is_judged = true, .status = STATUS_PASSED, .points = 95},
};

static struct arena *arena;
static struct text text;
static struct class_results class;
static struct class_row row;
static struct report report;

static int set_up(void **state)
{
    static struct verdict verdicts[2];

    (void)state;
    arena = arena_new();
    text_init(&text);
    for (size_t i = 0; i < 2; i++) {
        verdicts[i] = (struct verdict){.criterion = &criteria[i],
                                       .status = STATUS_PASSED,
                                       .points = criteria[i].points,
                                       .summary = "well",
                                       .cause = {.message = "", .file = "", .hint = ""}};
    }
    report = (struct report){.rubric = &rubric,
                             .submission_name = ".",
                             .compiler = "nvcc 13.0",
                             .grader_version = "0.1.0",
                             .sandbox = {.tier = "A", .note = "", .memory = ""},
                             .verdicts = verdicts,
                             .verdict_count = 2,
                             .again = "gpugrade check .",
                             .hints = HINTS_EXPLAIN};
    row = (struct class_row){.student = "s1",
                             .name = "Ada <b>",
                             .state = CLASS_GRADED,
                             .trouble = "",
                             .attempts = 1,
                             .marks = marks,
                             .final = {.raw = 87.5, .mark = 87.5, .maximum = 100}};
    class = (struct class_results){.title = "Matrices & <more>",
                                   .rows = &row,
                                   .row_count = 1,
                                   .criteria = of_class,
                                   .criterion_count = 2};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    text_release(&text);
    arena_free(arena);
    return 0;
}

static void make(void)
{
    struct report shown;

    text_clear(&text);
    student_page_report(&class, &row, &report, arena, &shown);
    diagnostics_make(&shown, arena);
    student_page(&class, &row, &shown, &text);
}

static bool has(const char *words)
{
    return strstr(text.bytes, words) != NULL;
}

static void test_mark(void **state)
{
    (void)state;
    make();
    assert_true(has("Mark: <strong>87.5</strong> of 100."));
    assert_true(has("Ada &lt;b&gt;"));
    assert_false(has("Handed in"));
    assert_false(has("attempts"));
    assert_false(has("secret"));
    assert_true(text_starts_with(text.bytes, "<!DOCTYPE html>"));
    assert_true(text_ends_with(text.bytes, "</html>\n"));
}

static void test_late(void **state)
{
    (void)state;
    row.final = (struct class_final){
        .raw = 97.5, .penalty = 10, .mark = 87.5, .maximum = 100, .late_s = 90180};
    row.attempts = 3;
    make();
    assert_true(has("Handed in 25 h 3 min late, which costs 10 points."));
    assert_true(has("You made 3 attempts; this is the one that counts."));
    assert_true(has("<strong>87.5</strong><span> of 100 points</span>"));
    assert_true(has("10 taken off for being late"));
    row.final.penalty = 0;
    make();
    assert_true(has("late, which costs nothing"));
    row.final.is_cut_off = true;
    make();
    assert_true(has("too late to count"));
}

/* The mark would tell what the hidden part gave; so would a penalty: it is a share of all points,
 * or all that there are. */
static void test_hidden(void **state)
{
    (void)state;
    class.has_hidden = true;
    make();
    assert_false(has("87.5"));
    assert_false(has("Mark:"));
    assert_false(has("secret"));
    assert_true(has("<strong>5</strong><span> of 5 points</span>"));
    row.final = (struct class_final){
        .raw = 87.5, .penalty = 87.5, .mark = 0, .maximum = 100, .late_s = 100};
    make();
    assert_false(has("87.5"));
    assert_false(has("all points"));
    assert_true(has("late, which costs points."));
    /* Ten percent of all points, hidden ones too. */
    row.final.penalty = 10.5;
    make();
    assert_false(has("10.5"));
    assert_true(has("late, which costs points."));
}

/* An error of what is hidden takes the mark away, without a word. */
static void test_error(void **state)
{
    static const struct class_mark in_error[] = {
        {.is_judged = true, .status = STATUS_ERROR},
        {.is_judged = true, .status = STATUS_PASSED, .points = 95},
    };
    static const struct class_mark hidden_in_error[] = {
        {.is_judged = true, .status = STATUS_PASSED, .points = 5},
        {.is_judged = true, .status = STATUS_ERROR},
    };

    (void)state;
    row.marks = in_error;
    make();
    assert_false(has("Mark:"));
    assert_true(has("There is no mark yet"));
    row.marks = hidden_in_error;
    make();
    assert_false(has("Mark:"));
    assert_false(has("There is no mark yet"));
    assert_false(has("lead mark"));
}

static void test_unmeasured(void **state)
{
    static const struct class_criterion with_speed[] = {
        {"compile", "compiles", "compile", 5, false, false, false},
        {"speedup", "speedup", "speedup", 15, false, false, true},
    };
    static const struct class_criterion others_with_speed[] = {
        {"compile", "compiles", "compile", 5, false, false, false},
        {"speedup", "speedup", "speedup", 15, false, false, false},
    };
    static const struct class_mark skipped[] = {
        {.is_judged = true, .status = STATUS_PASSED, .points = 5},
        {.is_judged = true, .status = STATUS_SKIPPED},
    };

    (void)state;
    class.criteria = with_speed;
    row.marks = skipped;
    make();
    assert_true(has("</strong> of 100; 15 more could not be judged where this was graded."));
    class.criteria = others_with_speed;
    make();
    assert_true(has("</strong> of 100; 15 of these are not judged yet."));
}

static void test_decisions(void **state)
{
    static const struct class_decision decisions[] = {
        {.kind = DECISION_POINTS, .about = "", .value = -2, .text = "late <note>", .made_by = ""},
        {.kind = DECISION_GRADE, .about = "compile", .value = 3, .text = "", .made_by = ""},
        {.kind = DECISION_COMMENT, .about = "", .text = "Use `shared` <memory>", .made_by = ""},
    };
    static const struct class_mark graded[] = {
        {.is_judged = true, .status = STATUS_PARTIAL, .points = 3},
        {.is_judged = true, .status = STATUS_PASSED, .points = 95},
    };
    struct verdict *open = (struct verdict *)report.verdicts;
    (void)state;

    open[0].status = STATUS_OPEN;
    open[0].points = 0;
    row.marks = graded;
    row.decisions = decisions;
    row.decision_count = 3;
    row.final.added = -2;
    make();
    assert_true(has("Decided by a person: 2 points taken off: late &lt;note&gt;."));
    assert_true(has("<p class=\"lead comment\">Use <code>shared</code> &lt;memory&gt;</p>"));
    assert_true(has("a person gave these points"));
    assert_true(has("2 taken off by a person"));
    row.final.is_excused = true;
    make();
    assert_true(has("You are excused"));
    assert_false(has("Mark:"));
}

static void test_extension(void **state)
{
    static const struct class_decision more[] = {
        {.kind = DECISION_DAYS, .value = 2, .about = "", .text = "ill", .made_by = ""}};
    (void)state;

    row.decisions = more;
    row.decision_count = 1;
    make();
    assert_true(has("Decided by a person: 2 more days: ill. "));
    assert_false(has("due at"));
    row.due = 1795348800;
    make();
    assert_true(has("2 more days: ill. Your work is due at 2026-11-22T12:00:00Z."));
}

static void test_nothing(void **state)
{
    (void)state;
    row.state = CLASS_NOTHING;
    row.trouble = "the archive `a<b>.zip` is broken";
    row.final = (struct class_final){.maximum = 100};
    student_page_nothing(&class, &row, &text);
    assert_true(has("Nothing could be graded"));
    assert_true(has("the archive <code>a&lt;b&gt;.zip</code> is broken"));
    assert_true(has("Mark: <strong>0</strong> of 100."));
    assert_true(has("Matrices &amp; &lt;more&gt;"));
    text_clear(&text);
    row.state = CLASS_MISSING;
    student_page_nothing(&class, &row, &text);
    assert_true(has("There is no submission of yours that counts."));
    assert_false(has("Mark:"));
}

/* Who they are on the leaderboard, and where: nobody else says it to them. */
static void test_place(void **state)
{
    (void)state;
    make();
    assert_false(has("leaderboard"));
    class.ranked_by = RANKED_BY_SPEEDUP;
    row.alias = "calm heron";
    make();
    assert_true(has("On the leaderboard you are calm heron, but not on it yet."));
    row.place = 3;
    row.places = 25;
    class.board_page = "leaderboard.html";
    make();
    assert_true(has("On the <a href=\"leaderboard.html\">leaderboard</a> you are "
                    "<strong>calm heron</strong>, place 3 of 25."));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_mark, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_late, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_hidden, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_error, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_unmeasured, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_decisions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_extension, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_place, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
