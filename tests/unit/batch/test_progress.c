/* test_progress.c: how far a batch is, in words. */
#include "batch/progress.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct text text;

static int set_up(void **state)
{
    (void)state;
    text_init(&text);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    text_release(&text);
    return 0;
}

static void times_are_short(void **state)
{
    static const struct {
        double seconds;
        const char *text;
    } rows[] = {{-1, "0 s"},      {0.4, "0 s"},      {99, "99 s"},         {100, "2 min"},
                {3599, "60 min"}, {5999, "100 min"}, {6000, "1 h 40 min"}, {7500, "2 h 05 min"}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        text_clear(&text);
        progress_append_time(rows[i].seconds, &text);
        assert_string_equal(text.bytes, rows[i].text);
    }
}

static void the_bar_is_as_wide_as_the_screen_allows(void **state)
{
    struct batch_progress progress = {.total = 200,
                                      .done = 50,
                                      .graded = 45,
                                      .failed = 20,
                                      .trouble = 2,
                                      .nothing = 3,
                                      .elapsed_s = 100,
                                      .remaining_s = 300};

    (void)state;
    progress_bar(&progress, 120, &text);
    assert_string_equal(text.bytes, "[#######.......................]  50/200  5 min left  30/min  "
                                    "2 could not be graded  20 failed  3 with nothing to grade");
    for (int columns = 0; columns < 130; columns++) {
        text_clear(&text);
        progress_bar(&progress, columns, &text);
        assert_true(text.length == 0 || text.length < (size_t)columns);
        assert_true(columns < 20 || strstr(text.bytes, "50/200") != NULL);
    }
    progress.is_ending = true;
    progress.running = 2;
    text_clear(&text);
    progress_bar(&progress, 100, &text);
    assert_non_null(strstr(text.bytes, "finishing 2; press Ctrl-C again to stop them"));
}

static void a_bar_of_nothing_is_full(void **state)
{
    struct batch_progress progress = {.remaining_s = -1};

    (void)state;
    progress_bar(&progress, 30, &text);
    assert_string_equal(text.bytes, "[######################]  0/0");
}

static void each_submission_is_a_line(void **state)
{
    static const struct {
        struct batch_event event;
        const char *text;
    } rows[] = {
        {{.submission = "anna", .score = 42.5, .maximum = 85, .seconds = 4.04},
         "graded   anna                      42.5/85  4.0 s\n"},
        {{.submission = "anna", .score = 5, .maximum = 20, .seconds = 4, .errors = 2},
         "graded   anna                      5/20  4.0 s  criteria in error: 2\n"},
        {{.submission = "anna", .score = 5, .maximum = 20, .seconds = 4, .wants_review = true},
         "graded   anna                      5/20  4.0 s  to review\n"},
        {{.submission = "b", .is_known = true, .score = 85, .maximum = 85},
         "reused   b                         85/85\n"},
        {{.submission = "c\x1b[0m.zip", .kind = OUTCOME_NOTHING, .message = "no archive"},
         "nothing  c\\x1B[0m.zip              0.0 s  no archive\n"},
        {{.submission = "d", .kind = OUTCOME_TROUBLE, .message = "a\nb", .is_retried = true},
         "trouble  d                         0.0 s  a\\x0Ab; it will be tried again\n"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        text_clear(&text);
        progress_event(&rows[i].event, &text);
        assert_string_equal(text.bytes, rows[i].text);
    }
}

static void the_end_is_one_line(void **state)
{
    struct batch_progress progress = {.total = 10, .done = 10, .graded = 10, .elapsed_s = 61};

    (void)state;
    progress_summary(&progress, &text);
    assert_string_equal(text.bytes, "10 of 10 submissions: 10 graded; 61 s\n");
    progress = (struct batch_progress){.total = 10,
                                       .done = 9,
                                       .graded = 6,
                                       .failed = 2,
                                       .nothing = 1,
                                       .known = 3,
                                       .errors = 1,
                                       .trouble = 2,
                                       .elapsed_s = 600};
    text_clear(&text);
    progress_summary(&progress, &text);
    assert_string_equal(
        text.bytes,
        "9 of 10 submissions: 6 graded (2 with failures), 1 with nothing to grade, "
        "3 with reused results, 1 graded only in part, 2 could not be graded; 10 min\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(times_are_short, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_bar_is_as_wide_as_the_screen_allows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_bar_of_nothing_is_full, set_up, tear_down),
        cmocka_unit_test_setup_teardown(each_submission_is_a_line, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_end_is_one_line, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
