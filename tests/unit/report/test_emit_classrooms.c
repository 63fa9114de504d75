/* test_emit_classrooms.c: GitHub Classroom's line in base64, and Classroom 50's result. */
#include "base/json.h"
#include "report/platform/emit_classroom50.h"
#include "report/platform/emit_github_classroom.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "made_report.h"

enum { ENVIRONMENT_BYTES_MAX = 128 * 1024 };

/* The bytes that one line of base64 stands for. */
static void decode(const struct text *line, struct text *out)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t bits = 0;
    unsigned count = 0;

    assert_int_equal(strcspn(line->bytes, "\n"), line->length - 1);
    assert_int_equal((line->length - 1) % 4, 0);
    for (size_t i = 0; i + 1 < line->length && line->bytes[i] != '='; i++) {
        const char *letter = strchr(letters, line->bytes[i]);
        assert_non_null(letter);
        bits = bits << 6 | (uint32_t)(letter - letters);
        count += 6;
        if (count >= 8) {
            count -= 8;
            text_append_char(out, (char)(bits >> count & 0xFF));
        }
    }
}

static cJSON *github_of(const struct report *report)
{
    struct text line, json;

    text_init(&line);
    text_init(&json);
    emit_github_classroom(report, &made_options, &line);
    assert_true(line.length < ENVIRONMENT_BYTES_MAX);
    decode(&line, &json);
    assert_true(text_is_utf8(json.bytes, json.length));
    cJSON *root = cJSON_Parse(json.bytes);
    assert_non_null(root);
    text_release(&json);
    text_release(&line);
    return root;
}

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

static void github_counts_what_was_measured(void **state)
{
    struct made_report made;

    (void)state;
    made_init(&made);
    cJSON *root = github_of(&made.report);
    assert_int_equal(number_of(root, "version"), 1);
    assert_text(root, "status", "fail");
    assert_int_equal(number_of(root, "max_score"), 40);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(root, "tests")), 6);
    assert_int_equal(sum_of(root, "score"), 12); /* 5 + 2.5 + 4 */

    const cJSON *passed = test_of(root, 0);
    assert_text(passed, "name", "compile");
    assert_text(passed, "status", "pass");
    assert_text(passed, "message", "");
    assert_text(passed, "filename", "");
    assert_int_equal(number_of(passed, "line_no"), 0);
    assert_int_equal(number_of(passed, "duration"), 0);

    const cJSON *race = test_of(root, 2);
    assert_text(race, "name", "race-free, tiled");
    assert_text(race, "status", "fail");
    assert_text(race, "message",
                "failed: error[R01]: shared tile `Bs` is read while others write it; "
                "hint: wait before the tile is read");
    assert_text(race, "test_code", "gpugrade check . --only race-free.tiled --seed 0x1");
    assert_text(race, "filename", "hw3/a.cu");
    assert_int_equal(number_of(race, "line_no"), 31);

    const cJSON *partial = test_of(root, 3);
    assert_text(partial, "status", "fail");
    assert_text(partial, "message",
                "partial, 2.5 of 5 points: error[L05]: 2048 bytes instead of 1024");
    assert_text(partial, "filename", "hw3/my b,c:d.cu");
    assert_text(test_of(root, 4), "name", "block size");
    assert_text(test_of(root, 4), "status", "error");
    assert_int_equal(number_of(test_of(root, 4), "score"), 0);
    cJSON_Delete(root);
}

static void github_status_is_that_of_the_worst(void **state)
{
    struct made_report made;

    (void)state;
    made_init(&made);
    made_all(&made, STATUS_PASSED);
    made.verdicts[4].status = STATUS_SKIPPED;
    cJSON *root = github_of(&made.report);
    assert_text(root, "status", "pass");
    cJSON_Delete(root);
    made.verdicts[5].status = STATUS_ERROR;
    root = github_of(&made.report);
    assert_text(root, "status", "error");
    cJSON_Delete(root);
    made_all(&made, STATUS_SKIPPED);
    root = github_of(&made.report);
    assert_text(root, "status", "error");
    assert_int_equal(number_of(root, "max_score"), 0);
    assert_text(test_of(root, 0), "message", "nothing could be measured on this machine");
    cJSON_Delete(root);
}

/* The reporter prints it into a log that commands are read from. */
static void github_prints_no_command(void **state)
{
    struct made_report made;

    (void)state;
    made_init(&made);
    made.diagnostics[0].message = "x\n::error file=b.cu::forged\r\n##[error]forged";
    made.diagnostics[0].file = "../b.cu";
    cJSON *root = github_of(&made.report);
    const cJSON *race = test_of(root, 2);
    assert_text(race, "message",
                "failed: error[R01]: x\\x0A::error file=b.cu::forged\\x0D\\x0A##\\x5Berror]forged; "
                "hint: wait before the tile is read");
    assert_text(race, "filename", "");
    assert_int_equal(number_of(race, "line_no"), 0);
    cJSON_Delete(root);
}

/* However much a student makes of it, it is an environment variable. */
static void github_fits_into_the_environment(void **state)
{
    enum { MANY = 64, LONG = 50000 };
    static struct verdict verdicts[MANY];
    static struct report_diagnostic diagnostics[MANY];
    static size_t indices[MANY];
    static char message[LONG + 1];
    struct made_report made;

    (void)state;
    made_init(&made);
    memset(message, '\x01', LONG);
    for (size_t i = 0; i < MANY; i++) {
        indices[i] = i;
        verdicts[i] = made.verdicts[2];
        diagnostics[i] = made.diagnostics[0];
        diagnostics[i].message = message;
        diagnostics[i].verdicts = &indices[i];
        diagnostics[i].verdict_count = 1;
    }
    made.report.verdicts = verdicts;
    made.report.verdict_count = MANY;
    made.report.diagnostics = diagnostics;
    made.report.diagnostic_count = MANY;
    cJSON *root = github_of(&made.report);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(root, "tests")), MANY);
    const char *told = cJSON_GetStringValue(cJSON_GetObjectItem(test_of(root, 63), "message"));
    assert_non_null(strstr(told, " more bytes)"));
    cJSON_Delete(root);
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
        cmocka_unit_test(github_counts_what_was_measured),
        cmocka_unit_test(github_status_is_that_of_the_worst),
        cmocka_unit_test(github_prints_no_command),
        cmocka_unit_test(github_fits_into_the_environment),
        cmocka_unit_test(fifty_adds_up),
        cmocka_unit_test(fifty_is_never_above_its_maximum),
        cmocka_unit_test(fifty_is_no_pass_where_nothing_was_measured),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
