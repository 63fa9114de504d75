/* step_fixture.h: a report with the steps of a made-up block: two warps write a tile and read it,
 * one before the barrier that both need. */
#ifndef GPUGRADE_TESTS_STEP_FIXTURE_H
#define GPUGRADE_TESTS_STEP_FIXTURE_H

#include "model/block_steps.h"
#include "model/report.h"

static const struct trace_line fixture_lines[] = {{"a.cu", 3, 5}, {"a.cu", 4, 5}, {"a.cu", 5, 12}};

static const struct block_step fixture_steps[] = {
    {.kind = STEP_WRITE, .space = TRACE_SHARED, .bytes = 4, .lanes = UINT32_MAX, .distance = 4},
    {.kind = STEP_READ,
     .space = TRACE_SHARED,
     .bytes = 4,
     .line = 2,
     .lanes = UINT32_MAX,
     .first = 128,
     .distance = 4},
    {.kind = STEP_WRITE,
     .space = TRACE_SHARED,
     .bytes = 4,
     .warp = 1,
     .lanes = UINT32_MAX,
     .first = 128,
     .distance = 4},
    {.kind = STEP_BARRIER, .line = 1, .lanes = UINT32_MAX},
    {.kind = STEP_BARRIER, .line = 1, .warp = 1, .lanes = UINT32_MAX, .releases = true},
    {.kind = STEP_BRANCH, .line = 2, .warp = 1, .lanes = 0xff, .other = UINT32_MAX},
    {.kind = STEP_READ,
     .space = TRACE_GLOBAL,
     .bytes = 8,
     .line = 2,
     .warp = 1,
     .lanes = 0xff00,
     .other = 0x8000,
     .first = UINT64_C(0x700000000000),
     .distance = 32},
    {.kind = STEP_EXIT, .line = 2, .warp = 1, .lanes = UINT32_MAX},
    {.kind = STEP_EXIT, .line = 2, .lanes = UINT32_MAX},
};

static const struct step_memory fixture_memories[] = {
    {TRACE_SHARED, "tile", 0, 256, 0},
    {TRACE_GLOBAL, "", UINT64_C(0x700000000000), 224, 8},
};

/* Thread (0,1) writes what thread (0,0) has read. */
static const struct finding fixture_race = {
    .code = CODE_SHARED_RACE,
    .kernel = "copy",
    .place_count = 2,
    .places = {{.role = "read", .file = "a.cu", .line = 5, .column = 12, .has_thread = true},
               {.role = "write",
                .file = "a.cu",
                .line = 3,
                .column = 5,
                .has_thread = true,
                .thread = {0, 1, 0}}},
};

static const struct finding fixture_bounds = {
    .code = CODE_GLOBAL_OUT_OF_BOUNDS,
    .kernel = "copy",
    .place_count = 1,
    .places = {{.role = "read",
                .file = "a.cu",
                .line = 5,
                .column = 12,
                .has_thread = true,
                .thread = {15, 1, 0}}},
};

static const struct finding fixture_elsewhere = {
    .code = CODE_GLOBAL_OUT_OF_BOUNDS,
    .kernel = "copy",
    .place_count = 1,
    .places = {{.role = "read",
                .file = "a.cu",
                .line = 5,
                .column = 12,
                .has_thread = true,
                .block = {7, 0, 0}}},
};

static const struct report_diagnostic fixture_diagnostics[] = {
    {.code = CODE_SHARED_RACE,
     .message = "`tile` is read & written",
     .file = "a.cu",
     .line = 5,
     .finding = &fixture_race},
    {.code = CODE_GLOBAL_OUT_OF_BOUNDS,
     .message = "reads past the end",
     .file = "a.cu",
     .line = 5,
     .finding = &fixture_bounds},
    {.code = CODE_GLOBAL_OUT_OF_BOUNDS,
     .message = "in another block",
     .file = "a.cu",
     .line = 5,
     .finding = &fixture_elsewhere},
    {.code = CODE_MISMATCH, .message = "C is wrong", .file = "a.cu", .line = 4},
};

static const char fixture_text[] = "__global__ void copy(</script><b>)\n{\n    tile[t] = a[t];\n"
                                   "    __syncthreads();\n    c[t] = tile[t + 32];\n}\n";

static inline struct block_steps fixture_block(void)
{
    return (struct block_steps){
        .kernel = "copy<&>",
        .case_name = "a 64",
        .grid = {4, 1, 1},
        .block = {32, 2, 1},
        .has_finding = true,
        .shared_bytes = 256,
        .total = sizeof fixture_steps / sizeof fixture_steps[0],
        .steps = fixture_steps,
        .step_count = sizeof fixture_steps / sizeof fixture_steps[0],
        .lines = fixture_lines,
        .line_count = sizeof fixture_lines / sizeof fixture_lines[0],
        .memories = fixture_memories,
        .memory_count = sizeof fixture_memories / sizeof fixture_memories[0],
    };
}

static const struct source_file fixture_source = {"a.cu", fixture_text, sizeof fixture_text - 1};

static inline struct report fixture_report(const struct block_steps *steps)
{
    return (struct report){
        .submission_name = "made up",
        .sources = &fixture_source,
        .source_count = 1,
        .diagnostics = fixture_diagnostics,
        .diagnostic_count = sizeof fixture_diagnostics / sizeof fixture_diagnostics[0],
        .steps = steps,
    };
}

#endif
