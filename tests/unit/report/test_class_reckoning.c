/* test_class_reckoning.c: where a mark comes from, as `gpugrade mark` shows it. */
#include "base/arena.h"
#include "report/class/class_reckoning.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { DUE = 1795176000, DAY = 86400 }; /* 2026-11-20T12:00:00Z */

static const struct class_criterion criteria[] = {
    {.id = "correct", .title = "it is right", .kind = "correct", .points = 20},
    {.id = "talk", .title = "a talk", .kind = "manual", .points = 5},
};

static const struct class_results class = {
    .criteria = criteria, .criterion_count = 2, .maximum = 25};

static const struct class_mark wrong[] = {
    {.is_judged = true, .status = STATUS_FAILED, .code = CODE_SHARED_RACE},
    {.is_judged = true, .status = STATUS_OPEN, .code = CODE_NONE},
};

static const struct class_mark right[] = {
    {.is_judged = true, .status = STATUS_PASSED, .points = 20, .code = CODE_NONE},
    {.is_judged = true, .status = STATUS_PARTIAL, .points = 2.5, .code = CODE_NONE},
};

static const struct class_attempt attempts[] = {
    {"first\x1b.zip", DUE, CLASS_GRADED, ATTEMPT_OTHER, false, "", {.raw = 0}, wrong},
    {"second.zip",
     DUE + 240,
     CLASS_GRADED,
     ATTEMPT_COUNTS,
     true,
     "",
     {.raw = 22.5, .penalty = 3.25, .late_s = 240},
     right},
    {"third.zip", 0, CLASS_NOTHING, ATTEMPT_DROPPED, false, "no files", {.raw = 0}, NULL},
    {"fourth.zip",
     DUE + 9 * DAY,
     CLASS_GRADED,
     ATTEMPT_GONE,
     false,
     "",
     {.raw = 22.5, .penalty = 22.5, .late_s = 9 * DAY, .is_cut_off = true},
     right},
};

static struct class_row make_row(void)
{
    return (struct class_row){
        .student = "1001",
        .name = "Ann Ant",
        .submission = "second.zip",
        .state = CLASS_GRADED,
        .trouble = "",
        .final = attempts[1].final,
        .due = DUE,
        .marks = right,
        .handed_in = attempts,
        .handed_in_count = sizeof attempts / sizeof attempts[0],
    };
}

static void all_attempts_are_shown(void **state)
{
    struct class_row row = make_row();
    struct text text;
    (void)state;

    row.final.mark = 20.25;
    row.final.added = 1;
    text_init(&text);
    class_append_reckoning(&class, &row, DUE, &text);
    assert_string_equal(
        text.bytes,
        "1001 Ann Ant: 20.25 of 25\n"
        "  graded: second.zip\n"
        "  due             2026-11-20T12:00:00Z, as for the class\n"
        "  criteria        22.5\n"
        "  late            -3.25  4 min\n"
        "  by a person     1\n"
        "  handed in, oldest first:\n"
        "  2026-11-20T12:00:00Z  first\\x1B.zip: 0 of 25; another attempt counts\n"
        "      correct: failed, 0 of 20; R01 data race in shared memory, no barrier between two "
        "threads\n"
        "      talk: open\n"
        "  2026-11-20T12:04:00Z (of earlier files)  second.zip: 22.5 of 25, 3.25 off for being "
        "late; counts\n"
        "      talk: partial, 2.5 of 5\n"
        "  at an unknown time  third.zip: nothing, no files; dropped by a person\n"
        "  2026-11-29T12:00:00Z  fourth.zip: 22.5 of 25, too late to count; not there any more\n"
        "      talk: partial, 2.5 of 5\n");
    text_release(&text);
}

static void a_due_time_is_shown(void **state)
{
    struct class_row row = make_row();
    struct text text;
    (void)state;

    text_init(&text);
    row.due = DUE + 2 * DAY;
    class_append_due(&row, DUE, &text);
    assert_string_equal(
        text.bytes, "  due             2026-11-22T12:00:00Z, for the class 2026-11-20T12:00:00Z\n");
    text_clear(&text);
    row.due = 0;
    class_append_due(&row, 0, &text);
    assert_string_equal(text.bytes, "  due             never: the rubric has no 'late'\n");
    text_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_attempts_are_shown),
        cmocka_unit_test(a_due_time_is_shown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
