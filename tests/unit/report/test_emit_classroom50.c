/* test_emit_classroom50.c: Classroom 50's result. */
#include "base/json.h"
#include "report/platform/emit_format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "made_report.h"

static cJSON *fifty_of(const struct report *report)
{
    struct text text;

    text_init(&text);
    emit_classroom50(report, &made_options, &text);
    cJSON *root = cJSON_Parse(text.bytes);
    assert_non_null(root);
    text_release(&text);
    return root;
}

static int number_of(const cJSON *object, const char *key)
{
    const cJSON *number = cJSON_GetObjectItem(object, key);

    assert_true(cJSON_IsNumber(number));
    assert_true(number->valuedouble == (double)number->valueint);
    return number->valueint;
}

static void assert_text(const cJSON *object, const char *key, const char *expected)
{
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(object, key)), expected);
}

static const cJSON *test_of(const cJSON *root, int index)
{
    return cJSON_GetArrayItem(cJSON_GetObjectItem(root, "tests"), index);
}

static int sum_of(const cJSON *root, const char *key)
{
    const cJSON *test;
    int sum = 0;

    cJSON_ArrayForEach(test, cJSON_GetObjectItem(root, "tests"))
    {
        sum += number_of(test, key);
    }
    return sum;
}

static void fifty_adds_up(void **state)
{
    struct made_report made;

    (void)state;
    made_init(&made);
    cJSON *root = fifty_of(&made.report);
    assert_text(root, "schema", "classroom50/result/v1");
    assert_text(root, "datetime", "2026-06-01T14:32:01Z");
    assert_int_equal(number_of(root, "score"), 12);
    assert_int_equal(number_of(root, "max-score"), 44); /* with what the bonus adds */
    assert_int_equal(sum_of(root, "score"), 12);
    assert_int_equal(sum_of(root, "max-score"), 44);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(root, "tests")), 6);
    assert_text(test_of(root, 0), "test-name", "compile");
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(test_of(root, 0), "passed")));
    assert_null(cJSON_GetObjectItem(test_of(root, 0), "message"));
    const cJSON *partial = test_of(root, 3);
    assert_true(cJSON_IsFalse(cJSON_GetObjectItem(partial, "passed")));
    assert_int_equal(number_of(partial, "score"), 3);
    assert_text(partial, "message", "2048 bytes instead of 1024");
    const cJSON *error = test_of(root, 4);
    assert_int_equal(number_of(error, "max-score"), 0);
    assert_text(error, "status", "error");
    cJSON_Delete(root);
}

/* No points are worth more than the whole, and the whole is what was measured. */
static void fifty_is_never_above_its_maximum(void **state)
{
    enum { ROUNDS = 400 };
    struct made_report made;
    unsigned draw = 1;

    (void)state;
    made_init(&made);
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < MADE_VERDICTS; i++) {
            draw = draw * 1103515245u + 12345u;
            made.criteria[i].points = (double)(draw >> 8 & 63) / 4;
            made.verdicts[i].status = (enum status)((draw >> 16) % 5);
            bool is_earned = made.verdicts[i].status <= STATUS_PARTIAL;
            made.verdicts[i].points =
                is_earned ? made.criteria[i].points / (double)(1 + made.verdicts[i].status) : 0;
        }
        cJSON *root = fifty_of(&made.report);
        const cJSON *test;
        assert_int_equal(number_of(root, "score"), sum_of(root, "score"));
        assert_int_equal(number_of(root, "max-score"), sum_of(root, "max-score"));
        cJSON_ArrayForEach(test, cJSON_GetObjectItem(root, "tests"))
        {
            assert_in_range(number_of(test, "score"), 0, number_of(test, "max-score"));
        }
        cJSON_Delete(root);
    }
}

/* Classroom 50 takes a result without tests for a pass. */
static void fifty_is_no_pass_where_nothing_was_measured(void **state)
{
    struct made_report made;

    (void)state;
    made_init(&made);
    made_all(&made, STATUS_SKIPPED);
    cJSON *root = fifty_of(&made.report);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(root, "tests")), 1);
    assert_true(cJSON_IsFalse(cJSON_GetObjectItem(test_of(root, 0), "passed")));
    assert_int_equal(number_of(root, "max-score"), 0);
    cJSON_Delete(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fifty_adds_up),
        cmocka_unit_test(fifty_is_never_above_its_maximum),
        cmocka_unit_test(fifty_is_no_pass_where_nothing_was_measured),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
