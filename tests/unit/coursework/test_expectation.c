/* test_expectation.c: lines of `expect` against a score. */
#include "coursework/expectation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char score_text[] =
    "{\"criteria\": ["
    "{\"id\": \"compile\", \"status\": \"passed\", \"cause\": null},"
    "{\"id\": \"correct\", \"status\": \"failed\", \"cause\": {\"kind\": \"wrong_result\", "
    "\"code\": \"named_mistake\", \"message\": \"every element is copied\", \"file\": \"a.cu\", "
    "\"line\": 8, \"hint\": \"copy less\"}},"
    "{\"id\": \"speed\", \"status\": \"skipped\", \"cause\": null}],"
    "\"findings\": [{\"code\": \"shared_read_write\", \"severity\": \"error\"}],"
    "\"remarks\": [{\"message\": \"barriers: 3 are needless\"}]}";

/* Checks the lines and returns what is appended, in the arena. */
static const char *check(struct arena *arena, const char *expect, bool only_known,
                         struct expectations *out)
{
    cJSON *score = cJSON_Parse(score_text);
    struct text text;

    assert_non_null(score);
    text_init(&text);
    *out = expectations_check(expect, score, only_known, &text);
    const char *lines = arena_strdup(arena, text.bytes);
    text_release(&text);
    cJSON_Delete(score);
    return lines;
}

static void what_is_met_says_nothing(void **state)
{
    static const char *const met[] = {
        "compile passed",
        "correct failed",
        "correct failed wrong_result",
        "correct failed wrong_result named_mistake",
        "correct failed wrong_result named_mistake a.cu:8",
        "  correct \t failed  \r\n\n# correct passed\n",
        "correct says element is copied",
        "correct hints copy less",
        "remark 3 are needless",
        "finding shared_read_write error",
        "speed skipped",
    };
    struct arena *arena = arena_new();
    struct expectations result;

    (void)state;
    for (size_t i = 0; i < sizeof met / sizeof met[0]; i++) {
        assert_string_equal(check(arena, met[i], false, &result), "");
        assert_int_equal(result.count, 1);
        assert_int_equal(result.unmet, 0);
    }
    arena_free(arena);
}

static void what_is_not_met_says_what_came(void **state)
{
    static const struct {
        const char *expect, *lines;
    } rows[] = {
        {"compile failed", "expected compile failed, got passed\n"},
        {"compile passed compile", "expected compile passed compile, got passed\n"},
        {"compile", "line 1 of expect says 'compile'; these words can follow a criterion: passed, "
                    "partial, failed, skipped, error, open, says, hints\n"},
        {"\n# x\ncompile faild",
         "line 3 of expect says 'compile faild'; these words can follow a "
         "criterion: passed, partial, failed, skipped, error, open, says, hints\n"},
        {"all pased", "line 1 of expect says 'all pased'; only 'passed' can follow 'all'\n"},
        {"all passed now",
         "line 1 of expect says 'all passed now'; only 'passed' can follow 'all'\n"},
        {"al passed", "expected al passed, got no such criterion\n"},
        {"correct failed race", "expected correct failed race, got failed wrong_result "
                                "named_mistake a.cu:8 (every element "
                                "is copied)\n"},
        {"correct failed wrong_result named_mistake a.cu:9",
         "expected correct failed wrong_result named_mistake a.cu:9, got failed wrong_result "
         "named_mistake a.cu:8 (every element is copied)\n"},
        {"correct failed wrong_result named_mistake a.cu:8 more",
         "expected correct failed wrong_result named_mistake a.cu:8 more, got failed wrong_result "
         "named_mistake a.cu:8 (every element is copied)\n"},
        {"correct says nothing of it",
         "expected correct says nothing of it, got failed wrong_result named_mistake a.cu:8 (every "
         "element is copied)\n"},
        {"correct hints element is copied",
         "expected correct hints element is copied, got failed wrong_result named_mistake a.cu:8 "
         "(copy less)\n"},
        {"compile hints anything", "expected compile hints anything, got passed\n"},
        {"compile says anything", "expected compile says anything, got passed\n"},
        {"nosuch passed", "expected nosuch passed, got no such criterion\n"},
        {"remark stores", "expected remark stores, got barriers: 3 are needless\n"},
        {"finding shared_read_write warning",
         "expected finding shared_read_write warning, got shared_read_write error\n"},
        {"all passed",
         "expected correct passed, got failed wrong_result named_mistake a.cu:8 (every element is "
         "copied)\n"},
    };
    struct arena *arena = arena_new();
    struct expectations result;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_string_equal(check(arena, rows[i].expect, false, &result), rows[i].lines);
        assert_int_equal(result.count, 1);
        assert_int_equal(result.unmet, 1);
    }
    arena_free(arena);
}

static void several_lines_are_counted(void **state)
{
    struct arena *arena = arena_new();
    struct expectations result;

    (void)state;
    check(arena, "compile passed\n\ncorrect passed\n#\nspeed passed", false, &result);
    assert_int_equal(result.count, 3);
    assert_int_equal(result.unmet, 2);
    assert_string_equal(check(arena, "\n# nothing\n \t\n", false, &result), "");
    assert_int_equal(result.count, 0);
    assert_string_equal(check(arena, "", false, &result), "");
    assert_int_equal(result.count, 0);
    arena_free(arena);
}

static void an_overlay_may_lack_criteria(void **state)
{
    struct arena *arena = arena_new();
    struct expectations result;

    (void)state;
    assert_string_equal(check(arena, "nosuch passed\ncompile passed", true, &result), "");
    assert_int_equal(result.unmet, 0);
    check(arena, "compile failed", true, &result);
    assert_int_equal(result.unmet, 1);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_met_says_nothing),
        cmocka_unit_test(what_is_not_met_says_what_came),
        cmocka_unit_test(several_lines_are_counted),
        cmocka_unit_test(an_overlay_may_lack_criteria),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
