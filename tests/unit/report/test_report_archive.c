/* test_report_archive.c: reports through the archive and back.
 *
 * That every emitter gives the same bytes is held by test_report_golden.c and test_report_html.c,
 * whose reports all pass through archived.h. Here: that no field is forgotten, what JSON cannot
 * hold, the student's report inside, other rubrics, and damage.
 */
#include "report/report_student.h"
#include "report/score/archive_fields.h"
#include "report/score/report_archive.h"
#include "report/score/report_json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const struct rubric_launch launches[] = {{.id = "tiled", .title = "tiled"},
                                                {.id = "dynamic", .title = "dynamic"}};

static const struct rubric_criterion criteria[] = {
    {.id = "compile", .title = "compile", .points = 5},
    {.id = "correct.tiled", .title = "correct", .points = 20, .has_launch = true},
    {.id = "secret", .title = "secret", .points = 3, .hidden = true},
};

static const struct rubric_case cases[] = {{.id = "seen"}, {.id = "unseen", .hidden = true}};

static const struct rubric rubric = {
    .id = "matmul",
    .title = "matrices",
    .version = 1,
    .sha256 = "whole",
    .public_sha256 = "public",
    .launches = launches,
    .launch_count = COUNT(launches),
    .criteria = criteria,
    .criterion_count = COUNT(criteria),
    .hidden_criterion_count = 1,
    .cases = cases,
    .case_count = COUNT(cases),
    .hidden_case_count = 1,
};

static int start(void **state)
{
    *state = arena_new();
    return 0;
}

static int end(void **state)
{
    arena_free(*state);
    return 0;
}

/* A report with a verdict on each criterion. */
static struct report report_of(struct arena *arena, const struct rubric *shown)
{
    struct verdict *verdicts = arena_array(arena, shown->criterion_count, sizeof *verdicts);

    for (size_t i = 0; i < shown->criterion_count; i++) {
        verdicts[i].criterion = &shown->criteria[i];
        verdicts[i].points = shown->criteria[i].points;
        verdicts[i].summary = "fine";
        verdicts[i].cause.message = "";
        verdicts[i].cause.file = "";
        verdicts[i].cause.hint = "";
    }
    return (struct report){.rubric = shown,
                           .submission_name = "alice",
                           .submission_sha256 = "abc",
                           .seed = UINT64_MAX,
                           .verdicts = verdicts,
                           .verdict_count = shown->criterion_count,
                           .again = "gpugrade check ."};
}

static struct report back(struct arena *arena, const struct report *report,
                          const struct rubric *known)
{
    struct diagnostic diagnostic = {.message = ""};
    struct report again;
    struct text text;

    text_init(&text);
    report_archive_write(report, &text);
    if (report_archive_read(arena, text.bytes, text.length, "archive", known, &again,
                            &diagnostic) != ERROR_NONE) {
        fail_msg("%d:%d: %s", diagnostic.line, diagnostic.column, diagnostic.message);
    }
    text_release(&text);
    return again;
}

/* Marks the bytes of a struct that the table names. */
static void cover(const struct archive_shape *shape, uint8_t *covered)
{
    for (size_t i = 0; i < shape->field_count; i++) {
        const struct archive_field *field = &shape->fields[i];
        memset(covered + field->offset, 1, archive_field_bytes(field));
        if (field->count_offset != 0) {
            memset(covered + field->count_offset, 1, sizeof(size_t));
        }
    }
}

/* What is not named must be padding: fewer than eight bytes, none of them the start of a pointer.
 */
static void assert_covered(const struct archive_shape *shape, const uint8_t *covered)
{
    for (size_t i = 0; i < shape->bytes; i++) {
        size_t run = 0;
        while (i + run < shape->bytes && !covered[i + run]) {
            run++;
        }
        if (run >= 8) {
            fail_msg("%zu bytes at %zu of the struct whose first field is '%s' are not archived: "
                     "add them to archive_fields.c",
                     run, i, shape->fields[0].key);
        }
        i += run;
    }
}

/* Holds a shape and those inside it to their structs; the tables end. */
static void check_shape(const struct archive_shape *shape, uint8_t *covered)
{
    cover(shape, covered);
    assert_covered(shape, covered);
    for (size_t i = 0; i < shape->field_count; i++) {
        const struct archive_shape *inner = shape->fields[i].shape;
        if (inner != NULL) {
            uint8_t *of_inner = calloc(inner->bytes, 1);
            if (inner->bytes == sizeof(struct cause) && strcmp(inner->fields[0].key, "code") == 0) {
                /* who explains a verdict has used it up before there is a report */
                memset(of_inner + offsetof(struct cause, subject), 1,
                       offsetof(struct cause, because) - offsetof(struct cause, subject));
            }
            if (inner == &archive_finding_shape) {
                memset(of_inner + offsetof(struct finding, values), 1, sizeof(void *)); /* too */
            }
            check_shape(inner, of_inner);
            free(of_inner);
        }
    }
}

static void no_field_is_forgotten(void **state)
{
    uint8_t *covered = arena_alloc(*state, sizeof(struct report));

    /* those that are made afterwards, or handed in */
    memset(covered + offsetof(struct report, rubric), 1, sizeof(void *));
    memset(covered + offsetof(struct report, final), 1, sizeof(void *));
    memset(covered + offsetof(struct report, rank), 1, sizeof(void *));
    memset(covered + offsetof(struct report, student), 1, sizeof(void *));
    memset(covered + offsetof(struct report, diagnostics), 1, sizeof(void *));
    memset(covered + offsetof(struct report, steps), 1, 2 * sizeof(void *)); /* step_page too */
    memset(covered + offsetof(struct report, diagnostic_count), 1, sizeof(size_t));
    /* batches judge all criteria */
    memset(covered + offsetof(struct report, only), 1, sizeof(void *));
    check_shape(&archive_report_shape, covered);
}

static void texts_and_numbers_are_exact(void **state)
{
    struct report report = report_of(*state, &rubric);
    static const struct source_file sources[] = {{"a\xff", "x\0y\x1b", 4}, {"b", "", 0}};
    static const uint64_t marks[] = {0, 1, UINT64_MAX, UINT64_C(0x8000000000000001)};
    static const struct device_code code = {"tiled", marks, COUNT(marks), SIZE_MAX};
    struct verdict *verdict = arena_array(*state, 3, sizeof *verdict);

    memcpy(verdict, report.verdicts, 3 * sizeof *verdict);
    report.verdicts = verdict;
    verdict_add_number(verdict, "zero", -0.0);
    verdict_add_number(verdict, "third", 1.0 / 3);
    verdict_add_number(verdict, "tiny", 5e-324);
    verdict_add_integer(verdict, "least", INT64_MIN);
    verdict_add_integer(verdict, "large", (INT64_C(1) << 53) + 1);
    verdict_add_text(verdict, "text", "\xE4\xB8\xAD \"##[x\" \xE2\x80\xAE \x7f \\u0041 \xC3");
    verdict->cause.hint = NULL;
    verdict->cause.code = CODE_NAMED_MISTAKE;
    report.sources = sources;
    report.source_count = COUNT(sources);
    report.device_code = &code;
    report.device_code_count = 1;
    struct report again = back(*state, &report, &rubric);
    const struct verdict *read = &again.verdicts[0];
    assert_true(again.seed == UINT64_MAX);
    assert_string_equal(again.submission_sha256, "abc");
    assert_int_equal(again.source_count, 2);
    assert_string_equal(again.sources[0].name, "a\xff");
    assert_int_equal(again.sources[0].length, 4);
    assert_memory_equal(again.sources[0].text, "x\0y\x1b", 5);
    assert_string_equal(again.sources[1].text, "");
    assert_int_equal(read->evidence_count, 6);
    assert_memory_equal(&read->evidence[0].number, &(double){-0.0}, sizeof(double));
    assert_true(read->evidence[1].number == 1.0 / 3);
    assert_true(read->evidence[2].number == 5e-324);
    assert_true(read->evidence[3].integer == INT64_MIN);
    assert_true(read->evidence[4].integer == (INT64_C(1) << 53) + 1);
    assert_string_equal(read->evidence[5].text, verdict->evidence[5].text);
    assert_null(read->cause.hint);
    assert_string_equal(read->cause.file, "");
    assert_int_equal(read->cause.code, CODE_NAMED_MISTAKE);
    assert_int_equal(again.device_code_count, 1);
    assert_int_equal(again.device_code[0].mark_count, COUNT(marks));
    assert_memory_equal(again.device_code[0].marks, marks, sizeof marks);
    assert_true(again.device_code[0].instructions == SIZE_MAX);
    assert_null(again.gpu_note);
    assert_null(again.student);
}

static void the_student_s_report_comes_along(void **state)
{
    struct rubric whole = rubric;
    struct rubric visible = rubric_public_view(&rubric);
    struct report report = report_of(*state, &whole);
    struct report student = report;
    struct verdict *marked = arena_array(*state, 3, sizeof *marked);
    struct rubric_criterion criterion = criteria[2];
    static const struct remark remarks[] = {{.message = "one", .file = ""}};

    whole.reports_hidden = true;
    memcpy(marked, report.verdicts, 3 * sizeof *marked);
    criterion.title = "secret (hidden)";
    marked[2].criterion = &criterion;
    report.verdicts = marked;
    report.remarks = remarks;
    report.remark_count = 1;
    report.gpu_note = "none";
    student.rubric = &visible;
    student.verdict_count = 2;
    student.again = "gpugrade check . --rubric rubric.json";
    report.student = &student;
    struct report again = back(*state, &report, &rubric);
    assert_string_equal(again.verdicts[2].criterion->title, "secret (hidden)");
    assert_true(again.verdicts[2].criterion->points == 3);
    assert_true(again.rubric->reports_hidden);
    assert_string_equal(again.rubric->sha256, "whole");
    assert_int_equal(again.rubric->case_count, 2);
    assert_string_equal(again.again, "gpugrade check .");
    assert_non_null(again.student);
    assert_int_equal(again.student->verdict_count, 2);
    assert_string_equal(again.student->rubric->sha256, "public");
    assert_int_equal(again.student->rubric->case_count, 1);
    assert_false(again.student->rubric->reports_hidden);
    assert_int_equal(again.student->remark_count, 0); /* fewer than the other has: none */
    assert_null(again.student->gpu_note);
    assert_string_equal(again.student->again, student.again);
    assert_string_equal(again.student->submission_name, "alice");
    assert_null(again.student->student);
}

/* Points and titles are those of the rubric that it is read with; what that lacks is left out. */
static void a_later_rubric_may_be_given(void **state)
{
    static const struct rubric_criterion later_criteria[] = {
        {.id = "correct.tiled", .title = "right", .points = 31, .has_launch = true},
        {.id = "new", .title = "new", .points = 1},
    };
    struct rubric later = rubric;
    static const struct launch_profile profiles[] = {
        {.launch = 0,
         .shape = "one",
         .gpu_model = "H200",
         .operands = {{.name = "A", .bytes = 4}},
         .operand_count = 1},
        {.launch = 1, .shape = "two", .gpu_model = "H200"}};
    struct report report = report_of(*state, &rubric);

    report.profiles = profiles;
    report.profile_count = 2;
    later.criteria = later_criteria;
    later.criterion_count = 2;
    later.hidden_criterion_count = 0;
    later.launches = &launches[1];
    later.launch_count = 1;
    struct report again = back(*state, &report, &later);
    assert_int_equal(again.verdict_count, 1);
    assert_ptr_equal(again.verdicts[0].criterion, &later_criteria[0]);
    assert_true(again.verdicts[0].points == 20); /* regrading is somebody else's work */
    assert_int_equal(again.profile_count, 1);
    assert_string_equal(again.profiles[0].shape, "two");
    assert_int_equal(again.profiles[0].launch, 0);
    assert_int_equal(again.profiles[0].operand_count, 0);
}

static enum error read_text(struct arena *arena, const char *bytes, struct diagnostic *diagnostic)
{
    struct report report;

    memset(diagnostic, 0, sizeof *diagnostic);
    return report_archive_read(arena, bytes, strlen(bytes), "store", &rubric, &report, diagnostic);
}

static void damage_is_told(void **state)
{
#define WITH(fields) "{\"schema\": \"gpugrade/archive/v1\", \"report\": {" fields "}}"
    static const char *const damaged[] = {
        "{\"schema\": \"gpugrade/archive/v1\"}",
        WITH("\"seed\": -1"),
        WITH("\"seed\": \"1x\""),
        WITH("\"again\": 3"),
        WITH("\"again\": {\"hex\": \"0\"}"),
        WITH("\"again\": {\"hex\": \"0g\"}"),
        WITH("\"unheard\": 3"),
        WITH("\"again\": \"a\", \"seed\": 1"), /* another order */
        WITH("\"verdicts\": 3"),
        WITH("\"verdicts\": [3]"),
        WITH("\"verdicts\": [{}]"),
        WITH("\"verdicts\": [{\"criterion\": null}]"),
        WITH("\"verdicts\": [{\"criterion\": [\"compile\"], \"map\": {\"rows\": 1, \"columns\": "
             "1}}]"),
        WITH("\"sources\": [{\"name\": \"a.cu\"}]"),
        WITH("\"profiles\": [{\"shape\": \"A\"}]"),
        WITH("\"verdicts\": [{\"criterion\": \"compile\"}]"),
        WITH("\"verdicts\": [{\"criterion\": [\"compile\"], \"status\": \"fine\"}]"),
        WITH("\"verdicts\": [{\"criterion\": [\"compile\"], \"map\": {\"rows\": 2, \"columns\": 2, "
             "\"states\": \"000\"}}]"),
        WITH("\"verdicts\": [{\"criterion\": [\"compile\"], \"map\": {\"rows\": 1, \"columns\": 1, "
             "\"states\": \"4\"}}]"),
        WITH("\"verdicts\": [{\"criterion\": [\"compile\"], \"map\": {\"rows\": "
             "\"9223372036854775808\", \"columns\": 2, \"states\": \"\"}}]"),
        WITH("\"findings\": [{\"places\": [{}, {}, {}, {}, {}]}]"),
        WITH("\"findings\": [{\"main_place\": 4}]"),
        WITH("\"device_code\": [{\"marks\": \"0123\"}]"),
        WITH("\"submission_sha256\": \"0123456789012345678901234567890123456789"
             "0123456789012345678901234\""),
    };
    struct diagnostic diagnostic;

    for (size_t i = 0; i < COUNT(damaged); i++) {
        enum error error = read_text(*state, damaged[i], &diagnostic);
        if (error != ERROR_SYNTAX || diagnostic.blame != BLAME_ENVIRONMENT ||
            strstr(diagnostic.message, "damaged") == NULL) {
            fail_msg("%s: %d %s", damaged[i], (int)error, diagnostic.message);
        }
    }
    assert_int_equal(read_text(*state, WITH("\"seed\": 1"), &diagnostic), ERROR_NONE);
    assert_int_equal(read_text(*state, "{\"schema\": \"gpugrade/archive/v2\"}", &diagnostic),
                     ERROR_UNSUPPORTED);
    assert_int_equal(read_text(*state, "{", &diagnostic), ERROR_SYNTAX);
}

/* Archives of before 0.2 hold the version of the toolkit alone. */
static void the_compiler_comes_back(void **state)
{
    static const struct {
        const char *archived, *compiler;
    } compilers[] = {
        {"13.0", "nvcc 13.0"},
        {"nvcc 13.0", "nvcc 13.0"},
        {"clang 19.1.7", "clang 19.1.7"},
        {"", ""},
    };
    struct arena *arena = *state;

    for (size_t i = 0; i < COUNT(compilers); i++) {
        struct report report = report_of(arena, &rubric);
        report.compiler = compilers[i].archived;
        assert_string_equal(back(arena, &report, &rubric).compiler, compilers[i].compiler);
    }
    struct report report = report_of(arena, &rubric);
    assert_null(back(arena, &report, &rubric).compiler);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(no_field_is_forgotten, start, end),
        cmocka_unit_test_setup_teardown(texts_and_numbers_are_exact, start, end),
        cmocka_unit_test_setup_teardown(the_student_s_report_comes_along, start, end),
        cmocka_unit_test_setup_teardown(a_later_rubric_may_be_given, start, end),
        cmocka_unit_test_setup_teardown(the_compiler_comes_back, start, end),
        cmocka_unit_test_setup_teardown(damage_is_told, start, end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
