/* test_emit_check50.c: what check50's readers find in the results, with hostile words in them. */
#include "base/json.h"
#include "report/platform/emit_format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "made_report.h"

static cJSON *emitted(const struct made_report *made)
{
    struct text text;

    text_init(&text);
    emit_check50(&made->report, &made_options, &text);
    assert_true(text_is_utf8(text.bytes, text.length));
    cJSON *root = cJSON_Parse(text.bytes);
    assert_non_null(root);
    text_release(&text);
    return root;
}

static const cJSON *result_of(const cJSON *root, int index)
{
    return cJSON_GetArrayItem(cJSON_GetObjectItem(root, "results"), index);
}

static void assert_text(const cJSON *object, const char *key, const char *expected)
{
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(object, key)), expected);
}

static void assert_line(const cJSON *result, int index, const char *expected)
{
    const cJSON *line = cJSON_GetArrayItem(cJSON_GetObjectItem(result, "log"), index);

    assert_string_equal(cJSON_GetStringValue(line), expected);
}

static void each_status_has_its_form(void **state)
{
    struct made_report made;

    (void)state;
    made_init(&made);
    cJSON *root = emitted(&made);
    assert_text(root, "slug", "matmul");
    assert_text(root, "version", "0.1.0");
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(root, "results")), MADE_VERDICTS);

    const cJSON *passed = result_of(root, 0);
    assert_text(passed, "name", "compile");
    assert_text(passed, "description", "compile");
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(passed, "passed")));
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(passed, "cause")));
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(passed, "dependency")));
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(passed, "log")), 0);

    const cJSON *partial = result_of(root, 3);
    assert_true(cJSON_IsFalse(cJSON_GetObjectItem(partial, "passed")));
    const cJSON *data = cJSON_GetObjectItem(partial, "data");
    assert_text(data, "status", "partial");
    assert_true(cJSON_GetObjectItem(data, "points")->valuedouble == 2.5);
    assert_line(partial, 1, "at hw3/my b,c:d.cu:7");

    for (int i = 4; i <= 5; i++) { /* skipped, error */
        const cJSON *result = result_of(root, i);
        assert_true(cJSON_IsNull(cJSON_GetObjectItem(result, "passed")));
        assert_text(cJSON_GetObjectItem(result, "cause"), "rationale",
                    i == 4 ? "no real GPU is used" : "the device process ended");
    }
    assert_true(cJSON_IsTrue(
        cJSON_GetObjectItem(cJSON_GetObjectItem(result_of(root, 6), "data"), "bonus")));
    cJSON_Delete(root);
}

static void a_consequence_names_its_cause(void **state)
{
    struct made_report made;

    (void)state;
    made_init(&made);
    cJSON *root = emitted(&made);
    const cJSON *cause = result_of(root, 2);
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(cause, "dependency")));
    assert_text(cJSON_GetObjectItem(cause, "cause"), "rationale",
                "shared tile `Bs` is read while others write it");
    assert_text(cJSON_GetObjectItem(cause, "cause"), "help", "wait before the tile is read");
    assert_line(cause, 0, "error[R01]: shared tile `Bs` is read while others write it");
    assert_line(cause, 1, "at hw3/a.cu:31:13");
    assert_line(cause, 2, "hw3/a.cu:31:13: read by thread (3,0)");
    assert_line(cause, 3, "hw3/a.cu:27:9: written by thread (3,5)");
    assert_line(cause, 4, "seen: in 8 of 8 shapes");
    assert_line(cause, 8, "explain: gpugrade explain R01");

    const cJSON *result = result_of(root, 1);
    assert_text(result, "dependency", "race-free.tiled");
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(result, "log")), 2);
    assert_line(result, 1, "see \"race-free, tiled\" for details");
    assert_null(cJSON_GetObjectItem(cJSON_GetObjectItem(result, "cause"), "help"));
    cJSON_Delete(root);

    /* failing alike is no consequence, what cannot be judged is one */
    made.notes[1] =
        (struct diagnostic_note){NOTE_ALSO, "\"correct, tiled\" fails for the same reason"};
    root = emitted(&made);
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(result_of(root, 1), "dependency")));
    cJSON_Delete(root);
    made.notes[1].text = "\"correct, tiled\" cannot be graded until this is fixed";
    root = emitted(&made);
    assert_text(result_of(root, 1), "dependency", "race-free.tiled");
    cJSON_Delete(root);

    /* a finding that no criterion looks for: both follow from it, neither from the other */
    made.notes[1] = (struct diagnostic_note){
        NOTE_SO, "\"race-free, tiled\", \"correct, tiled\" fail because of this: wrong"};
    root = emitted(&made);
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(result_of(root, 1), "dependency")));
    cJSON_Delete(root);
}

static void words_of_a_student_stay_words(void **state)
{
    struct made_report made;

    (void)state;
    made_init(&made);
    made.verdicts[2].cause.message = "<script>x</script>\n\x1B[2J\xFF";
    made.verdicts[2].cause.hint = "a<b";
    made.diagnostics[0].message = made.verdicts[2].cause.message;
    made.diagnostics[0].file = "a\nb\x1B.cu";
    cJSON *root = emitted(&made);
    const cJSON *cause = cJSON_GetObjectItem(result_of(root, 2), "cause");
    assert_text(cause, "rationale", "< script>x< /script>\\x0A\\x1B[2J\\xFF");
    assert_text(cause, "help", "a< b");
    assert_line(result_of(root, 2), 0, "error[R01]: <script>x</script>\\x0A\\x1B[2J\\xFF");
    assert_line(result_of(root, 2), 1, "at hw3/a\\x0Ab\\x1B.cu:31:13");
    cJSON_Delete(root);
}

static void nothing_and_everything(void **state)
{
    struct made_report made;

    (void)state;
    made_init(&made);
    made_all(&made, STATUS_SKIPPED);
    cJSON *root = emitted(&made);
    for (int i = 0; i < MADE_VERDICTS; i++) {
        const cJSON *cause = cJSON_GetObjectItem(result_of(root, i), "cause");
        assert_true(cJSON_IsNull(cJSON_GetObjectItem(result_of(root, i), "passed")));
        assert_true(strlen(cJSON_GetStringValue(cJSON_GetObjectItem(cause, "rationale"))) > 0);
    }
    cJSON_Delete(root);
    made.report.verdict_count = 0;
    root = emitted(&made);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(root, "results")), 0);
    cJSON_Delete(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_status_has_its_form),
        cmocka_unit_test(a_consequence_names_its_cause),
        cmocka_unit_test(words_of_a_student_stay_words),
        cmocka_unit_test(nothing_and_everything),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
