/* test_emit_sarif.c: a log of SARIF: what stands where, hostile texts, fingerprints. Whether it is
 * SARIF at all is tried by tests/platform/sarif.sh. */
#include "report/platform/emit_format.h"

#include "base/json.h"
#include "explain/explain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "made_report.h"

/* Parses what is emitted; cJSON_Delete frees it. */
static cJSON *emit(const struct made_report *made, const struct emit_options *options)
{
    struct text text;

    text_init(&text);
    emit_sarif(&made->report, options, &text);
    assert_true(text_is_utf8(text.bytes, text.length));
    assert_null(strstr(text.bytes, "null"));
    cJSON *root = cJSON_Parse(text.bytes);
    assert_non_null(root);
    text_release(&text);
    return root;
}

/* A member of members: "tool/driver/rules"; items of arrays by their index. */
static const cJSON *at(const cJSON *value, const char *path)
{
    while (*path != '\0') {
        char name[64];
        size_t length = strcspn(path, "/");
        assert_true(length < sizeof name);
        memcpy(name, path, length);
        name[length] = '\0';
        value = cJSON_IsArray(value) ? cJSON_GetArrayItem(value, (int)strtol(name, NULL, 10))
                                     : cJSON_GetObjectItemCaseSensitive(value, name);
        if (value == NULL) {
            return NULL;
        }
        path += length + (path[length] == '/');
    }
    return value;
}

static void expect(const cJSON *value, const char *path, const char *expected)
{
    const cJSON *found = at(value, path);

    assert_non_null(found);
    char *printed = cJSON_PrintUnformatted(found);
    assert_string_equal(cJSON_IsString(found) ? found->valuestring : printed, expected);
    free(printed);
}

static void the_log_says_what_the_report_says(void **state)
{
    struct made_report made;

    (void)state;
    made_init(&made);
    cJSON *root = emit(&made, &made_options);
    const cJSON *run = at(root, "runs/0");
    expect(root, "version", "2.1.0");
    expect(run, "tool/driver/name", "gpugrade");
    expect(run, "tool/driver/version", "0.1.0");
    expect(run, "automationDetails/id", "gpugrade/matmul/");
    expect(run, "columnKind", "unicodeCodePoints");
    expect(run, "invocations/0",
           "{\"executionSuccessful\":false,\"toolExecutionNotifications\":["
           "{\"level\":\"note\",\"message\":{\"text\":\"speedup: no real GPU is used\"}},"
           "{\"level\":\"error\",\"message\":{\"text\":\"block: the device process ended\"}}]}");
    assert_int_equal(cJSON_GetArraySize(at(run, "results")), 5); /* not what the grader failed at */
    expect(run, "results/0/ruleId", "R01");
    expect(run, "results/0/level", "error");
    expect(run, "results/0/message/text",
           "shared tile `Bs` is read while others write it\nseen: in 8 of 8 shapes\n"
           "so: \"correct, tiled\" fails too: 128 wrong\nhint: wait before the tile is read\n"
           "again: gpugrade check . --only race-free.tiled --seed 0x1\n"
           "explain: gpugrade explain R01");
    expect(run, "results/0/locations",
           "[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":\"hw3/a.cu\"},\"region\":"
           "{\"startLine\":31,\"startColumn\":13,\"endColumn\":22}},"
           "\"message\":{\"text\":\"read by thread (3,0)\"}}]");
    expect(
        run, "results/0/relatedLocations",
        "[{\"id\":0,\"physicalLocation\":{\"artifactLocation\":{\"uri\":\"hw3/a.cu\"},\"region\":"
        "{\"startLine\":27,\"startColumn\":9}},"
        "\"message\":{\"text\":\"written by thread (3,5)\"}}]");
    expect(run, "results/1/locations",
           "[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":\"hw3/my%20b%2Cc%3Ad.cu\"},"
           "\"region\":{\"startLine\":7}}}]");
    assert_null(at(run, "results/1/relatedLocations"));
    expect(run, "results/2/level", "warning");
    expect(run, "results/3/ruleId", "remark");
    expect(run, "results/3/level", "note");
    expect(run, "results/4/locations",
           "[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":\"hw3/a.cu\"},\"region\":"
           "{\"startLine\":1}}}]");
    cJSON_Delete(root);
}

static void rules_are_the_codes_in_use(void **state)
{
    static const char *const ids[] = {"R01", "L05", "Q01", "remark"};
    struct made_report made;

    (void)state;
    made_init(&made);
    cJSON *root = emit(&made, &made_options);
    const cJSON *rules = at(root, "runs/0/tool/driver/rules");
    const cJSON *result;
    assert_int_equal(cJSON_GetArraySize(rules), 4);
    for (int i = 0; i < 4; i++) {
        assert_string_equal(at(cJSON_GetArrayItem(rules, i), "id")->valuestring, ids[i]);
    }
    cJSON_ArrayForEach(result, at(root, "runs/0/results"))
    {
        int index = at(result, "ruleIndex")->valueint;
        assert_string_equal(at(result, "ruleId")->valuestring,
                            at(cJSON_GetArrayItem(rules, index), "id")->valuestring);
    }
    expect(rules, "0/name", "shared_race");
    expect(rules, "0/shortDescription/text", code_title(CODE_SHARED_RACE));
    expect(rules, "0/help/markdown", explain_text(CODE_SHARED_RACE));
    assert_non_null(strstr(at(rules, "0/help/text")->valuestring, "What it means"));
    assert_null(at(rules, "1/help")); /* the score does not point to its page */
    assert_null(at(rules, "0/helpUri"));
    cJSON_Delete(root);
}

static void nothing_wrong_is_an_empty_log(void **state)
{
    struct emit_options options = {.path_prefix = ""};
    struct made_report made;

    (void)state;
    made_init(&made);
    made_all(&made, STATUS_PASSED);
    cJSON *root = emit(&made, &options);
    expect(root, "runs/0/results", "[]");
    expect(root, "runs/0/tool/driver/rules", "[]");
    expect(root, "runs/0/invocations", "[{\"executionSuccessful\":true}]");
    cJSON_Delete(root);
    made.report.remark_count = 2;
    made.remarks[0].file = "";
    root = emit(&made, &options);
    expect(root, "runs/0/results/0/locations/0/physicalLocation",
           "{\"artifactLocation\":{\"uri\":\"whole-submission\"},\"region\":{\"startLine\":1}}");
    cJSON_Delete(root);
}

/* A failure for a hidden shape has no place: a code host would refuse the log for that. */
static void a_result_without_a_file_is_shown_in_one(void **state)
{
    static const char shown[] = "runs/0/results/0/locations/0/physicalLocation";
    struct made_report made;

    (void)state;
    made_init(&made);
    made.diagnostics[0].file = "";
    made.diagnostics[0].line = 0;
    made.verdicts[1].cause.file = "tiled.cu";
    made.verdicts[3].cause.file = "dynamic.cu";
    cJSON *root = emit(&made, &made_options);
    expect(root, shown,
           "{\"artifactLocation\":{\"uri\":\"hw3/tiled.cu\"},\"region\":{\"startLine\":1}}");
    cJSON_Delete(root);
    made.verdicts[1].cause.file = "/usr/include/math.h";
    root = emit(&made, &made_options);
    expect(root, shown,
           "{\"artifactLocation\":{\"uri\":\"hw3/dynamic.cu\"},\"region\":{\"startLine\":1}}");
    cJSON_Delete(root);
}

/* What the emulated device does not know is nobody's mistake. */
static void an_unknown_instruction_is_a_note(void **state)
{
    struct made_report made;

    (void)state;
    made_init(&made);
    made.diagnostics[2].code = CODE_UNKNOWN_INSTRUCTION;
    cJSON *root = emit(&made, &made_options);
    expect(root, "runs/0/results/2/ruleId", code_id(CODE_UNKNOWN_INSTRUCTION));
    expect(root, "runs/0/results/2/level", "note");
    cJSON_Delete(root);
}

/* The fingerprint of the first result. */
static void fingerprint(const struct made_report *made, char out[64])
{
    cJSON *root = emit(made, &made_options);
    const cJSON *prints = at(root, "runs/0/results/0/partialFingerprints");

    assert_int_equal(cJSON_GetArraySize(prints), 1);
    assert_string_equal(prints->child->string, "gpugrade/v1");
    assert_true(strlen(prints->child->valuestring) < 64);
    memcpy(out, prints->child->valuestring, strlen(prints->child->valuestring) + 1);
    cJSON_Delete(root);
}

static void fingerprints_outlive_lines_and_numbers(void **state)
{
    char first[64], second[64];
    struct made_report made;

    (void)state;
    made_init(&made);
    made.diagnostics[0].message = "row 12 of `Bs` is 3.5 instead of 4";
    fingerprint(&made, first);
    assert_true(text_ends_with(first, ":1"));
    made.diagnostics[0].message = "row 7 of `Bs` is 123.25 instead of 99";
    made.diagnostics[0].line = 99;
    made.diagnostics[0].column = 1;
    made.notes[0].text = "in 3 of 8 shapes";
    made.report.seed = 1;
    fingerprint(&made, second);
    assert_string_equal(first, second);
    made.diagnostics[0].message = "row 7 of `As` is 123.25 instead of 99";
    fingerprint(&made, second);
    assert_string_not_equal(first, second);
    made_init(&made);
    made.report.diagnostic_count = 2;
    made.diagnostics[1] = made.diagnostics[0];
    cJSON *root = emit(&made, &made_options);
    const cJSON *twin = at(root, "runs/0/results/1/partialFingerprints")->child;
    assert_true(text_ends_with(twin->valuestring, ":2"));
    cJSON_Delete(root);
}

static void hostile_text_stays_text(void **state)
{
    struct made_report made;

    (void)state;
    made_init(&made);
    made.diagnostics[0].message = "a[1](http://x) {0} \x1B[31m\xED\xA0\x80\"\\ ##[error]";
    made.diagnostics[0].note_count = 0;
    made.diagnostics[0].file = "../../etc/passwd";
    made.marks[1].file = "/etc/shadow";
    made.diagnostics[1].file = "x\xFF%41?#\n\"y/..z/a.cu";
    made.remarks[0].file = "/usr/include/math.h";
    cJSON *root = emit(&made, &made_options);
    expect(root, "runs/0/results/0/message/text",
           "a[1] (http://x) {{0}} \\x1B[31m\\xED\\xA0\\x80\"\\ ##\\x5Berror]\n"
           "at ../../etc/passwd:31:13");
    expect(root, "runs/0/results/0/locations",
           "[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":"
           "\"hw3/x%FF%2541%3F%23%0A%22y/..z/a.cu\"},\"region\":{\"startLine\":1}}}]");
    expect(root, "runs/0/results/0/relatedLocations/0/physicalLocation/artifactLocation/uri",
           "hw3/a.cu"); /* the mark that is at another place now; the one outside is left out */
    assert_int_equal(cJSON_GetArraySize(at(root, "runs/0/results/0/relatedLocations")), 1);
    expect(root, "runs/0/results/1/locations/0/physicalLocation/artifactLocation/uri",
           "hw3/x%FF%2541%3F%23%0A%22y/..z/a.cu");
    expect(root, "runs/0/results/3/message/text",
           "variable \"i\" is never used\nat /usr/include/math.h:12:7");
    cJSON_Delete(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_log_says_what_the_report_says),
        cmocka_unit_test(rules_are_the_codes_in_use),
        cmocka_unit_test(nothing_wrong_is_an_empty_log),
        cmocka_unit_test(a_result_without_a_file_is_shown_in_one),
        cmocka_unit_test(an_unknown_instruction_is_a_note),
        cmocka_unit_test(fingerprints_outlive_lines_and_numbers),
        cmocka_unit_test(hostile_text_stays_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
