/* test_emit_properties.c: what holds for every format of formats.def, whatever a report holds.
 *
 * Reports are made of seeds, with texts that are hostile to all formats. A row that is added to the
 * table is tried here too, and held to rubrics/platform/NAME.schema.json if there is one.
 */
#include "base/file.h"
#include "base/json.h"
#include "report/platform/emit.h"
#include "report/platform/emit_format.h"
#include "report/platform/whole_points.h"
#include "report/report_student.h"
#include "report/score/report_json.h"
#include "report/score/score_read.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "report_random.h"

enum { REPORTS = 240, RECORD_SEPARATOR = 0x1E };

static const struct emit_options options = {.path_prefix = "hw3/", .time = 1790000000};

/* What a format makes of a report; to be released. */
static struct text emitted(const struct emit_format *format, const struct report *report)
{
    struct arena *arena = arena_new();
    struct text text;

    text_init(&text);
    emit_report(format, report, &options, arena, &text);
    arena_free(arena);
    return text;
}

static struct report read_back(struct arena *arena, const struct report *report)
{
    struct diagnostic diagnostic = {.message = ""};
    struct report again;
    struct text text;

    text_init(&text);
    report_json(report, &text);
    if (score_read(arena, text.bytes, text.length, "score", &again, &diagnostic) != ERROR_NONE) {
        fail_msg("%d:%d: %s", diagnostic.line, diagnostic.column, diagnostic.message);
    }
    text_release(&text);
    return again;
}

static void assert_same_bytes(const char *format, uint64_t seed, const struct text *one,
                              const struct text *other)
{
    if (one->length != other->length || memcmp(one->bytes, other->bytes, one->length) != 0) {
        size_t at = 0;
        while (one->bytes[at] == other->bytes[at]) {
            at++;
        }
        at = at > 40 ? at - 40 : 0;
        fail_msg("%s, seed %llu, byte %zu: %.120s / %.120s", format, (unsigned long long)seed, at,
                 one->bytes + at, other->bytes + at);
    }
}

/* UTF-8 without control characters that a terminal or a browser could take for a command. */
static void assert_is_text(const char *format, uint64_t seed, const struct text *text)
{
    if (!text_is_utf8(text->bytes, text->length)) {
        fail_msg("%s, seed %llu: not UTF-8", format, (unsigned long long)seed);
    }
    for (size_t i = 0; i < text->length; i++) {
        unsigned char c = (unsigned char)text->bytes[i];
        if ((c < 0x20 && c != '\n' && c != '\t' && c != '\r') || c == 0x7F) {
            fail_msg("%s, seed %llu: byte 0x%02X", format, (unsigned long long)seed, c);
        }
    }
}

/* For each report: see the assertions. `each` is called with what every format made. */
static void texts_are_clean_and_read_back_alike(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < REPORTS; seed++) {
        const struct random_wishes wishes = {.hides = seed % 3 == 2,
                                             .invalid = seed % 2 == 1,
                                             .text_size = seed == 10 ? 1 << 20 : 0};
        struct arena *arena = arena_new();
        struct report report = random_report(arena, seed, &wishes);
        struct report again = read_back(arena, &report);
        struct report third = read_back(arena, &again);
        for (size_t i = 0; i < emit_format_count; i++) {
            const struct emit_format *format = &emit_formats[i];
            struct text first = emitted(format, wishes.invalid ? &third : &report);
            struct text second = emitted(format, &again);
            struct text direct = emitted(format, &report);
            assert_same_bytes(format->name, seed, &first, &second);
            assert_is_text(format->name, seed, &first);
            assert_is_text(format->name, seed, &direct);
            text_release(&first);
            text_release(&second);
            text_release(&direct);
        }
        arena_free(arena);
    }
}

static void what_is_hidden_is_in_no_format_for_students(void **state)
{
    size_t seen = 0;

    (void)state;
    for (uint64_t seed = 0; seed < REPORTS; seed++) {
        const struct random_wishes wishes = {.hides = true};
        struct arena *arena = arena_new();
        struct report report = random_report(arena, seed, &wishes);
        struct report again = read_back(arena, &report);
        struct text text;
        text_init(&text);
        report_json(&report, &text);
        seen += strstr(text.bytes, RANDOM_SECRET) != NULL;
        text_release(&text);
        for (size_t i = 0; i < emit_format_count; i++) {
            if (emit_formats[i].audience != EMIT_FOR_STUDENT) {
                continue;
            }
            struct text text_back = emitted(&emit_formats[i], &again);
            struct text direct = emitted(&emit_formats[i], &report);
            if (strstr(text_back.bytes, "zqx") != NULL || strstr(direct.bytes, "zqx") != NULL) {
                fail_msg("%s, seed %llu: %s", emit_formats[i].name, (unsigned long long)seed,
                         direct.bytes);
            }
            text_release(&text_back);
            text_release(&direct);
        }
        arena_free(arena);
    }
    assert_true(seen > REPORTS / 2);
}

/* Texts written to it, each with a separator after it, are held to a schema by the validator of the
 * system. */
static FILE *validator_open(const char *schema)
{
    struct arena *arena = arena_new();
    FILE *validator = popen(arena_printf(arena,
                                         "python3 '%s/tests/rubrics/validate_schemas.py' "
                                         "--schema %s >&2",
                                         GPUGRADE_SOURCE_DIR, schema),
                            "w");

    assert_non_null(validator);
    arena_free(arena);
    return validator;
}

static void validator_take(FILE *validator, const struct text *text)
{
    fwrite(text->bytes, 1, text->length, validator);
    fputc(RECORD_SEPARATOR, validator);
}

static bool has_validator(void)
{
    return system("python3 -c 'import jsonschema' 2>/dev/null") == 0;
}

static void assert_follows(const struct emit_format *format)
{
    FILE *validator = validator_open(format->name);

    for (uint64_t seed = 0; seed < REPORTS; seed++) {
        const struct random_wishes wishes = {.invalid = seed % 2 == 1};
        struct arena *arena = arena_new();
        struct report report = random_report(arena, seed, &wishes);
        struct text text = emitted(format, &report);
        validator_take(validator, &text);
        text_release(&text);
        arena_free(arena);
    }
    assert_int_equal(pclose(validator), 0);
}

static void formats_follow_their_schemas(void **state)
{
    size_t held = 0;

    (void)state;
    if (!has_validator()) {
        skip();
    }
    struct arena *arena = arena_new();
    for (size_t i = 0; i < emit_format_count; i++) {
        const char *path = arena_printf(arena, "%s/rubrics/platform/%s.schema.json",
                                        GPUGRADE_SOURCE_DIR, emit_formats[i].name);
        if (file_exists(path)) {
            assert_follows(&emit_formats[i]);
            held++;
        }
    }
    assert_true(held > 0);
    arena_free(arena);
}

static double number_of(const cJSON *object, const char *key)
{
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(object, key);

    return cJSON_IsNumber(value) ? value->valuedouble : 0;
}

/* The sum of a key over an array. */
static double sum_of(const cJSON *array, const char *key)
{
    double sum = 0;

    for (const cJSON *item = array->child; item != NULL; item = item->next) {
        sum += number_of(item, key);
    }
    return sum;
}

static struct json_document *parsed(const char *format, const struct report *report)
{
    struct text text = emitted(emit_format_find(format), report);
    struct json_document *document = NULL;
    struct diagnostic diagnostic = {.message = ""};

    if (json_parse(text.bytes, text.length, format, BLAME_GRADER, &document, &diagnostic) !=
        ERROR_NONE) {
        fail_msg("%s: %s", format, diagnostic.message);
    }
    text_release(&text);
    return document;
}

static void assert_near(double one, double other)
{
    if (fabs(one - other) > 1e-4) {
        fail_msg("%.9g is not %.9g", one, other);
    }
}

static void check_gradescope(const struct report *report)
{
    struct json_document *document = parsed("gradescope", report);
    const cJSON *root = json_root(document);
    const cJSON *tests = cJSON_GetObjectItemCaseSensitive(root, "tests");

    assert_near(number_of(root, "score"), sum_of(tests, "score"));
    assert_near(number_of(root, "score"), report_score(report));
    size_t i = 0;
    for (const cJSON *test = tests->child; test != NULL; test = test->next) {
        const struct verdict *verdict = &report->verdicts[i++];
        bool has_score = cJSON_GetObjectItemCaseSensitive(test, "score") != NULL;
        bool has_status = cJSON_GetObjectItemCaseSensitive(test, "status") != NULL;
        assert_int_equal(has_score, verdict_is_measured(verdict));
        assert_int_equal(has_status, has_score);
        assert_true(number_of(test, "score") <= number_of(test, "max_score"));
    }
    assert_int_equal(i, report->verdict_count);
    json_document_free(document);
}

static void check_prairielearn(const struct report *report)
{
    struct json_document *document = parsed("prairielearn", report);
    const cJSON *root = json_root(document);
    const cJSON *tests = cJSON_GetObjectItemCaseSensitive(root, "tests");
    const cJSON *gradable = cJSON_GetObjectItemCaseSensitive(root, "gradable");
    double most = report_measurable_max(report);
    bool has_error = false;

    assert_near(sum_of(tests, "points"), report_score(report));
    assert_near(number_of(root, "score"), most > 0 ? fmin(1, report_score(report) / most) : 0);
    for (const cJSON *test = tests->child; test != NULL; test = test->next) {
        assert_true(cJSON_IsNumber(cJSON_GetObjectItemCaseSensitive(test, "points")));
    }
    for (size_t i = 0; i < report->verdict_count; i++) {
        has_error = has_error || report->verdicts[i].status == STATUS_ERROR;
    }
    assert_false((has_error || most <= 0) && cJSON_IsTrue(gradable));
    assert_int_equal(cJSON_IsFalse(gradable),
                     cJSON_GetObjectItemCaseSensitive(root, "format_errors") != NULL);
    json_document_free(document);
}

static bool has_measured(const struct report *report)
{
    for (size_t i = 0; i < report->verdict_count; i++) {
        if (verdict_is_measured(&report->verdicts[i])) {
            return true;
        }
    }
    return false;
}

static void check_autolab(const struct report *report)
{
    struct text text = emitted(emit_format_find("autolab"), report);
    struct json_document *document = NULL;
    struct diagnostic diagnostic = {.message = ""};
    size_t last = text.length - 1;
    double sum = 0;

    assert_int_equal(text.bytes[last], '\n');
    while (last > 0 && text.bytes[last - 1] != '\n') {
        last--;
    }
    assert_int_equal(json_parse(text.bytes + last, text.length - last, "autolab", BLAME_GRADER,
                                &document, &diagnostic),
                     ERROR_NONE);
    const cJSON *scores = cJSON_GetObjectItemCaseSensitive(json_root(document), "scores");
    for (const cJSON *score = scores->child; score != NULL; score = score->next) {
        sum += score->valuedouble;
    }
    assert_near(sum, report_score(report));
    assert_int_equal(scores->child != NULL, has_measured(report));
    for (size_t i = last; text.bytes[i] != '\0'; i++) { /* a word and a colon is corrupted there */
        assert_true(text.bytes[i] != ':' || text.bytes[i - 1] == '"');
    }
    json_document_free(document);
    text_release(&text);
}

static void check_classroom50(const struct report *report)
{
    struct json_document *document = parsed("classroom50", report);
    const cJSON *root = json_root(document);
    const cJSON *tests = cJSON_GetObjectItemCaseSensitive(root, "tests");

    assert_true(number_of(root, "score") == sum_of(tests, "score"));
    assert_true(number_of(root, "max-score") == sum_of(tests, "max-score"));
    for (const cJSON *test = tests->child; test != NULL; test = test->next) {
        double score = number_of(test, "score");
        assert_true(score == trunc(score) && score <= number_of(test, "max-score"));
    }
    json_document_free(document);
}

static void sums_are_those_of_what_is_shown(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < REPORTS; seed++) {
        const struct random_wishes wishes = {.hides = seed % 2 == 1};
        struct arena *arena = arena_new();
        struct report report = random_report(arena, seed, &wishes);
        struct report shown;
        report_for_student(&report, arena, &shown);
        if (shown.verdict_count > 0) {
            check_gradescope(&shown);
            check_prairielearn(&shown);
            check_autolab(&shown);
            check_classroom50(&shown);
        }
        arena_free(arena);
    }
}

static void integers_keep_the_rounded_sum(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < REPORTS; seed++) {
        const struct random_wishes wishes = {.hides = false};
        struct arena *arena = arena_new();
        struct report report = random_report(arena, seed, &wishes);
        struct whole_points *points = arena_array(arena, report.verdict_count, sizeof *points);
        whole_points_round(&report, points);
        struct whole_points sum = whole_points_sum(&report, points);
        double most = report_measurable_max(&report);
        assert_true((double)sum.max_points == round(round(most * 1e6) / 1e6));
        for (size_t i = 0; i < report.verdict_count; i++) {
            const struct verdict *verdict = &report.verdicts[i];
            assert_true(points[i].points >= 0 && points[i].points <= points[i].max_points);
            assert_true(verdict->points > 0 || points[i].points == 0);
            if (verdict->status == STATUS_PASSED) {
                assert_int_equal(points[i].points, points[i].max_points);
            }
            assert_true(fabs((double)points[i].max_points - verdict->criterion->points) < 1);
        }
        arena_free(arena);
    }
}

/* Texts that together have far more than PrairieLearn takes. */
static void a_large_result_is_shortened_for_prairielearn(void **state)
{
    enum { CRITERIA = 300, TEXT = 1 << 14 };
    struct arena *arena = arena_new();
    struct rubric_criterion *criteria = arena_array(arena, CRITERIA, sizeof *criteria);
    struct verdict *verdicts = arena_array(arena, CRITERIA, sizeof *verdicts);
    char *large = arena_alloc(arena, TEXT + 1);
    const struct rubric rubric = {.id = "matmul", .title = "matmul", .version = 1};
    struct report report = {.rubric = &rubric,
                            .submission_name = "x",
                            .grader_version = "0.1.0",
                            .compiler = "nvcc 13.0",
                            .verdicts = verdicts,
                            .verdict_count = CRITERIA,
                            .again = ""};

    (void)state;
    memset(large, '\x01', TEXT); /* four bytes when it is printable */
    for (size_t i = 0; i < CRITERIA; i++) {
        criteria[i] = (struct rubric_criterion){
            .id = arena_printf(arena, "id.%zu", i), .title = large, .points = 1};
        verdicts[i] = (struct verdict){.criterion = &criteria[i], .status = STATUS_FAILED};
        verdicts[i].cause = (struct cause){
            .code = CODE_MISMATCH, .message = large, .file = large, .line = 1, .hint = large};
    }
    struct text text = emitted(emit_format_find("prairielearn"), &report);
    assert_true(text.length <= PRAIRIELEARN_BYTES_MAX);
    assert_true(text.length > PRAIRIELEARN_BYTES_MAX / 4);
    assert_non_null(strstr(text.bytes, "more bytes)"));
    if (has_validator()) {
        FILE *validator = validator_open("prairielearn");
        validator_take(validator, &text);
        assert_int_equal(pclose(validator), 0);
    }
    text_release(&text);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_clean_and_read_back_alike),
        cmocka_unit_test(what_is_hidden_is_in_no_format_for_students),
        cmocka_unit_test(formats_follow_their_schemas),
        cmocka_unit_test(sums_are_those_of_what_is_shown),
        cmocka_unit_test(integers_keep_the_rounded_sum),
        cmocka_unit_test(a_large_result_is_shortened_for_prairielearn),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
