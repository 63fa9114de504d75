/* test_final_marks.c: from points to marks: each second around the due time, the grace, the days
 * and the cut-off; bonus; which attempt counts. */
#include "batch/final_marks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { DAY = 86400, DUE = 1800000000, GRACE = 900, CUT_OFF = 3 * DAY };

static const struct rubric_criterion criteria[] = {
    {.id = "a", .points = 30}, {.id = "b", .points = 50}, {.id = "c", .points = 7, .bonus = true}};

static struct rubric rubric_with(struct late_policy late, enum attempts attempts)
{
    return (struct rubric){.criteria = criteria,
                           .criterion_count = COUNT(criteria),
                           .late = late,
                           .attempts = attempts};
}

/* The terms of a class in which all could be judged. */
#define TERMS(of)                                                                                  \
    (&(struct final_terms){.rubric = (of), .maximum = final_maximum((of), nothing_left_out)})

static const struct final_seen nothing_left_out[COUNT(criteria)] = {{false, false}};

static const struct late_policy percent = {.has_due = true,
                                           .due = DUE,
                                           .grace_s = GRACE,
                                           .per_day = 10,
                                           .is_percent = true,
                                           .has_cut_off = true,
                                           .cut_off_s = CUT_OFF};

static void each_second_counts(void **state)
{
    static const struct {
        int64_t after; /* the due time */
        double penalty;
        int64_t late_s;
        bool is_cut_off;
    } rows[] = {
        {-1000000, 0, 0, false},
        {0, 0, 0, false},
        {1, 0, 1, false},
        {GRACE, 0, GRACE, false},
        {GRACE + 1, 8, GRACE + 1, false}, /* 10 % of 80 */
        {GRACE + DAY, 8, GRACE + DAY, false},
        {GRACE + DAY + 1, 16, GRACE + DAY + 1, false},
        {CUT_OFF, 24, CUT_OFF, false},
        {CUT_OFF + 1, 60, CUT_OFF + 1, true},
        {INT64_C(1) << 60, 60, INT64_C(1) << 60, true},
    };
    struct rubric rubric = rubric_with(percent, ATTEMPTS_LATEST);

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct class_final final = final_mark(TERMS(&rubric), 60, DUE + rows[i].after);
        assert_true(final.penalty == rows[i].penalty);
        assert_true(final.mark == 60 - rows[i].penalty);
        assert_true(final.raw == 60);
        assert_true(final.maximum == 80);
        assert_int_equal(final.late_s, rows[i].late_s);
        assert_int_equal(final.is_cut_off, rows[i].is_cut_off);
    }
}

static void an_unknown_time_is_in_time(void **state)
{
    struct rubric rubric = rubric_with(percent, ATTEMPTS_LATEST);
    struct class_final final = final_mark(TERMS(&rubric), 60, 0);

    (void)state;
    assert_true(final.mark == 60);
    assert_int_equal(final.late_s, 0);
}

static void nobody_is_late_without_a_due_time(void **state)
{
    struct rubric rubric = rubric_with((struct late_policy){.per_day = 10}, ATTEMPTS_LATEST);

    (void)state;
    assert_true(final_mark(TERMS(&rubric), 60, INT64_MAX).mark == 60);
}

static void points_and_floors(void **state)
{
    struct late_policy late = percent;
    late.is_percent = false;
    late.per_day = 12.5;
    late.has_cut_off = false;
    struct rubric rubric = rubric_with(late, ATTEMPTS_LATEST);

    (void)state;
    assert_true(final_mark(TERMS(&rubric), 60, DUE + GRACE + 1).mark == 47.5);
    assert_true(final_mark(TERMS(&rubric), 60, DUE + 4 * DAY + GRACE + 1).mark == 0);
    assert_true(final_mark(TERMS(&rubric), 10, DUE + GRACE + 1).mark == 0); /* never below */
    assert_true(final_mark(TERMS(&rubric), 10, DUE + GRACE + 1).penalty == 10);
    assert_true(final_mark(TERMS(&rubric), 0, DUE + GRACE + 1).penalty == 0);
    /* bonus is taken along: 87 of 80 */
    assert_true(final_mark(TERMS(&rubric), 87, DUE + GRACE + 1).mark == 74.5);
    assert_true(final_mark(TERMS(&rubric), 87, DUE).mark == 87);
}

static void the_latest_attempt(void **state)
{
    struct rubric rubric = rubric_with(percent, ATTEMPTS_LATEST);
    struct attempt attempts[] = {{60, DUE - 10, true},
                                 {20, DUE - 5, true},
                                 {50, DUE + DAY, true},
                                 {80, DUE + CUT_OFF + 1, true}};

    (void)state;
    assert_int_equal(final_attempt(TERMS(&rubric), attempts, 0), -1);
    assert_int_equal(final_attempt(TERMS(&rubric), attempts, 1), 0);
    assert_int_equal(final_attempt(TERMS(&rubric), attempts, 2), 1);
    assert_int_equal(final_attempt(TERMS(&rubric), attempts, 3), 2);
    assert_int_equal(final_attempt(TERMS(&rubric), attempts, 4), 2); /* the last came too late */
    assert_int_equal(final_attempt(TERMS(&rubric), attempts + 3, 1), 0);
    attempts[2].is_settled = false; /* no other one stands in for it */
    assert_int_equal(final_attempt(TERMS(&rubric), attempts, 4), -1);
}

static void the_best_attempt(void **state)
{
    struct rubric rubric = rubric_with(percent, ATTEMPTS_BEST);
    struct attempt attempts[] = {{52, DUE - 10, true},
                                 {52, DUE - 5, true},
                                 {59, DUE + DAY, true}, /* 51 are left */
                                 {80, DUE + CUT_OFF + 1, true},
                                 {70, DUE - 1, false}};

    (void)state;
    assert_int_equal(final_attempt(TERMS(&rubric), attempts, COUNT(attempts)), 0);
    attempts[2].raw = 61;
    assert_int_equal(final_attempt(TERMS(&rubric), attempts, COUNT(attempts)), 2);
    attempts[4].is_settled = true;
    assert_int_equal(final_attempt(TERMS(&rubric), attempts, COUNT(attempts)), 4);
    assert_int_equal(final_attempt(TERMS(&rubric), attempts + 3, 1),
                     0); /* no mark is better than none */
    attempts[3].is_settled = false;
    assert_int_equal(final_attempt(TERMS(&rubric), attempts + 3, 1), -1);
}

/* Without a GPU nobody is judged by the second one: it is in no mark, and in no percentage. */
static void what_nobody_is_judged_by_is_left_out(void **state)
{
    struct rubric rubric = rubric_with(percent, ATTEMPTS_LATEST);
    struct final_seen seen[COUNT(criteria)] = {{true, false}, {false, true}, {false, true}};
    (void)state;

    assert_true(final_leaves_out(&seen[1]) && !final_leaves_out(&seen[0]));
    assert_true(final_maximum(&rubric, seen) == 30);
    const struct final_terms terms = {.rubric = &rubric, .maximum = final_maximum(&rubric, seen)};
    struct class_final final = final_mark(&terms, 30, DUE + DAY);
    assert_true(final.maximum == 30 && final.penalty == 3 && final.mark == 27);
    seen[1].is_judged = true; /* in one submission */
    assert_true(final_maximum(&rubric, seen) == 80);
    seen[1] = (struct final_seen){false, false}; /* in error: that costs no points */
    assert_true(final_maximum(&rubric, seen) == 80);
}

static struct class_final decided(const struct rubric *rubric, double raw, int64_t submitted,
                                  size_t count, const struct class_decision *decisions)
{
    struct final_terms terms = *TERMS(rubric);

    terms.decisions = decisions;
    terms.decision_count = count;
    return final_mark(&terms, raw, submitted);
}

static void the_last_extension_moves_the_due_time(void **state)
{
    struct rubric rubric = rubric_with(percent, ATTEMPTS_LATEST);
    const struct class_decision days[] = {
        {.kind = DECISION_UNTIL, .value = (double)DUE + DAY, .about = "", .text = ""},
        {.kind = DECISION_DAYS, .value = 2, .about = "", .text = ""},
        {.kind = DECISION_UNTIL, .value = (double)DUE - DAY, .about = "", .text = ""},
    };
    (void)state;

    assert_int_equal(decided(&rubric, 60, DUE + DAY + 1, 1, days).late_s, 1);
    assert_int_equal(decided(&rubric, 60, DUE + 2 * DAY, 2, days).late_s, 0);
    struct class_final final = decided(&rubric, 60, DUE + 3 * DAY + 1, 2, days);
    assert_int_equal(final.late_s, DAY + 1);
    assert_int_equal(final_due(&(struct final_terms){&rubric, 100, days, 2}), DUE + 2 * DAY);
    assert_int_equal(final_due(&(struct final_terms){&rubric, 100, days, 3}), DUE);
    rubric.late.has_due = false;
    assert_int_equal(final_due(&(struct final_terms){&rubric, 100, days, 2}), 0);
    rubric.late.has_due = true;
    assert_true(final.penalty == 8);
    assert_true(decided(&rubric, 60, DUE + 2 * DAY + CUT_OFF + 1, 2, days).is_cut_off);
    assert_false(decided(&rubric, 60, DUE + 2 * DAY + CUT_OFF, 2, days).is_cut_off);
    assert_int_equal(decided(&rubric, 60, DUE, 3, days).late_s, 0); /* never earlier */
    assert_int_equal(decided(&rubric, 60, DUE + 7, 3, days).late_s, 7);
}

static void points_come_last(void **state)
{
    struct rubric rubric = rubric_with(percent, ATTEMPTS_LATEST);
    const struct class_decision points[] = {
        {.kind = DECISION_POINTS, .value = 5, .about = "", .text = "asked well"},
        {.kind = DECISION_POINTS, .value = -70, .about = "", .text = "copied"},
        {.kind = DECISION_EXCUSE, .about = "", .text = ""},
    };
    (void)state;

    assert_true(decided(&rubric, 60, DUE, 1, points).mark == 65);
    assert_true(decided(&rubric, 60, DUE + 8 * DAY, 1, points).mark == 5); /* beyond the cut-off */
    struct class_final final = decided(&rubric, 60, DUE, 2, points);
    assert_true(final.added == -65 && final.mark == 0 && !final.is_excused);
    assert_true(decided(&rubric, 60, DUE, 3, points).is_excused);
}

static void a_person_grades_what_is_open(void **state)
{
    static const struct rubric_criterion with_talk[] = {
        {.id = "a", .points = 30},
        {.id = "talk", .points = 10, .kind = CRITERION_MANUAL},
    };
    const struct rubric rubric = {.criteria = with_talk, .criterion_count = 2};
    const struct class_decision grades[] = {
        {.kind = DECISION_GRADE, .value = 4, .about = "talk", .text = ""},
        {.kind = DECISION_GRADE, .value = 40, .about = "talk", .text = ""},
        {.kind = DECISION_GRADE, .value = 4, .about = "a", .text = ""},
    };
    struct final_terms terms = {.rubric = &rubric, .decisions = grades, .decision_count = 1};
    struct class_mark marks[2] = {{.is_judged = true, .points = 30},
                                  {.is_judged = true, .status = STATUS_OPEN}};
    struct final_seen seen[2] = {{false, false}};
    (void)state;

    final_see(&seen[1], &marks[1]);
    assert_true(final_leaves_out(&seen[1]));
    final_grade(&terms, marks);
    assert_true(marks[1].points == 4 && marks[1].status == STATUS_PARTIAL);
    terms.decision_count = 3;
    final_grade(&terms, marks);
    assert_true(marks[1].points == 10 && marks[1].status == STATUS_PASSED);
    assert_true(marks[0].points == 30); /* not for a person */
    final_see(&seen[1], &marks[1]);
    assert_false(final_leaves_out(&seen[1]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_second_counts),
        cmocka_unit_test(an_unknown_time_is_in_time),
        cmocka_unit_test(nobody_is_late_without_a_due_time),
        cmocka_unit_test(points_and_floors),
        cmocka_unit_test(what_nobody_is_judged_by_is_left_out),
        cmocka_unit_test(the_last_extension_moves_the_due_time),
        cmocka_unit_test(points_come_last),
        cmocka_unit_test(a_person_grades_what_is_open),
        cmocka_unit_test(the_latest_attempt),
        cmocka_unit_test(the_best_attempt),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
