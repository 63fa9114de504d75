/* test_score_change.c: what a student reads between two checks. */
#include "report/score/score_change.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* A score file with one criterion for each of three rows. */
static const char score_format[] =
    "{\"schema\": \"gpugrade/score/v1\", \"score\": %s, \"measurable_max\": 85, \"criteria\": ["
    "{\"id\": \"correct\", \"title\": \"correct\", \"status\": \"%s\", \"points\": %s,"
    " \"max_points\": 20, \"cause\": null},"
    "{\"id\": \"race\", \"title\": \"race-free, tiled\", \"status\": \"failed\", \"points\": 0,"
    " \"max_points\": 10, \"cause\": {\"code\": \"%s\"}},"
    "{\"id\": \"speed\", \"title\": \"speedup\", \"status\": \"skipped\", \"points\": 0,"
    " \"max_points\": 15, \"cause\": null}]}";

static void read_score(struct arena *arena, const char *score, const char *status,
                       const char *points, const char *code, struct score_summary *out_summary)
{
    struct diagnostic diagnostic;
    char text[2048];
    int length = snprintf(text, sizeof text, score_format, score, status, points, code);

    assert_true(length > 0 && (size_t)length < sizeof text);
    assert_int_equal(score_summary_read(arena, text, (size_t)length, out_summary, &diagnostic),
                     ERROR_NONE);
}

static void expect_change(const struct score_summary *before, const struct score_summary *after,
                          const char *expected)
{
    const struct terminal_style style = {.color = false, .columns = 100};
    struct text text;

    text_init(&text);
    score_change(before, after, &style, &text);
    assert_string_equal(text.bytes, expected);
    text_release(&text);
}

static void status_and_points_are_told(void **state)
{
    struct arena *arena = arena_new();
    struct score_summary before, after;

    (void)state;
    read_score(arena, "55", "failed", "0", "shared_race", &before);
    read_score(arena, "75", "passed", "20", "shared_race", &after);
    expect_change(&before, &after,
                  "changed since the last check:\n"
                  "   FAIL -> PASS  correct           0 -> 20\n"
                  "score 55 -> 75 of 85\n");
    expect_change(&after, &before,
                  "changed since the last check:\n"
                  "   PASS -> FAIL  correct           20 -> 0\n"
                  "score 75 -> 55 of 85\n");
    arena_free(arena);
}

static void another_cause_is_told(void **state)
{
    struct arena *arena = arena_new();
    struct score_summary before, after;

    (void)state;
    read_score(arena, "20", "passed", "20", "named_mistake", &before);
    read_score(arena, "20", "passed", "20", "shared_race", &after);
    expect_change(&before, &after,
                  "changed since the last check:\n"
                  "   FAIL          race-free, tiled  now R01, was W02\n"
                  "score 20 -> 20 of 85\n");
    arena_free(arena);
}

static void equal_scores_change_nothing(void **state)
{
    struct arena *arena = arena_new();
    struct score_summary before, after;

    (void)state;
    read_score(arena, "20", "passed", "20", "shared_race", &before);
    read_score(arena, "20", "passed", "20", "shared_race", &after);
    expect_change(&before, &after, "nothing changed since the last check\n");
    arena_free(arena);
}

static void new_criteria_are_told(void **state)
{
    struct arena *arena = arena_new();
    struct score_summary before, after;

    (void)state;
    read_score(arena, "20", "passed", "20", "shared_race", &after);
    before = after;
    before.row_count = 1;
    expect_change(&before, &after,
                  "changed since the last check:\n"
                  "   FAIL          race-free, tiled\n"
                  "   SKIP          speedup\n"
                  "score 20 -> 20 of 85\n");
    arena_free(arena);
}

static void no_score_is_an_error(void **state)
{
    struct arena *arena = arena_new();
    struct score_summary summary;
    struct diagnostic diagnostic;

    (void)state;
    assert_int_equal(score_summary_read(arena, "{\"a\":", 5, &summary, &diagnostic), ERROR_SYNTAX);
    assert_int_equal(score_summary_read(arena, "[]", 2, &summary, &diagnostic), ERROR_NONE);
    assert_int_equal(summary.row_count, 0);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(status_and_points_are_told),  cmocka_unit_test(another_cause_is_told),
        cmocka_unit_test(equal_scores_change_nothing), cmocka_unit_test(new_criteria_are_told),
        cmocka_unit_test(no_score_is_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
