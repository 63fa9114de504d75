/* test_report_golden.c: reports made by hand, and the bytes that every emitter makes of them.
 *
 * The expected texts are golden/<name>.txt. After a wanted change, run the program with
 * GPUGRADE_BLESS=1 to write them anew, and read the difference.
 */
#include "base/file.h"
#include "diagnosis/grouping/diagnostics.h"
#include "report/html/report_html.h"
#include "report/report_student.h"
#include "report/score/report_json.h"
#include "report/terminal/report_terminal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archived.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const struct rubric_launch launches[] = {
    {.id = "tiled", .title = "tiled", .kernel = "matrixMulTiled"},
    {.id = "dynamic", .title = "dynamic", .kernel = "matrixMulDynamic"},
    {.id = "secret", .title = "secret", .kernel = "matrixMulSecret"},
};

static const struct rubric_criterion criteria[] = {
    {.id = "compile", .title = "compile", .points = 9},
    {.id = "correct.tiled",
     .kind = CRITERION_CORRECT,
     .title = "correct, tiled",
     .points = 36,
     .has_launch = true,
     .launch = 0},
    {.id = "correct.dynamic",
     .kind = CRITERION_CORRECT,
     .title = "correct, dynamic",
     .points = 27.5,
     .has_launch = true,
     .launch = 1},
    {.id = "dynamic",
     .kind = CRITERION_DYNAMIC,
     .title = "dynamic",
     .points = 9.25,
     .has_launch = true,
     .launch = 1},
    {.id = "occupancy", .kind = CRITERION_OCCUPANCY, .title = "occupancy", .points = 9.25},
    {.id = "speedup", .kind = CRITERION_SPEEDUP, .title = "speedup", .points = 5},
    {.id = "secret",
     .kind = CRITERION_CORRECT,
     .title = "correct, hidden shapes",
     .points = 4,
     .hidden = true,
     .has_launch = true,
     .launch = 2},
};

static const struct rubric rubric = {
    .id = "matmul",
    .version = 1,
    .title = "matrix multiplication",
    .next = "try blocks of 32 x 32",
    .sha256 = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff",
    .launches = launches,
    .launch_count = COUNT(launches),
    .criteria = criteria,
    .criterion_count = COUNT(criteria),
};

static const char tiled_text[] = "__global__ void matrixMulTiled(const float *A)\n"
                                 "{\n"
                                 "\t__shared__ float As[16][16];\n"
                                 "    Bs[ty][tx] = B[b_y * b_width + b_x];   \r\n"
                                 "    /* \xE4\xB8\xAD\xE6\x96\x87 \x1b[31m */ sum += As[ty][k] * "
                                 "Bs[k][tx];\n"
                                 "    C[row * b_width + column] = sum;\n"
                                 "}";
static const char dynamic_text[] = "int requiredSM(int threads)\n{\n    return 0;\n}\n";

static const struct source_file sources[] = {
    {"exercise1_tiled.cu", tiled_text, sizeof tiled_text - 1},
    {"exercise2_dynamic.cu", dynamic_text, sizeof dynamic_text - 1},
};

static const struct named_seconds seconds[] = {{"build", 0.5}, {"emulated", 0.125}};

static const struct report_device devices[] = {{"emulated", "H200", "", 0}};

/* Everything that reports are told with; freed by main(). */
static struct arena *told;

static struct report base_report(const struct verdict *verdicts, size_t count)
{
    return (struct report){
        .rubric = &rubric,
        .submission_name = "alice",
        .submission_sha256 = "ffeeddccbbaa99887766554433221100ffeeddccbbaa99887766554433221100",
        .seed = UINT64_C(0x5eed1234),
        .devices = devices,
        .device_count = 1,
        .sandbox = {.tier = "A",
                    .note = "",
                    .memory = "cgroup v2",
                    .own_user = true,
                    .filters_calls = true,
                    .confines_device = true},
        .compiler = "nvcc 13.0",
        .grader_version = "0.1.0",
        .verdicts = verdicts,
        .verdict_count = count,
        .sources = sources,
        .source_count = COUNT(sources),
        .seconds = seconds,
        .seconds_count = COUNT(seconds),
        .again = "gpugrade check .",
    };
}

static struct report passed_report(void)
{
    static const char printed[] =
        "C(0,0) = 12\n\n\tOccupancy:\x1b[2J 0.0303 \xff\n##[error]no line end";
    static const struct program_output outputs[] = {
        {.program = "tiled", .bytes = printed, .length = sizeof printed - 1, .left_out = 77},
        {.program = "tiled", .is_errors = true, .bytes = "gone\n", .length = 5},
    };
    static struct verdict verdicts[5];
    static const char *const summaries[] = {"2 programs, 32 registers, no spills", "8 shapes",
                                            "8 shapes", "1024 bytes, edge 16", "0.0303 as printed"};

    memset(verdicts, 0, sizeof verdicts);
    for (size_t i = 0; i < COUNT(verdicts); i++) {
        verdicts[i].criterion = &criteria[i];
        verdicts[i].status = STATUS_PASSED;
        verdicts[i].points = criteria[i].points;
        verdicts[i].summary = summaries[i];
    }
    verdict_add_integer(&verdicts[0], "registers", 32);
    verdict_add_boolean(&verdicts[0], "spills", false);
    verdict_add_text(&verdicts[1], "largest", "A 256x512, B 512x128");
    verdict_add_number(&verdicts[4], "printed", 0.0303);
    struct report report = base_report(verdicts, COUNT(verdicts));
    report.outputs = outputs;
    report.output_count = COUNT(outputs);
    return report;
}

/* One of each status; shared causes; findings with places in two files; hostile text. */
static struct report mixed_report(void)
{
    static struct verdict verdicts[7];
    static struct finding findings[3];
    static const struct remark remarks[] = {
        {"variable \"i\" was declared but never referenced", "exercise1_tiled.cu", 12, 7, true},
        {"cudaGetLastError() returned cudaErrorInvalidValue", "", 0, 0, false},
        {"remark \x1b]0;title\x07 three", "a\nb.cu", 3, 0, false},
        {"remark four", "", 0, 0, false},
        {"remark five", "", 0, 0, false},
        {"remark six", "", 0, 0, false},
    };

    memset(verdicts, 0, sizeof verdicts);
    for (size_t i = 0; i < COUNT(verdicts); i++) {
        verdicts[i].criterion = &criteria[i];
        verdicts[i].summary = "";
    }
    verdicts[0].status = STATUS_PASSED;
    verdicts[0].points = 9;
    verdicts[0].summary = "2 programs";
    verdicts[1].status = STATUS_PARTIAL;
    verdicts[1].points = 18;
    verdicts[1].summary = "wrong in 4 of 8 shapes";
    verdicts[1].cause = (struct cause){.code = CODE_GLOBAL_OUT_OF_BOUNDS,
                                       .message = "reads 4 bytes behind the end of B",
                                       .file = "exercise1_tiled.cu",
                                       .line = 5,
                                       .column = 43,
                                       .hint = "check the guard on the row"};
    verdicts[2].status = STATUS_FAILED;
    verdicts[2].summary = "crash";
    verdicts[2].cause =
        (struct cause){.code = CODE_SIGNAL, .message = "ended by signal 11 \x1b[2J\xff"};
    verdicts[3].status = STATUS_FAILED;
    verdicts[3].summary = "crash";
    verdicts[3].cause = verdicts[2].cause;
    verdicts[4].status = STATUS_ERROR;
    verdicts[4].summary = "an unknown instruction";
    verdicts[4].cause = (struct cause){.code = CODE_UNKNOWN_INSTRUCTION,
                                       .message = "the emulated device does not know `dp4a`",
                                       .file = "exercise2_dynamic.cu",
                                       .line = 3};
    verdicts[5].status = STATUS_SKIPPED;
    verdicts[5].summary = "needs a GPU";
    verdicts[6].status = STATUS_FAILED;
    verdicts[6].summary = "wrong in 1 of 1 shapes";
    verdicts[6].cause = (struct cause){.code = CODE_MISMATCH, .message = "hidden"};

    findings[0] = (struct finding){
        .code = CODE_GLOBAL_OUT_OF_BOUNDS,
        .severity = SEVERITY_ERROR,
        .message = "reads 4 bytes behind the end of B",
        .kernel = "matrixMulTiled",
        .launch = "tiled",
        .count = 26336,
        .places = {{"read", "exercise1_tiled.cu", 5, 43, true, {1, 0, 0}, {3, 5, 0}, NULL, false},
                   {"write", "exercise1_tiled.cu", 4, 5, true, {0, 0, 2}, {3, 0, 1}, NULL, false},
                   {"allocated", "exercise2_dynamic.cu", 1, 5, false, {0}, {0}, NULL, false}},
        .place_count = 3,
    };
    findings[1] = (struct finding){
        .code = CODE_BARRIER_DIVERGENT,
        .severity = SEVERITY_WARNING,
        .message = "part of a warp skips a barrier",
        .kernel = "matrixMulTiled",
        .launch = "tiled",
        .count = 1,
        .places = {{"barrier", "exercise1_tiled.cu", 3, 2, true, {0}, {1, 0, 0}, NULL, false},
                   {"here", "exercise1_tiled.cu", 99, 1, false, {0}, {0}, NULL, false}},
        .place_count = 2,
    };
    findings[2] = (struct finding){.code = CODE_NULL_POINTER,
                                   .severity = SEVERITY_ERROR,
                                   .message = "a null pointer",
                                   .kernel = "matrixMulSecret",
                                   .launch = "secret",
                                   .count = 7};
    struct report report = base_report(verdicts, COUNT(verdicts));
    report.findings = findings;
    report.finding_count = COUNT(findings);
    report.remarks = remarks;
    report.remark_count = COUNT(remarks);
    report.sandbox = (struct report_sandbox){.tier = "C", .memory = "each process"};
    report.sandbox.note = "limits only: the program can read your files and use the network";
    diagnostics_make(&report, told);
    return report;
}

/* A race that makes results wrong too: one root cause; a second race, a warning, and traffic. */
static struct report race_report(void)
{
    static const struct rubric_criterion race_criteria[] = {
        {.id = "correct.tiled",
         .kind = CRITERION_CORRECT,
         .title = "correct, tiled",
         .points = 40,
         .has_launch = true},
        {.id = "race-free.tiled",
         .kind = CRITERION_RACE_FREE,
         .title = "race-free, tiled",
         .points = 40,
         .has_launch = true},
        {.id = "tiled.tiled",
         .kind = CRITERION_TILED,
         .title = "tiled loads, tiled",
         .points = 20,
         .has_launch = true},
    };
    static struct verdict verdicts[3];
    static struct finding findings[3];

    memset(verdicts, 0, sizeof verdicts);
    for (size_t i = 0; i < COUNT(verdicts); i++) {
        verdicts[i].criterion = &race_criteria[i];
        verdicts[i].status = STATUS_FAILED;
    }
    verdicts[0].summary = "wrong in 8 of 8 shapes";
    verdicts[0].cause =
        (struct cause){.code = CODE_MISMATCH,
                       .message = "C is wrong; probably because in `matrixMulTiled`: a race (R01)",
                       .file = "exercise1_tiled.cu",
                       .line = 5,
                       .column = 28,
                       .hint = "put __syncthreads() between the two",
                       .because = CODE_SHARED_RACE};
    verdicts[1].summary = "2 races";
    verdicts[1].cause =
        (struct cause){.code = CODE_SHARED_RACE,
                       .message = "in `matrixMulTiled`: shared array `Bs` is read while other "
                                  "threads still write it",
                       .file = "exercise1_tiled.cu",
                       .line = 5,
                       .column = 28,
                       .hint = "put __syncthreads() between the two"};
    verdicts[2].summary = "not tiled";
    verdicts[2].cause = (struct cause){.code = CODE_TOO_MANY_LOADS,
                                       .message = "loads 4096 bytes, expected 256",
                                       .file = "exercise1_tiled.cu",
                                       .line = 4,
                                       .column = 5,
                                       .hint = "load each element once"};
    findings[0] = (struct finding){
        .code = CODE_SHARED_RACE,
        .severity = SEVERITY_ERROR,
        .message = "shared array `Bs` is read while other threads still write it",
        .kernel = "matrixMulTiled",
        .object = "Bs",
        .launch = "tiled",
        .count = 26336,
        .places = {{"write", "exercise1_tiled.cu", 4, 5, true, {0, 0, 0}, {3, 5, 0}, NULL, false},
                   {"read", "exercise1_tiled.cu", 5, 28, true, {0, 0, 0}, {3, 0, 0}, NULL, false}},
        .place_count = 2,
        .main_place = 1,
        .shapes = 8,
        .of_shapes = 8,
        .first_shape = "A 32x48, B 48x16",
    };
    findings[1] = findings[0]; /* the other tile, overwritten: another pair of lines */
    findings[1].message = "shared array `As` is overwritten while other threads of the warp still "
                          "read it";
    findings[1].code = CODE_WARP_RACE;
    findings[1].severity = SEVERITY_WARNING;
    findings[1].object = "As";
    findings[1].places[0] = (struct place){
        "read", "exercise1_tiled.cu", 5, 28, true, {0, 0, 0}, {1, 0, 0}, NULL, false};
    findings[1].places[1] = (struct place){
        "write", "exercise1_tiled.cu", 3, 2, true, {0, 0, 0}, {0, 0, 0}, NULL, false};
    findings[1].count = 1;
    findings[1].shapes = 1;
    findings[2] = (struct finding){
        .code = CODE_BARRIER_INCOMPLETE,
        .severity = SEVERITY_WARNING,
        .message = "threads of a block exit without reaching a barrier at which the others wait",
        .kernel = "matrixMulTiled",
        .launch = "tiled",
        .count = 3,
        .places =
            {{"barrier", "exercise1_tiled.cu", 6, 5, true, {1, 0, 0}, {0, 2, 0}, NULL, false}},
        .place_count = 1,
        .shapes = 2,
        .of_shapes = 8,
        .first_shape = "a hidden shape",
    };
    struct report report = base_report(verdicts, COUNT(verdicts));
    report.findings = findings;
    report.finding_count = COUNT(findings);
    diagnostics_make(&report, told);
    return report;
}

/* Every code of a cause or finding that the emulated device's watching or a real GPU brings, as a
 * finding with two places. */
static struct report codes_report(void)
{
    static const enum code codes[] = {
        CODE_SHARED_RACE,      CODE_WARP_RACE,          CODE_GLOBAL_RACE,
        CODE_BARRIER_MISMATCH, CODE_BARRIER_INCOMPLETE, CODE_UNINITIALISED_SHARED,
        CODE_TOO_MANY_LOADS,   CODE_NO_SHARED_READS,    CODE_OPERAND_NOT_LOADED,
        CODE_BANK_CONFLICTS,   CODE_UNCOALESCED,        CODE_DEVICE_ASSERT,
        CODE_DEVICE_TRAP,      CODE_WRONG_WHEN_TIMED,   CODE_TOO_SLOW,
        CODE_IMPOSSIBLE_TIME,  CODE_LAUNCH_REFUSED,     CODE_UNINITIALISED_GLOBAL,
        CODE_STREAM_RACE,      CODE_HOST_RACE,          CODE_NOT_REPEATABLE,
    };
    static struct finding findings[COUNT(codes)];

    for (size_t i = 0; i < COUNT(codes); i++) {
        findings[i] = (struct finding){
            .code = codes[i],
            .severity = SEVERITY_ERROR,
            .message = code_title(codes[i]),
            .kernel = arena_printf(told, "kernel%zu", i), /* so that none explains another */
            .launch = "",
            .count = i + 1,
            .places =
                {{"atomic", "exercise1_tiled.cu", 4, 5, true, {0, 0, 0}, {3, 5, 0}, NULL, false},
                 {"read", "exercise1_tiled.cu", 5, 28, true, {1, 0, 0}, {3, 0, 0}, NULL, false}},
            .place_count = 2,
            .main_place = code_cause(codes[i]) == CAUSE_RACE ? 1 : 0,
        };
    }
    struct report report = base_report(NULL, 0);
    report.findings = findings;
    report.finding_count = COUNT(findings);
    diagnostics_make(&report, told);
    return report;
}

/* A check with a real GPU: speed that earns all points, some, none; a reference that is no use, and
 * a measurement that failed. */
static struct report speedup_report(void)
{
    static const struct rubric_criterion speedups[] = {
        {.id = "speedup.tiled", .kind = CRITERION_SPEEDUP, .title = "speedup, tiled", .points = 10},
        {.id = "speedup.dynamic",
         .kind = CRITERION_SPEEDUP,
         .title = "speedup, dynamic",
         .points = 5},
        {.id = "speedup.slow", .kind = CRITERION_SPEEDUP, .title = "speedup, slow", .points = 5},
        {.id = "speedup.skipped",
         .kind = CRITERION_SPEEDUP,
         .title = "speedup, skipped",
         .points = 5},
        {.id = "speedup.error", .kind = CRITERION_SPEEDUP, .title = "speedup, error", .points = 5},
    };
    static const struct report_device both[] = {
        {"emulated", "NVIDIA H200", "", 0},
        {"cuda", "NVIDIA H200", "GPU-01234567-89ab-cdef-0123-456789abcdef", 13000},
    };
    static struct verdict verdicts[5];

    memset(verdicts, 0, sizeof verdicts);
    for (size_t i = 0; i < COUNT(verdicts); i++) {
        verdicts[i].criterion = &speedups[i];
        verdict_add_text(&verdicts[i], "baseline", "naive");
    }
    verdicts[0].status = STATUS_PASSED;
    verdicts[0].points = 10;
    verdicts[0].summary = "1.51 x naive, reference 1.50";
    verdict_add_measured_number(&verdicts[0], "speedup", 1.5075);
    verdict_add_measured_integer(&verdicts[0], "blocks", 120);
    verdict_add_measured_boolean(&verdicts[0], "ambiguous", false);
    verdict_add_measured_text(&verdicts[0], "marks", "1.5078 is at least 1.4: all 10");
    verdicts[1].status = STATUS_PARTIAL;
    verdicts[1].points = 1.5;
    verdicts[1].summary = "1.12 x naive, reference 1.50";
    verdicts[1].cause = (struct cause){.code = CODE_TOO_SLOW,
                                       .message = "1.12 times as fast as the naive kernel; the "
                                                  "reference solution reaches 1.50 here, full "
                                                  "marks start at 1.40",
                                       .hint = "look at bank conflicts"};
    verdicts[2].status = STATUS_FAILED;
    verdicts[2].summary = "0.27 x naive, reference 1.50";
    verdicts[2].cause = verdicts[1].cause;
    verdicts[2].cause.message = "0.27 times as fast as the naive kernel";
    verdicts[3].status = STATUS_SKIPPED;
    verdicts[3].summary = "the reference reaches only 1.02 x naive here";
    verdict_add_measured_text(&verdicts[3], "why", "too little to tell solutions apart");
    verdicts[4].status = STATUS_ERROR;
    verdicts[4].summary = "cannot be judged";
    verdicts[4].cause = (struct cause){.message = "the reference against itself is 1.004, not 1",
                                       .hint = "check again"};
    verdict_add_measured_text(&verdicts[4], "why", verdicts[4].cause.message);
    struct report report = base_report(verdicts, COUNT(verdicts));
    report.devices = both;
    report.device_count = COUNT(both);
    diagnostics_make(&report, told);
    return report;
}

/* Compares with the golden file, or writes it. */
static void assert_golden(const char *name, const struct text *actual)
{
    struct arena *arena = arena_new();
    char *path =
        arena_printf(arena, "%s/tests/unit/report/golden/%s.txt", GPUGRADE_SOURCE_DIR, name);
    char *expected;
    size_t length;

    if (getenv("GPUGRADE_BLESS") != NULL) {
        assert_int_equal(file_write_atomic(path, actual->bytes, actual->length, NULL), ERROR_NONE);
    }
    if (file_read(arena, path, 1 << 20, BLAME_GRADER, &expected, &length, NULL) != ERROR_NONE) {
        fail_msg("%s cannot be read; write it with GPUGRADE_BLESS=1", path);
    }
    if (length != actual->length || memcmp(expected, actual->bytes, length) != 0) {
        fail_msg("%s differs; got:\n%s", path, actual->bytes);
    }
    arena_free(arena);
}

static void assert_terminal(const char *name, const struct report *report, bool color, int columns,
                            bool verbose)
{
    struct terminal_style style = {color, columns, verbose};
    struct text text;

    text_init(&text);
    report_terminal(report, &style, &text);
    assert_golden(name, &text);
    struct report again = archived(told, report);
    diagnostics_make(&again, told);
    text_clear(&text);
    report_terminal(&again, &style, &text);
    assert_golden(name, &text);
    text_release(&text);
}

static void assert_json(const char *name, const struct report *report)
{
    struct text text;

    text_init(&text);
    report_json(report, &text);
    assert_golden(name, &text);
    struct report again = archived(told, report);
    diagnostics_make(&again, told);
    text_clear(&text);
    report_json(&again, &text);
    assert_golden(name, &text);
    text_release(&text);
}

static void everything_passed(void **state)
{
    struct report report = passed_report();

    (void)state;
    assert_terminal("passed_terminal", &report, false, 0, false);
    assert_terminal("passed_verbose", &report, false, 80, true);
    assert_json("passed_json", &report);
}

static void speed(void **state)
{
    struct report report = speedup_report();

    (void)state;
    assert_terminal("speedup_terminal", &report, false, 0, false);
    assert_terminal("speedup_verbose", &report, false, 0, true);
    assert_json("speedup_json", &report);
}

static void every_status(void **state)
{
    struct report report = mixed_report();

    (void)state;
    assert_terminal("mixed_terminal", &report, false, 0, false);
    assert_terminal("mixed_verbose", &report, false, 0, true);
    assert_terminal("mixed_color", &report, true, 100, false);
    assert_terminal("mixed_narrow", &report, false, 50, false);
    assert_json("mixed_json", &report);
}

static void a_race_is_one_root_cause(void **state)
{
    struct report report = race_report();
    struct report only;
    struct text text;
    struct terminal_style style = {false, 0, false};

    (void)state;
    assert_terminal("race_terminal", &report, false, 0, false);
    assert_json("race_json", &report);
    /* --only correct.tiled: nobody else tells it */
    only = report;
    only.verdict_count = 1;
    diagnostics_make(&only, told);
    text_init(&text);
    report_terminal(&only, &style, &text);
    assert_non_null(strstr(text.bytes, "error[R01]: shared array `Bs` is read while"));
    assert_non_null(strstr(text.bytes, "\"correct, tiled\" fails"));
    assert_non_null(strstr(text.bytes, "--only correct.tiled"));
    assert_non_null(strstr(text.bytes, "^ read by thread (3,0), with no"));
    text_release(&text);
}

static void every_code_of_the_watching_device(void **state)
{
    struct report report = codes_report();

    (void)state;
    assert_terminal("codes_terminal", &report, false, 0, true);
    assert_terminal("codes_short", &report, false, 0, false);
    assert_json("codes_json", &report);
}

/* Fifty criteria that fail for as many reasons, and as many remarks. */
static struct report long_report(void)
{
    enum { MANY = 50 };
    static struct rubric_criterion many[MANY];
    static struct verdict verdicts[MANY];
    static struct remark remarks[MANY];

    for (size_t i = 0; i < MANY; i++) {
        many[i] = criteria[1];
        many[i].id = arena_printf(told, "correct.c%zu", i);
        verdicts[i] = (struct verdict){.criterion = &many[i], .status = STATUS_FAILED};
        verdicts[i].summary = "wrong";
        verdicts[i].cause = (struct cause){.code = CODE_MISMATCH, .file = "exercise1_tiled.cu"};
        verdicts[i].cause.line = (int)(i % 6) + 1;
        verdicts[i].cause.message = arena_printf(told, "%zu: %0*d", i, 500, 0);
        verdicts[i].cause.hint = "a hint";
        remarks[i] = (struct remark){.message = verdicts[i].cause.message, .file = ""};
    }
    struct report report = base_report(verdicts, MANY);
    report.remarks = remarks;
    report.remark_count = MANY;
    report.sandbox.note = "a note";
    diagnostics_make(&report, told);
    return report;
}

/* What does not fit is counted, and the hint of the first diagnostic is there however narrow the
 * screen is. */
static void the_screen_has_forty_lines(void **state)
{
    struct report reports[] = {passed_report(), mixed_report(), race_report(), codes_report(),
                               long_report()};

    (void)state;
    for (size_t i = 0; i < COUNT(reports); i++) {
        for (int columns = 40; columns <= 200; columns += 20) {
            struct terminal_style style = {false, columns, false};
            struct text text;
            size_t lines = 0;
            text_init(&text);
            report_terminal(&reports[i], &style, &text);
            for (const char *at = text.bytes; (at = strchr(at, '\n')) != NULL; at++) {
                lines++;
            }
            if (lines > 40) {
                fail_msg("report %zu has %zu lines in %d columns:\n%s", i, lines, columns,
                         text.bytes);
            }
            if (i == COUNT(reports) - 1) {
                assert_non_null(strstr(text.bytes, "= hint:    a hint"));
                assert_non_null(strstr(text.bytes, "   and 38 more with problems; --verbose"));
                assert_non_null(strstr(text.bytes, "remarks; --verbose shows them"));
            }
            text_release(&text);
        }
    }
}

static void hidden_criteria_leave_no_trace(void **state)
{
    struct arena *arena = arena_new();
    struct report report = mixed_report();
    struct report visible;
    struct terminal_style style = {false, 0, true};
    struct text text;

    (void)state;
    report_for_student(&report, arena, &visible);
    diagnostics_make(&visible, arena);
    assert_int_equal(visible.verdict_count, 6);
    assert_int_equal(visible.finding_count, 2);
    assert_true(report_max_score(&visible) == 96);
    text_init(&text);
    report_json(&visible, &text);
    report_terminal(&visible, &style, &text);
    assert_null(strstr(text.bytes, "ecret"));
    assert_null(strstr(text.bytes, "hidden"));
    text_release(&text);
    arena_free(arena);
}

static void nothing_from_a_submission_reaches_the_terminal_raw(void **state)
{
    struct report report = mixed_report();
    struct terminal_style style = {false, 0, true};
    struct text text;

    (void)state;
    text_init(&text);
    report_terminal(&report, &style, &text);
    report_json(&report, &text);
    assert_true(text_is_utf8(text.bytes, text.length));
    for (size_t i = 0; i < text.length; i++) {
        unsigned char c = (unsigned char)text.bytes[i];
        assert_true((c >= 0x20 && c != 0x7F) || c == '\n');
    }
    text_release(&text);
}

/* Points beyond the total are told as such, and no sum but the score holds them. */
static void bonus_is_told(void **state)
{
    struct report report = passed_report();
    struct rubric_criterion extra = criteria[4];
    struct verdict verdicts[5];
    struct terminal_style style = {false, 0, false};
    struct text text;

    (void)state;
    memcpy(verdicts, report.verdicts, sizeof verdicts);
    extra.bonus = true;
    verdicts[4].criterion = &extra;
    report.verdicts = verdicts;
    text_init(&text);
    report_terminal(&report, &style, &text);
    assert_non_null(strstr(text.bytes, " 81.75/81.75\n"));
    assert_non_null(strstr(text.bytes, " bonus 9.25/9.25\nScore 91/81.75"));
    text_clear(&text);
    style.verbose = true;
    report_terminal(&report, &style, &text);
    assert_non_null(strstr(text.bytes, " bonus 9.25/9.25\n"));
    assert_non_null(strstr(text.bytes, "Score 91/81.75"));
    text_clear(&text);
    report_json(&report, &text);
    assert_non_null(strstr(text.bytes, "\"bonus\": true"));
    assert_non_null(strstr(text.bytes, "\"score\": 91,"));
    assert_non_null(strstr(text.bytes, "\"max_score\": 81.75,"));
    text_clear(&text);
    report_html(&report, &text);
    assert_non_null(strstr(text.bytes, "bonus 9.25/9.25"));
    assert_non_null(strstr(text.bytes, "9.25 earned as bonus"));
    assert_null(strstr(text.bytes, " lost"));
    text_release(&text);
}

static void the_seed_has_all_its_digits(void **state)
{
    struct report report = passed_report();
    struct text text;

    (void)state;
    report.seed = UINT64_C(0xfedcba9876543210);
    text_init(&text);
    report_json(&report, &text);
    assert_non_null(strstr(text.bytes, "\"seed\": \"0xfedcba9876543210\""));
    report.seed = 1;
    text_clear(&text);
    report_json(&report, &text);
    assert_non_null(strstr(text.bytes, "\"seed\": \"0x0000000000000001\""));
    text_release(&text);
}

/* Whatever a program writes, a screen shows a bounded part of it. */
static void what_is_printed_is_bounded(void **state)
{
    static char lines[4000];
    struct program_output output = {
        .program = "tiled", .bytes = lines, .length = sizeof lines, .left_out = 1000};
    struct report report = passed_report();
    struct terminal_style style = {false, 60, true};
    struct text text;

    (void)state;
    report.outputs = &output;
    report.output_count = 1;
    memset(lines, '\n', sizeof lines);
    text_init(&text);
    report_terminal(&report, &style, &text);
    assert_non_null(strstr(text.bytes, "   |\n   and 4960 more bytes\n"));
    memset(lines, 'x', sizeof lines);
    output.left_out = 0;
    text_clear(&text);
    report_terminal(&report, &style, &text);
    char *line = strstr(text.bytes, "   | xxx");
    assert_non_null(line);
    assert_int_equal(strcspn(line, "\n"), 60);
    assert_null(strstr(line, "more byte"));
    text_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_passed),
        cmocka_unit_test(speed),
        cmocka_unit_test(every_status),
        cmocka_unit_test(bonus_is_told),
        cmocka_unit_test(a_race_is_one_root_cause),
        cmocka_unit_test(every_code_of_the_watching_device),
        cmocka_unit_test(the_screen_has_forty_lines),
        cmocka_unit_test(hidden_criteria_leave_no_trace),
        cmocka_unit_test(nothing_from_a_submission_reaches_the_terminal_raw),
        cmocka_unit_test(the_seed_has_all_its_digits),
        cmocka_unit_test(what_is_printed_is_bounded),
    };

    told = arena_new();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(told);
    return failed;
}
