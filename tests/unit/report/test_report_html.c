/* test_report_html.c: the page of a report made by hand, with everything that it can show.
 *
 * GPUGRADE_PAGES names a folder that gets these pages (tests/html).
 */
#include "base/file.h"
#include "report/html/report_html.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archived.h"
#include "page_words.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const char tiled_text[] =
    "#include \"matmul.h\"\n"
    "\n"
    "__global__ void matrixMulTiled(const float *A, const float *B, float *C, int a_width)\n"
    "{\n"
    "\t__shared__ float As[16][16], Bs[16][16];\n"
    "    int row = blockIdx.y * 16 + threadIdx.y; /* <b>& \xE4\xB8\xAD\xE6\x96\x87 \"quoted\" */\n"
    "    float sum = 0;\n"
    "\n"
    "    for (int tile = 0; tile < a_width; tile += 16) {\n"
    "        As[threadIdx.x][threadIdx.y] = A[row * a_width + tile + threadIdx.x];\n"
    "        Bs[threadIdx.y][threadIdx.x] = B[(tile + threadIdx.y) * a_width + threadIdx.x];\n"
    "        for (int k = 0; k < 16; k++) {\n"
    "            sum += As[k][threadIdx.y] * Bs[k][threadIdx.x];\n"
    "        }\n"
    "    }\n"
    "    C[row * a_width + threadIdx.x] = sum;\n"
    "}\n";
static const char hostile_text[] = "</code></li></ol><script>alert(1)</script>\n"
                                   "<img src=x onerror=alert(2)> \x1b[31m &lt;\r\n";

static const struct source_file sources[] = {
    {"exercise1_tiled.cu", tiled_text, sizeof tiled_text - 1},
    {"<script>alert(3)</script>.cu", hostile_text, sizeof hostile_text - 1},
    {"notes.txt", "nothing\n", 8},
};

static const char *const program_sources[] = {"exercise1_tiled.cu"};
static const struct rubric_program programs[] = {
    {.id = "tiled", .sources = program_sources, .source_count = 1}};
static const struct rubric_launch launches[] = {
    {.id = "tiled", .title = "the tiled kernel", .kernel = "matrixMulTiled"}};
static const struct rubric_criterion criteria[] = {
    {.id = "compile", .title = "compiles", .points = 5, .kind = CRITERION_COMPILE},
    {.id = "correct.tiled",
     .title = "correct, tiled",
     .points = 20,
     .kind = CRITERION_CORRECT,
     .has_launch = true},
    {.id = "race-free.tiled",
     .title = "race-free, tiled",
     .points = 10,
     .kind = CRITERION_RACE_FREE,
     .has_launch = true},
    {.id = "speedup.tiled",
     .title = "speedup, tiled",
     .points = 10,
     .kind = CRITERION_SPEEDUP,
     .has_launch = true},
    {.id = "occupancy", .title = "occupancy", .points = 5, .kind = CRITERION_OCCUPANCY},
    {.id = "block-size", .title = "block size", .points = 5, .kind = CRITERION_BLOCK_SIZE},
};
static const struct rubric rubric = {
    .id = "matmul",
    .version = 3,
    .title = "Matrix multiplication with shared memory",
    .sha256 = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff",
    .programs = programs,
    .program_count = COUNT(programs),
    .launches = launches,
    .launch_count = COUNT(launches),
    .criteria = criteria,
    .criterion_count = COUNT(criteria),
};

/* A map of rows x columns with a wrong tile, an unwritten column and one NaN. */
static const struct element_map *full_map(struct arena *arena, size_t rows, size_t columns)
{
    struct element_map *map = arena_alloc(arena, sizeof *map);
    uint8_t *states = arena_alloc(arena, rows * columns);

    for (size_t i = 0; i < rows * columns; i++) {
        size_t row = i / columns;
        size_t column = i % columns;
        states[i] = row / 16 == 1 && column / 16 == 1 ? ELEMENT_WRONG
                    : column == columns - 1           ? ELEMENT_UNWRITTEN
                                                      : ELEMENT_RIGHT;
    }
    states[0] = ELEMENT_NOT_FINITE;
    *map = (struct element_map){.operand = "C",
                                .shape = "A 48x32, B 32x64",
                                .probe = "exact",
                                .rows = rows,
                                .columns = columns,
                                .block = 16,
                                .states = states};
    return map;
}

static const struct report_diagnostic *told(void)
{
    static const struct diagnostic_mark marks[] = {
        {"exercise1_tiled.cu", 10, 9, 0, false, "written by thread (3,5)"},
        {"exercise1_tiled.cu", 13, 20, 0, true,
         "read by thread (3,0), with no __syncthreads() between"},
    };
    static const struct diagnostic_note notes[] = {
        {NOTE_EXPECTED, "got 1.5 instead of 2 in C(0,1): 0.5 too small, 25 %"},
        {NOTE_SEEN, "in 6 of 8 shapes, 460288 pairs; first: A 16x32, B 32x64, block (0,0)"},
        {NOTE_SO, "correct.tiled fails too, wrong in 6 of 8 shapes"},
        {NOTE_HINT, "put `__syncthreads()` behind the loads"},
        {NOTE_AGAIN, "gpugrade check 'a<b' --only race-free.tiled --seed 0x5eed1234"},
        {NOTE_EXPLAIN, "gpugrade explain R01"},
    };
    static const size_t verdicts[] = {2, 1};
    static const struct report_diagnostic told[] = {
        {.severity = SEVERITY_ERROR,
         .code = CODE_SHARED_RACE,
         .message = "shared array `As` is read while other threads still write it",
         .file = "exercise1_tiled.cu",
         .line = 13,
         .column = 20,
         .marks = marks,
         .mark_count = COUNT(marks),
         .notes = notes,
         .note_count = COUNT(notes),
         .verdicts = verdicts,
         .verdict_count = COUNT(verdicts)},
        {.severity = SEVERITY_WARNING,
         .code = CODE_BANK_CONFLICTS,
         .message = "lanes of a warp meet in one bank <script>alert(4)</script>",
         .file = "<script>alert(3)</script>.cu",
         .line = 2,
         .column = 1},
        {.severity = SEVERITY_ERROR, .code = CODE_NONE, .message = "the machine failed"},
    };

    return told;
}

static void add_speed(struct verdict *verdict)
{
    verdict_add_text(verdict, "shape", "A 2048x1024, B 1024x4096");
    verdict_add_number(verdict, "operations", 17179869184.0);
    verdict_add_number(verdict, "least_bytes", 58720256.0);
    verdict_add_measured_number(verdict, "speedup", 1.2);
    verdict_add_measured_number(verdict, "speedup_low", 1.19);
    verdict_add_measured_number(verdict, "speedup_high", 1.21);
    verdict_add_measured_number(verdict, "reference", 1.5);
    verdict_add_measured_number(verdict, "reference_low", 1.49);
    verdict_add_measured_number(verdict, "reference_high", 1.51);
    verdict_add_measured_number(verdict, "student_ms", 3.0);
    verdict_add_measured_number(verdict, "baseline_ms", 3.6);
    verdict_add_measured_number(verdict, "reference_ms", 2.4);
    verdict_add_measured_number(verdict, "gflops", 5726.6);
    verdict_add_measured_number(verdict, "fraction_of_peak", 0.0856);
    verdict_add_measured_number(verdict, "fraction_of_bandwidth", 0.00408);
    verdict_add_measured_number(verdict, "copy_bandwidth_gbs", 4100);
    verdict_add_measured_number(verdict, "full_marks", 1.4);
    verdict_add_measured_text(verdict, "marks", "5 of 10");
}

static const struct launch_profile *profile(void)
{
    static const struct line_count lines[] = {
        {"exercise1_tiled.cu",
         10,
         9,
         COUNT_SHARED,
         COUNT_WRITE,
         {.requests = 100, .wavefronts = 1600, .least_wavefronts = 100, .max_degree = 16}},
        {"exercise1_tiled.cu",
         10,
         40,
         COUNT_GLOBAL,
         COUNT_READ,
         {.requests = 100, .sectors = 800, .least_sectors = 400}},
        {"exercise1_tiled.cu",
         13,
         20,
         COUNT_SHARED,
         COUNT_READ,
         {.requests = 3200, .wavefronts = 3200, .least_wavefronts = 3200, .max_degree = 1}},
    };
    static struct launch_profile profile = {
        .shape = "A 96x192, B 192x288",
        .threads_per_block = 256,
        .operands = {{"A", 1327104, 21233664, 41472, 41472},
                     {"B", 1327104, 21233664, 41472, 41472}},
        .operand_count = 2,
        .lines = lines,
        .line_count = COUNT(lines),
        .limits = {{"registers", 9728, 65536, "registers", 6, true,
                    "one register less per thread: 7 blocks"},
                   {"shared memory", 3072, 233472, "bytes", 76, false, ""},
                   {"warps", 8, 64, "warps", 8, false, NULL}},
        .limit_count = 3,
        .active_blocks = 6,
        .active_warps = 48,
        .multiprocessor_warps = 64,
        .gpu_model = "H200",
    };

    return &profile;
}

/* A report with one of each status and all that the page can show. */
static struct report full_report(struct arena *arena)
{
    static const enum status statuses[] = {STATUS_PASSED,  STATUS_FAILED, STATUS_FAILED,
                                           STATUS_PARTIAL, STATUS_ERROR,  STATUS_SKIPPED};
    static const char *const summaries[] = {
        "1 program, 38 registers",      "wrong in 6 of 8 shapes", "1 race",
        "1.20 x naive, reference 1.50", "cannot be judged",       "needs a GPU"};
    static const struct report_device devices[] = {
        {"emulated", "NVIDIA H200", "", 0},
        {"cuda", "NVIDIA H200", "GPU-01234567-89ab-cdef-0123-456789abcdef", 13000}};
    static const struct named_seconds seconds[] = {{"build", 0.5}, {"total", 2.125}};
    static const struct remark remarks[] = {
        {.message = "variable \"i\" was declared but never referenced",
         .file = "exercise1_tiled.cu",
         .line = 7,
         .column = 11},
        {.message = "a remark of no file", .file = ""}};
    struct verdict *verdicts = arena_array(arena, COUNT(statuses), sizeof *verdicts);

    for (size_t i = 0; i < COUNT(statuses); i++) {
        verdicts[i].criterion = &criteria[i];
        verdicts[i].status = statuses[i];
        verdicts[i].summary = summaries[i];
    }
    verdicts[0].points = 5;
    verdicts[3].points = 5.5;
    verdict_add_integer(&verdicts[0], "registers_tiled", 38);
    verdict_add_boolean(&verdicts[0], "spills", false);
    verdicts[1].map = full_map(arena, 48, 64);
    add_speed(&verdicts[3]);
    return (struct report){
        .rubric = &rubric,
        .submission_name = "alice <script>alert(5)</script>",
        .submission_sha256 = "ffeeddccbbaa99887766554433221100ffeeddccbbaa99887766554433221100",
        .seed = UINT64_C(0x5eed1234),
        .devices = devices,
        .device_count = COUNT(devices),
        .sandbox = {.tier = "A", .note = "", .memory = "cgroup v2", .own_user = true},
        .compiler = "nvcc 13.0",
        .grader_version = "0.1.0",
        .verdicts = verdicts,
        .verdict_count = COUNT(statuses),
        .remarks = remarks,
        .remark_count = COUNT(remarks),
        .sources = sources,
        .source_count = COUNT(sources),
        .seconds = seconds,
        .seconds_count = COUNT(seconds),
        .again = "gpugrade check 'a<b'",
        .profiles = profile(),
        .profile_count = 1,
        .diagnostics = told(),
        .diagnostic_count = 3,
    };
}

static struct arena *arena;
static struct text page;

/* Appends the page of a report; that of the report from an archive is the same. */
static void show(const struct report *report)
{
    struct report again = archived(arena, report);
    struct text other;

    text_init(&other);
    report_html(&again, &other);
    size_t start = page.length;
    report_html(report, &page);
    assert_string_equal(other.bytes, page.bytes + start);
    text_release(&other);
}

static int start_page(void **state)
{
    (void)state;
    arena = arena_new();
    text_init(&page);
    return 0;
}

static int end_page(void **state)
{
    (void)state;
    text_release(&page);
    arena_free(arena);
    return 0;
}

/* For tests/html, where a browser looks at it. */
static void keep_page(const char *name)
{
    const char *folder = getenv("GPUGRADE_PAGES");

    if (folder != NULL) {
        char *path = arena_printf(arena, "%s/%s.html", folder, name);
        assert_int_equal(file_write_atomic(path, page.bytes, page.length, NULL), ERROR_NONE);
    }
}

static size_t occurrences(const char *words)
{
    size_t count = 0;

    for (const char *at = strstr(page.bytes, words); at != NULL; at = strstr(at + 1, words)) {
        count++;
    }
    return count;
}

/* Each link within the page must lead somewhere, and no id may stand twice. */
static void assert_links_lead_somewhere(void)
{
    for (const char *at = strstr(page.bytes, "href=\""); at != NULL;
         at = strstr(at + 1, "href=\"")) {
        const char *name = at + strlen("href=\"");
        assert_int_equal(*name, '#');
        char *id = arena_printf(arena, " id=\"%.*s\"", (int)strcspn(name + 1, "\""), name + 1);
        if (occurrences(id) != 1) {
            fail_msg("%s stands %zu times", id, occurrences(id));
        }
    }
}

/* What the page says from top to bottom. The sentences that explain are for tests/golden to compare. */
static const char *const full_says[] = {
    "10.5/45 \xC2\xB7 alice <script>alert(5)</script> \xC2\xB7 Matrix multiplication with shared",
    "gpugrade",
    "Matrix multiplication with shared memory",
    "10.5 of 45 points",
    "10.5 of 55 points;",
    "34.5 lost, 5 cannot be measured here, 5 not graded because the grader or the machine failed,",
    "34.5 lost, 5 cannot be measured here, 5 not graded because the grader or the machine failed,",
    "submission: alice <script>alert(5)</script>",
    "rubric: matmul 3",
    "device: emulated NVIDIA H200, cuda NVIDIA H200",
    "seed: 0x5eed1234",
    "What is wrong",
    "Criteria",
    "Remarks",
    "Wrong elements",
    "Speed",
    "Memory and occupancy",
    "Source",
    "Explanations",
    "This check",
    "What is wrong",
    "error R01 shared array As is read while other threads still write it",
    "exercise1_tiled.cu:13:20",
    "As[threadIdx.x][threadIdx.y] = A[row * a_width + tile + threadIdx.x];written by thread (3,5)",
    "sum += As[k][threadIdx.y] * Bs[k][threadIdx.x];read by thread (3,0), with no __syncthreads()",
    "result: got 1.5 instead of 2 in C(0,1): 0.5 too small, 25 %",
    "seen: in 6 of 8 shapes, 460288 pairs; first: A 16x32, B 32x64, block (0,0)",
    "so: correct.tiled fails too, wrong in 6 of 8 shapes",
    "hint: put __syncthreads() behind the loads",
    "again: gpugrade check 'a<b' --only race-free.tiled --seed 0x5eed1234",
    "explain: gpugrade explain R01 or below",
    "criteria: race-free, tiled; correct, tiled",
    "warning Q01 lanes of a warp meet in one bank <script>alert(4)</script>",
    "<script>alert(3)</script>.cu:2:1",
    "</code></li></ol><script>alert(1)</script>",
    "<img src=x onerror=alert(2)> \\x1B[31m &lt;",
    "error the machine failed",
    "Remarks",
    "exercise1_tiled.cu:7:11 variable \"i\" was declared but never referenced",
    "a remark of no file",
    "Criteria",
    "Status | Criterion | What was seen | Points",
    "pass | compiles | 1 program, 38 registers Evidence for compiles registers tiled: 38 spills:",
    "fail | correct, tiled | wrong in 6 of 8 shapes error R01 | 0/20",
    "fail | race-free, tiled | 1 race error R01 | 0/10",
    "part | speedup, tiled | 1.20 x naive, reference 1.50 Evidence for speedup, tiled shape: A",
    "error | occupancy | cannot be judged | \xE2\x80\x93/5",
    "skip | block size | needs a GPU | \xE2\x80\x93/5",
    "Wrong elements",
    "correct, tiled",
    "Output C, 48 \xC3\x97 64, for A 48x32, B 32x64: 256 of 3,072 elements wrong, 48 of 3,072",
    "C, 48 rows and 64 columns;",
    "256 of 3,072 elements wrong, 48 of 3,072 elements never written, 1 of 3,072 elements NaN or",
    "2,767 right",
    "256 wrong",
    "48 never written",
    "1 NaN or infinity",
    "Speed",
    "speedup, tiled",
    "Timed for A 2048x1024, B 1024x4096. Marks: 5 of 10.",
    "Kernel | Speedup over the naive kernel | Speedup | Time",
    "naive | naive: 1 times as fast as the naive kernel; full marks start at 1.4;  | 1.00 \xC3\x97",
    "yours | yours: 1.2 times as fast as the naive kernel; 95 % interval from 1.19 to 1.21; full",
    "reference | reference: 1.5 times as fast as the naive kernel; 95 % interval from 1.49 to",
    "Roofline;",
    "Your kernel reaches 5.73 Tflop/s; the roof is at 66.9 Tflop/s for 293 operations per byte;",
    "1",
    "10",
    "100",
    "1000",
    "1000",
    "10000",
    "100000",
    "operations per byte",
    "Gflop/s",
    "Memory and occupancy",
    "the tiled kernel",
    "Counted on the emulated device for A 96x192, B 192x288.",
    "Bytes loaded from global memory",
    "A 1/16 of the naive kernel: yours yours: 1327104 bytes; bytes loaded from global memory;",
    "B 1/16 of the naive kernel: yours yours: 1327104 bytes; bytes loaded from global memory;",
    "Bank conflicts in shared memory",
    "Line | 1 to 32 | Degree | Wavefronts",
    "exercise1_tiled.cu:10 write As[threadIdx.x][threadIdx.y] = A[row * a_width + tile +",
    "exercise1_tiled.cu:13 read sum += As[k][threadIdx.y] * Bs[k][threadIdx.x]; | line 13, read:",
    "Sectors of global memory",
    "Line | 1 to 8 | Ratio | Sectors",
    "exercise1_tiled.cu:10 read As[threadIdx.x][threadIdx.y] = A[row * a_width + tile +",
    "Occupancy",
    "A multiprocessor of the H200 holds 6 blocks of 256 threads: 48 of 64 warps, occupancy 75 %.",
    "Resource | Used by the blocks | A block takes | Blocks that fit",
    "registers limiter | registers: 58368 of 65536 registers used; one register less per thread: 7",
    "one register less per thread: 7 blocks",
    "shared memory | shared memory: 18432 of 233472 bytes used; ;  | 3,072of 233,472 bytes | 76",
    "warps | warps: 48 of 64 warps used; ;  | 8of 64 warps | 8",
    "Source",
    "exercise1_tiled.cu",
    "int row = blockIdx.y * 16 + threadIdx.y; /* <b>& \xE4\xB8\xAD\xE6\x96\x87 \"quoted\" */",
    "As[threadIdx.x][threadIdx.y] = A[row * a_width + tile + threadIdx.x];error R01 written by",
    "sum += As[k][threadIdx.y] * Bs[k][threadIdx.x];error R01 read by thread (3,0), with no",
    "<script>alert(3)</script>.cu",
    "</code></li></ol><script>alert(1)</script>",
    "<img src=x onerror=alert(2)> \\x1B[31m &lt;warning Q01 lanes of a warp meet in one bank",
    "Not shown: notes.txt.",
    "Explanations",
    "R01 data race in shared memory, no barrier between two threads",
    "Words",
    "bank:",
    "degree:",
    "lane:",
    "limiter:",
    "multiprocessor:",
    "naive:",
    "occupancy:",
    "register:",
    "sector:",
    "shape:",
    "spill:",
    "warp:",
    "wavefront:",
    "This check",
    "gpugrade check 'a<b' --seed 0x5eed1234",
    "device: emulated NVIDIA H200",
    "device: cuda NVIDIA H200, GPU-01234567-89ab-cdef-0123-456789abcdef, driver for CUDA 13.0",
    "sandbox: tier A, memory limited by cgroup v2, each program has its own user",
    "tools: gpugrade 0.1.0, nvcc 13.0",
    "submission: ffeeddccbbaa99887766554433221100ffeeddccbbaa99887766554433221100",
    "rubric: 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff",
    "times: build 0.50 s, total 2.12 s",
};

/* What it draws, marks and leads to. */
static const char *const full_has[] = {
    "<!DOCTYPE html>\n<html lang=\"en\">",
    "<meta charset=\"utf-8\">",
    "<meta name=\"viewport\"",
    "<meta name=\"referrer\" content=\"no-referrer\">",
    "<svg class=\"bar score\" viewBox=\"0 0 1000 14\"",
    "<rect fill=\"url(#hatch)\" x=\"818.2\" width=\"181.8\"",
    "<rect class=\"lost\" width=\"818.2\"",
    "<rect class=\"earned\" width=\"190.9\"",
    "<nav aria-label=\"Sections\">",
    "<section aria-labelledby=\"diagnostics\">\n<h2 id=\"diagnostics\">",
    "<article id=\"d1\" class=\"diagnostic error\" aria-labelledby=\"d1-title\">",
    "<p class=\"place\"><a href=\"#f1-L13\">",
    "<li value=\"10\" class=\"marked\"><code>        <mark class=\"second\">As[threadIdx.x]",
    "</mark> = A[row * a_width + tile + threadIdx.x];</code><span class=\"label second error\">",
    "<li value=\"13\" class=\"marked\"><code>            sum += <mark class=\"first\">As[k]",
    "</mark> * Bs[k][threadIdx.x];</code><span class=\"label first error\">",
    "<li value=\"15\"><code>    }</code></li>\n</ol>",
    "<div class=\"hint\"><dt>hint</dt><dd>put <code>__syncthreads()</code>",
    "or <a href=\"#explain-R01\">below</a>",
    "<a href=\"#c3\">race-free, tiled</a>; <a href=\"#c2\">correct, tiled</a>",
    "<article id=\"d2\" class=\"diagnostic warning\"",
    "<article id=\"d3\" class=\"diagnostic error\"",
    "<tr id=\"c1\"><td><span class=\"status good\">pass</span></td><th scope=\"row\">",
    "<details><summary>Evidence<span class=\"unseen\"> for compiles</span></summary>",
    "<tr id=\"c2\"><td><span class=\"status bad\">fail</span>",
    "<span class=\"reasons\"><a href=\"#d1\">error R01</a></span>",
    "<tr id=\"c4\"><td><span class=\"status part\">part</span>",
    "<tr id=\"c5\"><td><span class=\"status broken\">error</span>",
    "<tr id=\"c6\"><td><span class=\"status none\">skip</span>",
    "<span aria-label=\"not graded\" role=\"img\">",
    "<figure id=\"m1\">",
    "<svg class=\"map\" viewBox=\"-1 -1 578 434\" width=\"578\" height=\"434\" role=\"img\">",
    ("<rect class=\"right\" width=\"576\" height=\"432\"/><path class=\"wrong\" d=\"M144 "
     "144h144v9h-144z"),
    "M144 279h144v9h-144z\"/>",
    "<path class=\"unwritten\" d=\"M567 0h9v9h-9z",
    "M567 423h9v9h-9z\"/>",
    "<path class=\"not-finite\" d=\"M0 0h9v9h-9z\"/>",
    "<path class=\"tiles\" d=\"M144 0v432M288 0v432M432 0v432M0 144h576M0 288h576\"/>",
    "<span class=\"swatch unwritten\" aria-hidden=\"true\"></span>",
    "<rect class=\"other\" width=\"630.7\" height=\"14\"/><path class=\"goal\" d=\"M883.0 0v14\"/>",
    "<rect class=\"mine\" width=\"756.9\" height=\"14\"/><rect class=\"interval\" x=\"750.6\"",
    "<rect class=\"other\" width=\"946.1\" height=\"14\"/><rect class=\"interval\" x=\"939.8\"",
    "<path class=\"grid\" d=\"M56.0 12v190M166.0 12v190M276.0 12v190M386.0 12v190M56 202.0h330",
    "<path class=\"roof\" d=\"M56.0 143.8L189.4 28.6H386\"/>",
    "<circle class=\"other\" cx=\"327.3\" cy=\"137.5\"",
    "<circle class=\"other\" cx=\"327.3\" cy=\"120.8\"",
    "<circle class=\"mine\" cx=\"327.3\" cy=\"130.0\"",
    "or 4100 GB/s of memory, as measured by copying (4797 GB/s by its clock and bus). The",
    "<rect class=\"mine\" width=\"62.5\" height=\"14\"/>",
    "<tr><th scope=\"row\"><a href=\"#f1-L10\"><code>exercise1_tiled.cu:10</code></a> <small>write",
    "<a href=\"#f1-L13\"><code>exercise1_tiled.cu:13</code></a> <small>read</small>",
    "<rect class=\"limit\" width=\"890.6\" height=\"14\"/><path class=\"cut\" d=\"M148.4 0v14\"/>",
    "<tr class=\"cliff\">",
    "<rect class=\"mine\" width=\"78.9\" height=\"14\"/>",
    "<rect class=\"mine\" width=\"750.0\" height=\"14\"/>",
    "<h3 id=\"f1\">",
    "<li value=\"10\" id=\"f1-L10\" class=\"marked\">",
    "<span class=\"label second error\"><a href=\"#d1\">error R01</a> written",
    "<li value=\"17\" id=\"f1-L17\">",
    "<h3 id=\"f2\">",
    "<span class=\"label first warning\"><a href=\"#d2\">warning Q01</a>",
    "<details class=\"explanation\" id=\"explain-R01\">",
    "<figcaption>wrong</figcaption><pre><code>__device__ int data[64];\n",
    "<figcaption>right</figcaption><pre><code>__device__ int data[64];\n",
    "\n<ins>    __syncthreads();</ins>\n",
    "<div id=\"word-bank\"><dt><dfn>bank</dfn></dt>",
    "<code class=\"command\">gpugrade check &#39;a&lt;b&#39; --seed 0x5eed1234</code>",
    "</footer>\n</body>\n</html>\n",
};

static void everything_is_shown(void **state)
{
    struct report report = full_report(arena);

    (void)state;
    show(&report);
    keep_page("page_full");
    assert_says_in_order(page.bytes, full_says, COUNT(full_says));
    assert_has_in_order(page.bytes, full_has, COUNT(full_has));
    assert_links_lead_somewhere();
}

static void foreign_text_is_harmless(void **state)
{
    struct report report = full_report(arena);

    (void)state;
    show(&report);
    assert_null(strstr(page.bytes, "<script"));
    assert_null(strstr(page.bytes, "<img"));
    assert_null(strchr(page.bytes, '\x1b'));
    assert_int_equal(occurrences("<style>"), 1);
    assert_int_equal(occurrences("</style>"), 1);
    assert_non_null(strstr(page.bytes, "&lt;script&gt;alert(5)&lt;/script&gt;"));
    assert_non_null(strstr(page.bytes, "\\x1B[31m &amp;lt;"));
    assert_non_null(strstr(page.bytes, "default-src 'none'"));
}

/* No address may stand where a browser would load it. */
static void nothing_is_loaded(void **state)
{
    static const char *const words[] = {
        "src=\"", "url(h", "@import", "<link", "xlink:", "http:", "https:", "<iframe", "<object"};
    struct report report = full_report(arena);

    (void)state;
    report.diagnostic_count = 1;
    report.source_count = 1;
    show(&report);
    for (size_t i = 0; i < COUNT(words); i++) {
        assert_null(strstr(page.bytes, words[i]));
    }
}

static const char *const empty_says[] = {
    "0/0 \xC2\xB7 alice <script>alert(5)</script> \xC2\xB7 Matrix multiplication with shared",
    "0 of 0 points",
    "nothing was graded",
    "device: none",
    "seed: 0x5eed1234",
    "This check",
    "This check",
    "gpugrade check 'a<b' --seed 0x5eed1234",
    "sandbox: tier A, memory limited by cgroup v2, each program has its own user",
    "times: build 0.50 s, total 2.12 s",
};

static void an_empty_report_is_a_page(void **state)
{
    struct report report = full_report(arena);

    (void)state;
    report.verdict_count = 0;
    report.diagnostic_count = 0;
    report.source_count = 0;
    report.profile_count = 0;
    report.remark_count = 0;
    report.device_count = 0;
    show(&report);
    keep_page("page_empty");
    assert_says_in_order(page.bytes, empty_says, COUNT(empty_says));
    assert_int_equal(occurrences("<section"), 0);
    assert_int_equal(occurrences("<li>"), 1);
    assert_links_lead_somewhere();
}

/* Multi-byte characters stay whole where a mark begins or ends inside of them. */
static void marks_do_not_cut_characters(void **state)
{
    struct report report = full_report(arena);
    struct diagnostic_mark mark = {"exercise1_tiled.cu", 6, 57, 58, true, "here"};
    struct report_diagnostic told = report.diagnostics[0];

    (void)state;
    told.marks = &mark;
    told.mark_count = 1;
    report.diagnostics = &told;
    report.diagnostic_count = 1;
    for (mark.column = 50; mark.column < 70; mark.column++) {
        mark.end = mark.column + 1;
        text_clear(&page);
        show(&report);
        assert_null(strstr(page.bytes, "\\xE4"));
        assert_null(strstr(page.bytes, "\\xB8"));
        assert_int_equal(occurrences("<mark class=\"first\">"), 2);
    }
}

/* Of a long file only what is near is shown, and what is left out is said. */
static void a_long_file_is_cut(void **state)
{
    enum { LINES = 9000, LINE = 7000, LONG = 5000 };
    struct report report = full_report(arena);
    struct diagnostic_mark mark = {"exercise1_tiled.cu", LINE, 1, 0, true, "here"};
    struct report_diagnostic told = {
        .code = CODE_MISMATCH, .message = "", .file = "", .marks = &mark, .mark_count = 1};
    struct source_file source = {.name = "exercise1_tiled.cu"};
    struct text text;

    (void)state;
    text_init(&text);
    for (int i = 1; i <= LINES; i++) {
        if (i == LINE) {
            text_append_repeated(&text, 'x', LONG);
        }
        text_append(&text, "y\n");
    }
    source.text = text.bytes;
    source.length = text.length;
    report.sources = &source;
    report.source_count = 1;
    report.diagnostics = &told;
    report.diagnostic_count = 1;
    report.profile_count = 0;
    report.remark_count = 0;
    show(&report);
    assert_int_equal(occurrences(" id=\"f1-L"), 21);
    assert_non_null(strstr(page.bytes, "<li class=\"gap\">6,989 lines left out</li>"));
    assert_non_null(strstr(page.bytes, "<li class=\"gap\">1,990 lines left out</li>"));
    assert_non_null(strstr(page.bytes, "and 4,001 more bytes"));
    assert_links_lead_somewhere();
    text_release(&text);
}

/* 200 x 130 elements in cells of 3 x 3: each shows the worst of its nine. */
static void a_big_map_is_sampled(void **state)
{
    struct report report = full_report(arena);
    struct verdict *verdicts = arena_array(arena, 2, sizeof *verdicts);
    struct element_map map = *full_map(arena, 200, 130);
    uint8_t *states = arena_alloc(arena, map.rows * map.columns);

    (void)state;
    states[5 * 130 + 4] = ELEMENT_WRONG;
    states[5 * 130 + 5] = ELEMENT_UNWRITTEN;
    map.states = states;
    verdicts[0] = report.verdicts[1];
    verdicts[0].map = &map;
    report.verdicts = verdicts;
    report.verdict_count = 1;
    report.diagnostic_count = 0;
    show(&report);
    assert_non_null(strstr(page.bytes, "Each square stands for 3 \xC3\x97 3 elements"));
    assert_non_null(strstr(page.bytes, "1 of 26,000 elements wrong, 1 of 26,000 elements never "
                                       "written"));
    /* 67 rows of cells, each 576 / 67 wide; row 1, column 1 */
    assert_non_null(strstr(page.bytes, "<path class=\"unwritten\" d=\"M8.597 8.597h8.597v8.597"
                                       "h-8.597z\"/>"));
    assert_non_null(strstr(page.bytes, "<path class=\"wrong\" d=\"\"/>"));
    assert_non_null(strstr(page.bytes, "all of them in rows 5 to 5 and columns 4 to 5"));
}

/* Where a rubric holds hints back, no page is shown either. */
static void no_note_no_explanation(void **state)
{
    struct report report = full_report(arena);
    struct report_diagnostic told = report.diagnostics[0];

    (void)state;
    told.note_count--;
    report.diagnostics = &told;
    report.diagnostic_count = 1;
    show(&report);
    assert_null(strstr(page.bytes, "explain-R01"));
    assert_null(strstr(page.bytes, "id=\"explanations\""));
}

/* Words lead to what they mean, the first below each heading; parts of names do not. */
static void words_lead_to_their_meaning(void **state)
{
    static const struct remark remarks[] = {
        {.message = "two Lanes, a lane, `warp`, warp_id, degree(), sector.cu:3 and \"bank\""},
        {.message = "another lane; ulp."}};
    struct report report = full_report(arena);

    (void)state;
    report.verdict_count = 0;
    report.diagnostic_count = 0;
    report.profile_count = 0;
    report.remarks = remarks;
    report.remark_count = COUNT(remarks);
    show(&report);
    assert_non_null(strstr(page.bytes,
                           "two <a class=\"word\" href=\"#word-lane\">Lanes</a>, a lane, "
                           "<code>warp</code>, warp_id, degree(), sector.cu:3 and "
                           "&quot;bank&quot;"));
    assert_non_null(strstr(page.bytes, "another lane; <a class=\"word\" "
                                       "href=\"#word-ulp\">ulp</a>."));
    assert_int_equal(occurrences("<dfn>"), 2);
    assert_links_lead_somewhere();
}

/* A table in which no line is worth a look is closed, and says so. */
static void tables_without_findings_are_folded(void **state)
{
    struct report report = full_report(arena);
    struct launch_profile quiet = report.profiles[0];

    (void)state;
    quiet.lines += 2;
    quiet.line_count = 1;
    report.profiles = &quiet;
    show(&report);
    const char *folded = strstr(page.bytes, "<details class=\"quiet\"><summary>No bank conflicts "
                                            "(1 line)<span class=\"unseen\">");
    assert_non_null(folded);
    assert_null(strstr(page.bytes, "Sectors of global memory"));
    assert_true(strstr(folded, "<table class=\"bars\">") < strstr(folded, "</details>"));
    text_clear(&page);
    report.profiles = profile();
    show(&report);
    assert_null(strstr(page.bytes, "class=\"quiet\""));
}

/* As on a screen: who is blocked by what; and why a launch has no counts. */
static void what_is_not_judged_says_why(void **state)
{
    struct report report = full_report(arena);
    struct verdict *verdicts = arena_array(arena, 3, sizeof *verdicts);
    struct report_diagnostic told = {
        .code = CODE_COMPILE_ERROR, .message = "expected a `;`", .file = ""};
    const size_t of[] = {0, 1, 2};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        verdicts[i].criterion = &criteria[i];
        verdicts[i].status = STATUS_FAILED;
        verdicts[i].summary = "does not compile";
        verdicts[i].cause.code = CODE_COMPILE_ERROR;
    }
    told.verdicts = of;
    told.verdict_count = 3;
    report.verdicts = verdicts;
    report.verdict_count = 3;
    report.diagnostics = &told;
    report.diagnostic_count = 1;
    report.profile_count = 0;
    show(&report);
    assert_int_equal(occurrences("blocked by <a href=\"#d1\">error C01</a>: does not compile<"), 2);
    assert_int_equal(occurrences("<span class=\"reasons\"><a href=\"#d1\">error C01</a>"), 1);
    assert_non_null(strstr(page.bytes, "<p class=\"lead\">Not measured because of "
                                       "<a href=\"#d1\">error C01</a>: does not compile.</p>"));
    assert_links_lead_somewhere();
    /* A wrong result is no reason; a launch that nothing visible judges is not spoken of. */
    text_clear(&page);
    verdicts[1].cause.code = CODE_MISMATCH;
    verdicts[2].cause.code = CODE_SHARED_RACE;
    show(&report);
    assert_null(strstr(page.bytes, "Not measured"));
    text_clear(&page);
    report.device_count = 0;
    show(&report);
    assert_non_null(strstr(page.bytes, "Not measured: only the emulated device counts"));
    text_clear(&page);
    report.verdict_count = 1;
    told.verdict_count = 1;
    show(&report);
    assert_null(strstr(page.bytes, "Not measured"));
}

/* A score that was read back has no summaries and no sources. */
static void a_score_read_back_tells_as_much(void **state)
{
    static const struct diagnostic_mark marks[] = {
        {"exercise1_tiled.cu", 31, 13, 22, true, "read by thread (3,0)"},
        {"exercise1_tiled.cu", 27, 9, 0, false, "written by `<thread>`"},
        {"matmul.h", 3, 1, 0, false, ""},
    };
    static const size_t of[] = {2, 1};
    struct report report = full_report(arena);
    struct verdict *verdicts = arena_array(arena, 4, sizeof *verdicts);
    struct report_diagnostic told = {.code = CODE_WRONG_BYTE_COUNT,
                                     .message = "too few bytes",
                                     .file = "exercise1_tiled.cu",
                                     .line = 31,
                                     .column = 13,
                                     .marks = marks,
                                     .mark_count = 3,
                                     .verdicts = of,
                                     .verdict_count = 2};

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        verdicts[i] = (struct verdict){.criterion = &criteria[i], .summary = ""};
        verdicts[i].status = i == 0 ? STATUS_PASSED : i == 3 ? STATUS_SKIPPED : STATUS_FAILED;
    }
    verdicts[1].cause.code = verdicts[2].cause.code = told.code;
    verdict_add_measured_text(&verdicts[3], "why", "no real GPU is used");
    report.verdicts = verdicts;
    report.verdict_count = 4;
    report.diagnostics = &told;
    report.diagnostic_count = 1;
    report.source_count = 0;
    show(&report);
    assert_non_null(strstr(page.bytes, "error L05</a>: launch configuration"));
    assert_non_null(strstr(page.bytes, "no real GPU is used</span>"));
    assert_non_null(strstr(page.bytes,
                           "<ul class=\"marks\">\n<li><code>exercise1_tiled.cu:27:9</code>: "
                           "written by <code>&lt;thread&gt;</code></li>\n"
                           "<li><code>exercise1_tiled.cu:31:13</code>: read by thread (3,0)</li>\n"
                           "</ul>\n"));
    assert_non_null(strstr(page.bytes, "<li><code>matmul.h:3:1</code></li>"));
    assert_links_lead_somewhere();
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(everything_is_shown, start_page, end_page),
        cmocka_unit_test_setup_teardown(foreign_text_is_harmless, start_page, end_page),
        cmocka_unit_test_setup_teardown(nothing_is_loaded, start_page, end_page),
        cmocka_unit_test_setup_teardown(an_empty_report_is_a_page, start_page, end_page),
        cmocka_unit_test_setup_teardown(marks_do_not_cut_characters, start_page, end_page),
        cmocka_unit_test_setup_teardown(a_long_file_is_cut, start_page, end_page),
        cmocka_unit_test_setup_teardown(a_big_map_is_sampled, start_page, end_page),
        cmocka_unit_test_setup_teardown(no_note_no_explanation, start_page, end_page),
        cmocka_unit_test_setup_teardown(words_lead_to_their_meaning, start_page, end_page),
        cmocka_unit_test_setup_teardown(tables_without_findings_are_folded, start_page, end_page),
        cmocka_unit_test_setup_teardown(what_is_not_judged_says_why, start_page, end_page),
        cmocka_unit_test_setup_teardown(a_score_read_back_tells_as_much, start_page, end_page),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
