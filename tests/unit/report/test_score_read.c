/* test_score_read.c: what is no score is refused, with its place and the reason. */
#include "report/score/score_read.h"

#include "base/text.h"
#include "report/left_out.h"
#include "report/platform/emit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HASH "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

/* A small score; the rows below change it. */
static const char good[] =
    "{\"schema\": \"gpugrade/score/v1\", \"coursework\": \"matmul\",\n"
    " \"rubric\": {\"version\": 3, \"sha256\": \"" HASH "\"},\n"
    " \"submission\": {\"name\": \"alice\", \"sha256\": \"" HASH "\"},\n"
    " \"score\": 5, \"max_score\": 15, \"measurable_max\": 15, \"complete\": true, \"seed\": "
    "\"0x1f\",\n"
    " \"criteria\": [\n"
    "  {\"id\": \"compile\", \"title\": \"compiles\", \"status\": \"passed\", \"points\": 5,\n"
    "   \"max_points\": 5, \"cause\": null, \"evidence\": {\"registers\": 32}, \"measured\": {}},\n"
    "  {\"id\": \"correct\", \"title\": \"correct\", \"status\": \"failed\", \"points\": 0,\n"
    "   \"max_points\": 10, \"cause\": {\"kind\": \"wrong_result\", \"code\": \"mismatch\", "
    "\"message\": \"m\",\n"
    "   \"file\": \"a.cu\", \"line\": 3, \"column\": 1, \"hint\": \"\"}, \"evidence\": {}, "
    "\"measured\": {}}],\n"
    " \"diagnostics\": [], \"findings\": [], \"remarks\": [],\n"
    " \"machine\": {\"devices\": [{\"kind\": \"cuda\", \"gpu_model\": \"x\", \"uuid\": \"\", "
    "\"driver\": \"13.2\"}],\n"
    "  \"sandbox\": {\"tier\": \"A\", \"memory\": \"\", \"own_user\": true, \"filters_calls\": "
    "true,\n"
    "   \"confines_device\": true, \"note\": \"\"}, \"tools\": {\"gpugrade\": \"0.1.0\", \"cuda\": "
    "\"13.0\"}},\n"
    " \"seconds\": {\"total\": 1.5}}\n";

static enum error read_text(const char *text, size_t length, struct arena *arena,
                            struct report *out_report, struct diagnostic *diagnostic)
{
    return score_read(arena, text, length, "s.json", out_report, diagnostic);
}

static void a_score_is_read(void **state)
{
    struct arena *arena = arena_new();
    struct diagnostic diagnostic = {.message = ""};
    struct report report;

    (void)state;
    assert_int_equal(read_text(good, sizeof good - 1, arena, &report, &diagnostic), ERROR_NONE);
    assert_string_equal(report.rubric->id, "matmul");
    assert_int_equal(report.rubric->version, 3);
    assert_int_equal(report.seed, 0x1f);
    assert_int_equal(report.verdict_count, 2);
    assert_int_equal(report.verdicts[0].evidence[0].integer, 32);
    assert_int_equal(report.verdicts[1].cause.code, CODE_MISMATCH);
    assert_int_equal(report.verdicts[1].cause.line, 3);
    assert_int_equal(report.devices[0].driver_version, 13020);
    assert_false(report.rubric->reports_hidden);
    assert_true(report.seconds[0].seconds == 1.5);
    arena_free(arena);
}

/* Scores of before 0.2 name the toolkit alone. */
static void the_compiler_is_read(void **state)
{
    static const struct {
        const char *tools;
        const char *compiler; /* NULL: refused */
    } compilers[] = {
        {"\"cuda\": \"13.0\"", "nvcc 13.0"},
        {"\"cuda\": \"13.0\", \"compiler\": \"nvcc 13.0\"", "nvcc 13.0"},
        {"\"cuda\": \"\", \"compiler\": \"clang 19.1.7\"", "clang 19.1.7"},
        {"\"compiler\": \"clang 19.1.7\"", NULL},
        {"\"cuda\": \"\", \"compiler\": 19", NULL},
    };
    static const char of_old[] = "\"cuda\": \"13.0\"";
    const char *at = strstr(good, of_old);

    (void)state;
    assert_non_null(at);
    for (size_t i = 0; i < sizeof compilers / sizeof compilers[0]; i++) {
        struct arena *arena = arena_new();
        struct diagnostic diagnostic = {.message = ""};
        struct report report;
        const char *text = arena_printf(arena, "%.*s%s%s", (int)(at - good), good,
                                        compilers[i].tools, at + strlen(of_old));
        enum error error = read_text(text, strlen(text), arena, &report, &diagnostic);
        assert_int_equal(error, compilers[i].compiler != NULL ? ERROR_NONE : ERROR_SYNTAX);
        if (error == ERROR_NONE) {
            assert_string_equal(report.compiler, compilers[i].compiler);
        }
        arena_free(arena);
    }
}

/* A part of the score that is replaced, and what must be said. */
static const struct {
    const char *from, *to;
    enum error error;
    int line;
    const char *message;
} rows[] = {
    {"gpugrade/score/v1", "gpugrade/score/v2", ERROR_UNSUPPORTED, 1,
     "use the gpugrade that wrote it"},
    {"gpugrade/score/v1", "gpugrade/run/v1", ERROR_SYNTAX, 1, "not a score but 'gpugrade/run/v1'"},
    {"\"schema\":", "\"scheme\":", ERROR_SYNTAX, 1, "this is not a score"},
    {"\"matmul\"", "\"Mat Mul\"", ERROR_SYNTAX, 1, "id of a coursework"},
    {"\"version\": 3", "\"version\": 0", ERROR_SYNTAX, 2, "expected 1 to"},
    {"\"version\": 3", "\"version\": 1.5", ERROR_SYNTAX, 2, "whole number"},
    {HASH, "00", ERROR_SYNTAX, 2, "SHA-256"},
    {"\"name\": \"alice\"", "\"name\": null", ERROR_SYNTAX, 3, "expected a string, found null"},
    {"\"score\": 5", "\"score\": 15", ERROR_SYNTAX, 4,
     "'score' is 15, but the criteria add up to 5"},
    {"\"max_score\": 15", "\"max_score\": 100", ERROR_SYNTAX, 4, "'max_score' is 100"},
    {"\"measurable_max\": 15", "\"measurable_max\": 5", ERROR_SYNTAX, 4, "'measurable_max'"},
    {"\"complete\": true", "\"complete\": false", ERROR_SYNTAX, 4, "'complete' is false"},
    {"0x1f", "1f", ERROR_SYNTAX, 4, "a seed"},
    {"0x1f", "0x", ERROR_SYNTAX, 4, "a seed"},
    {"0x1f", "0xx1", ERROR_SYNTAX, 4, "a seed"},
    {"\"correct\", \"title\"", "\"compile\", \"title\"", ERROR_SYNTAX, 8, "occurs twice"},
    {"\"id\": \"correct\"", "\"id\": \"a b\"", ERROR_SYNTAX, 8, "an id of at most 40"},
    {"\"passed\", \"points\": 5", "\"passed\", \"points\": 6", ERROR_SYNTAX, 6,
     "6 points, but at most 5 are possible"},
    {"\"passed\"", "\"excellent\"", ERROR_SYNTAX, 6, "not a status"},
    {"\"failed\", \"points\": 0", "\"failed\", \"points\": 5", ERROR_SYNTAX, 8, "must have 0"},
    {"\"passed\"", "\"failed\"", ERROR_SYNTAX, 6, "must have 0 points"},
    {"\"passed\"", "\"open\"", ERROR_SYNTAX, 6, "that is open has the points null"},
    {"\"points\": 5", "\"points\": null", ERROR_SYNTAX, 6, "expected a number"},
    {"\"wrong_result\"", "\"race\"", ERROR_SYNTAX, 9, "has the kind 'wrong_result'"},
    {"\"mismatch\"", "\"misfit\"", ERROR_SYNTAX, 9, "not a code that this version knows"},
    {"\"message\": \"m\"", "\"message\": \"\"", ERROR_SYNTAX, 9, "expected text"},
    {"\"line\": 3", "\"line\": -1", ERROR_SYNTAX, 10, "expected 0 to"},
    {"\"hint\": \"\"", "\"advice\": \"\"", ERROR_SYNTAX, 10, "unknown key 'advice' in a cause"},
    {", \"hint\": \"\"", "", ERROR_SYNTAX, 9, "lacks the key 'hint'"},
    {"\"findings\": []", "\"findings\": {}", ERROR_SYNTAX, 11, "expected an array"},
    {"\"kind\": \"cuda\"", "\"kind\": \"tpu\"", ERROR_SYNTAX, 12, "kind of device"},
    {"13.2", "13", ERROR_SYNTAX, 12, "a version"},
    {"\"tier\": \"A\"", "\"tier\": \"D\"", ERROR_SYNTAX, 13, "a tier"},
    {"\"total\": 1.5", "\"total\": -1", ERROR_SYNTAX, 15, "expected 0 to"},
    {"\"seconds\"", "\"audience\": \"student\", \"seconds\"", ERROR_SYNTAX, 15, "can only be"},
    {"1.5}}", "1.5}", ERROR_SYNTAX, 16, "end of the text"},
};

static void mistakes_are_told_with_their_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *at = strstr(good, rows[i].from);
        struct arena *arena = arena_new();
        struct diagnostic diagnostic = {.message = ""};
        struct report report;
        struct text text;

        assert_non_null(at);
        text_init(&text);
        text_append_bytes(&text, good, (size_t)(at - good));
        text_append(&text, rows[i].to);
        text_append(&text, at + strlen(rows[i].from));
        enum error error = read_text(text.bytes, text.length, arena, &report, &diagnostic);
        if (error != rows[i].error || diagnostic.line != rows[i].line ||
            strstr(diagnostic.message, rows[i].message) == NULL ||
            diagnostic.blame != BLAME_USAGE || strcmp(diagnostic.file, "s.json") != 0) {
            fail_msg("'%s': %d, line %d: %s", rows[i].to, (int)error, diagnostic.line,
                     diagnostic.message);
        }
        text_release(&text);
        arena_free(arena);
    }
}

/* Every beginning of a score is refused; none is read beyond its end. */
static void a_truncated_score_is_refused(void **state)
{
    (void)state;
    for (size_t length = 0; length < sizeof good - 2; length++) {
        struct arena *arena = arena_new();
        struct diagnostic diagnostic = {.message = ""};
        struct report report;
        char *copy = malloc(length + 1);

        assert_non_null(copy);
        memcpy(copy, good, length);
        assert_int_not_equal(read_text(copy, length, arena, &report, &diagnostic), ERROR_NONE);
        assert_int_equal(diagnostic.blame, BLAME_USAGE);
        free(copy);
        arena_free(arena);
    }
}

/* A list that no grader writes is refused, however long. */
static void an_endless_list_is_refused(void **state)
{
    enum { ENTRIES = 100001 };
    struct arena *arena = arena_new();
    struct diagnostic diagnostic = {.message = ""};
    struct report report;
    struct text text;

    (void)state;
    const char *at = strstr(good, "\"findings\": [");
    assert_non_null(at);
    at += strlen("\"findings\": [");
    text_init(&text);
    text_append_bytes(&text, good, (size_t)(at - good));
    for (int i = 0; i < ENTRIES; i++) {
        text_append(&text, i + 1 < ENTRIES ? "{}," : "{}");
    }
    text_append(&text, at);
    assert_int_equal(read_text(text.bytes, text.length, arena, &report, &diagnostic), ERROR_SYNTAX);
    assert_non_null(strstr(diagnostic.message, "at most 100000 entries, found 100001"));
    printf("flood  SCORE_LIST_MAX  %d findings: the score is refused\n", ENTRIES);
    text_release(&text);
    arena_free(arena);
}

static void an_instructors_score_is_known(void **state)
{
    static const char mark[] = "{\"audience\": \"instructor\", ";
    struct arena *arena = arena_new();
    struct diagnostic diagnostic = {.message = ""};
    struct report report;
    struct text text;

    (void)state;
    text_init(&text);
    text_append(&text, mark);
    text_append(&text, good + 1);
    assert_int_equal(read_text(text.bytes, text.length, arena, &report, &diagnostic), ERROR_NONE);
    assert_true(report.rubric->reports_hidden);
    text_release(&text);
    arena_free(arena);
}

/* What no list holds is in each format that shows more than the criteria. */
static void what_was_left_out_is_kept(void **state)
{
    static const char rest[] = "\"findings_dropped\": {\"errors\": 3, \"warnings\": 1e30}, ";
    static const char *const of_criteria[] = {"check50", "classroom50", "csv"};
    const struct emit_options options = {.path_prefix = "", .time = 1};
    struct arena *arena = arena_new();
    struct diagnostic diagnostic = {.message = ""};
    struct report report;
    struct text text, out;
    size_t shown = 0;

    (void)state;
    const char *at = strstr(good, "\"seconds\"");
    assert_non_null(at);
    text_init(&text);
    text_init(&out);
    text_append_bytes(&text, good, (size_t)(at - good));
    text_printf(&text, "%s%s", rest, at);
    assert_int_equal(read_text(text.bytes, text.length, arena, &report, &diagnostic), ERROR_SYNTAX);
    text_clear(&text);
    text_append_bytes(&text, good, (size_t)(at - good));
    text_printf(&text, "\"findings_dropped\": {\"errors\": 3, \"warnings\": 40}, %s", at);
    assert_int_equal(read_text(text.bytes, text.length, arena, &report, &diagnostic), ERROR_NONE);
    assert_int_equal(left_out_sum(report.findings, report.finding_count).errors, 3);
    assert_int_equal(left_out_sum(report.findings, report.finding_count).warnings, 40);
    for (size_t i = 0; i < emit_format_count; i++) {
        bool tells = true;
        text_clear(&out);
        emit_report(&emit_formats[i], &report, &options, arena, &out);
        for (size_t j = 0; j < sizeof of_criteria / sizeof of_criteria[0]; j++) {
            tells = tells && strcmp(emit_formats[i].name, of_criteria[j]) != 0;
        }
        bool is_reported = strstr(out.bytes, "at other places errors occurred 3 times and "
                                             "warnings 40 times") != NULL;
        if (is_reported != tells) {
            fail_msg("%s: %s", emit_formats[i].name, is_reported ? "told" : "not told");
        }
        shown += is_reported ? 1 : 0;
    }
    printf("flood  formats         left out 3 errors, 40 warnings: told by %zu of %zu formats\n",
           shown, emit_format_count);
    text_release(&text);
    text_release(&out);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_score_is_read),
        cmocka_unit_test(the_compiler_is_read),
        cmocka_unit_test(mistakes_are_told_with_their_place),
        cmocka_unit_test(a_truncated_score_is_refused),
        cmocka_unit_test(an_endless_list_is_refused),
        cmocka_unit_test(an_instructors_score_is_known),
        cmocka_unit_test(what_was_left_out_is_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
