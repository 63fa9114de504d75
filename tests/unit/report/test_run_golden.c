/* test_run_golden.c: results of runs made by hand, and the bytes that the emitters make of them.
 *
 * The expected texts are golden/run_<name>.txt. After a wanted change, run the program with
 * GPUGRADE_BLESS=1 to write them anew, and read the difference.
 */
#include "base/file.h"
#include "diagnosis/grouping/diagnostics.h"
#include "report/score/run_json.h"
#include "report/terminal/run_terminal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const char source_text[] = "__global__ void reduce(int *part)\n{\n"
                                  "    part[t] += part[t + s];\n}\n";
static const struct source_file sources[] = {{"sum.cu", source_text, sizeof source_text - 1}};
static const struct finding findings[] = {
    {.code = CODE_SHARED_RACE,
     .message = "shared array `part` is read while other threads still write it",
     .kernel = "reduce",
     .launch = "",
     .count = 896,
     .places = {{"write", "sum.cu", 3, 5, true, {0, 0, 0}, {32, 0, 0}, NULL, false},
                {"read", "sum.cu", 3, 16, true, {0, 0, 0}, {0, 0, 0}, NULL, false}},
     .place_count = 2},
    {.code = CODE_API_ERROR,
     .severity = SEVERITY_WARNING,
     .message = "cudaMalloc gave cudaErrorMemoryAllocation (2)",
     .kernel = "",
     .launch = "",
     .count = 2},
};
static const struct remark remarks[] = {{.message = "the times are \x1b[31mestimates", .file = ""}};
static const struct named_seconds seconds[] = {{"build", 1.5}, {"run", 0.25}};
static const char *const arguments[] = {"-n", "two \xff words", NULL};

static const struct report_device devices[] = {{"emulated", "H200", "", 0}};

static struct run_report make_report(void)
{
    return (struct run_report){
        .program = "sum.cu",
        .arguments = arguments,
        .argument_count = 2,
        .exit_status = 7,
        .signal_name = "",
        .launches = 4,
        .seen = {.devices = devices,
                 .device_count = 1,
                 .compiler = "nvcc 13.0",
                 .grader_version = "0.1.0",
                 .findings = findings,
                 .finding_count = COUNT(findings),
                 .remarks = remarks,
                 .remark_count = COUNT(remarks),
                 .sources = sources,
                 .source_count = COUNT(sources),
                 .seconds = seconds,
                 .seconds_count = COUNT(seconds),
                 .again = ""},
    };
}

/* Everything that reports are told with; freed by main(). */
static struct arena *told;

static void check_golden(const char *name, const struct text *actual)
{
    struct arena *arena = arena_new();
    const char *path =
        arena_printf(arena, "%s/tests/unit/report/golden/run_%s.txt", GPUGRADE_SOURCE_DIR, name);
    char *expected = NULL;
    size_t length = 0;

    if (getenv("GPUGRADE_BLESS") != NULL) {
        assert_int_equal(file_write_atomic(path, actual->bytes, actual->length, NULL), ERROR_NONE);
    }
    if (file_read(arena, path, 1 << 20, BLAME_GRADER, &expected, &length, NULL) != ERROR_NONE) {
        fail_msg("%s cannot be read; write it with GPUGRADE_BLESS=1", path);
    }
    assert_string_equal(actual->bytes, expected);
    arena_free(arena);
}

static void check_json(const char *name, const struct run_report *report)
{
    struct text text;

    text_init(&text);
    run_json(report, &text);
    check_golden(name, &text);
    text_release(&text);
}

static void check_screen(const char *name, const struct run_report *report, bool verbose)
{
    const struct terminal_style style = {.columns = 80, .verbose = verbose};
    struct run_report shown = *report;
    struct text text;

    diagnostics_make(&shown.seen, told);
    text_init(&text);
    run_terminal(&shown, &style, &text);
    check_golden(name, &text);
    text_release(&text);
}

static void a_run_with_findings(void **state)
{
    struct run_report report = make_report();

    (void)state;
    check_json("result", &report);
    check_screen("screen", &report, false);
}

static void a_run_that_a_signal_ends(void **state)
{
    struct run_report report = make_report();

    (void)state;
    report.signal = 2;
    report.signal_name = "Interrupt";
    report.seen.finding_count = 0;
    report.seen.remark_count = 0;
    report.argument_count = 0;
    report.launches = 1;
    check_json("result_of_signal", &report);
    check_screen("screen_of_signal", &report, false);
}

static void many_findings_are_cut(void **state)
{
    struct run_report report = make_report();
    struct finding many[25];
    struct text cut;
    struct text whole;
    const struct terminal_style brief = {.columns = 80};
    const struct terminal_style verbose = {.columns = 80, .verbose = true};

    (void)state;
    for (size_t i = 0; i < COUNT(many); i++) {
        many[i] = findings[1];
        many[i].message = arena_printf(told, "call %zu failed", i);
    }
    report.seen.findings = many;
    report.seen.finding_count = COUNT(many);
    diagnostics_make(&report.seen, told);
    text_init(&cut);
    text_init(&whole);
    run_terminal(&report, &brief, &cut);
    run_terminal(&report, &verbose, &whole);
    assert_non_null(strstr(cut.bytes, "... and 5 more findings; --verbose shows them"));
    assert_non_null(strstr(cut.bytes, "25 findings (25 CUDA error) in 4 launches"));
    assert_null(strstr(whole.bytes, "more findings"));
    text_release(&cut);
    text_release(&whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_with_findings),
        cmocka_unit_test(a_run_that_a_signal_ends),
        cmocka_unit_test(many_findings_are_cut),
    };

    told = arena_new();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(told);
    return failed;
}
