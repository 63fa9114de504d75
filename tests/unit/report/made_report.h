/* made_report.h: for tests of formats: a report made by hand, with one of each status, a bonus, a
 * criterion that fails because of another one, and names that mean something in some format.
 *
 *     compile        passed    5 of 5
 *     correct.tiled  failed    0 of 20    because of race-free.tiled
 *     race-free.tiled failed   0 of 10    R01
 *     dynamic        partial 2.5 of 5     L05
 *     speedup        skipped   - of 15
 *     block          error     - of 3
 *     extra          passed    4 of 4     bonus
 */
#ifndef GPUGRADE_TESTS_MADE_REPORT_H
#define GPUGRADE_TESTS_MADE_REPORT_H

#include "report/platform/emit.h"

#include <string.h>

enum { MADE_VERDICTS = 7, MADE_DIAGNOSTICS = 4, MADE_TIME = 1780324321 }; /* 2026-06-01T14:32:01Z */

/* Everything of it can be changed before it is used. */
struct made_report {
    struct rubric_criterion criteria[MADE_VERDICTS];
    struct verdict verdicts[MADE_VERDICTS];
    struct diagnostic_mark marks[2];
    struct diagnostic_note notes[5];
    struct report_diagnostic diagnostics[MADE_DIAGNOSTICS];
    struct remark remarks[2];
    struct report_device device;
    struct rubric rubric;
    struct report report;
};

static void made_cause(struct made_report *made, size_t index, enum code code, const char *message,
                       const char *hint)
{
    made->verdicts[index].cause =
        (struct cause){.code = code, .message = message, .file = "", .hint = hint};
}

static void made_verdicts(struct made_report *made)
{
    static const struct {
        struct rubric_criterion criterion;
        enum status status;
        double points;
    } rows[MADE_VERDICTS] = {
        {{.id = "compile", .title = "compile", .points = 5}, STATUS_PASSED, 5},
        {{.id = "correct.tiled", .title = "correct, tiled", .points = 20}, STATUS_FAILED, 0},
        {{.id = "race-free.tiled", .title = "race-free, tiled", .points = 10}, STATUS_FAILED, 0},
        {{.id = "dynamic", .title = "dynamic", .points = 5}, STATUS_PARTIAL, 2.5},
        {{.id = "speedup", .title = "speedup", .points = 15}, STATUS_SKIPPED, 0},
        {{.id = "block", .title = "block size", .points = 3}, STATUS_ERROR, 0},
        {{.id = "extra", .title = "extra tiles", .points = 4, .bonus = true}, STATUS_PASSED, 4},
    };

    for (size_t i = 0; i < MADE_VERDICTS; i++) {
        made->criteria[i] = rows[i].criterion;
        made->verdicts[i] = (struct verdict){.criterion = &made->criteria[i],
                                             .status = rows[i].status,
                                             .points = rows[i].points,
                                             .summary = "",
                                             .cause = {.message = "", .file = "", .hint = ""}};
    }
    made_cause(made, 1, CODE_MISMATCH, "wrong in 8 of 8 shapes", "");
    made_cause(made, 2, CODE_SHARED_RACE, "shared tile `Bs` is read while others write it",
               "wait before the tile is read");
    made_cause(made, 3, CODE_WRONG_BYTE_COUNT, "2048 bytes instead of 1024", "");
    made_cause(made, 5, CODE_NONE, "the device process ended", "");
    verdict_add_measured_text(&made->verdicts[4], "why", "no real GPU is used");
    verdict_add_measured_text(&made->verdicts[5], "why", "the device process ended");
}

static void made_diagnostics(struct made_report *made)
{
    static const size_t race[] = {2, 1}, bytes[] = {3}, failure[] = {5};

    made->marks[0] = (struct diagnostic_mark){"a.cu", 31, 13, 22, true, "read by thread (3,0)"};
    made->marks[1] = (struct diagnostic_mark){"a.cu", 27, 9, 0, false, "written by thread (3,5)"};
    made->notes[0] = (struct diagnostic_note){NOTE_SEEN, "in 8 of 8 shapes"};
    made->notes[1] = (struct diagnostic_note){NOTE_SO, "\"correct, tiled\" fails too: 128 wrong"};
    made->notes[2] = (struct diagnostic_note){NOTE_HINT, "wait before the tile is read"};
    made->notes[3] =
        (struct diagnostic_note){NOTE_AGAIN, "gpugrade check . --only race-free.tiled --seed 0x1"};
    made->notes[4] = (struct diagnostic_note){NOTE_EXPLAIN, "gpugrade explain R01"};
    made->diagnostics[0] = (struct report_diagnostic){
        .severity = SEVERITY_ERROR,
        .code = CODE_SHARED_RACE,
        .message = "shared tile `Bs` is read while others write it",
        .file = "a.cu",
        .line = 31,
        .column = 13,
        .marks = made->marks,
        .mark_count = 2,
        .notes = made->notes,
        .note_count = 5,
        .verdicts = race,
        .verdict_count = 2,
    };
    made->diagnostics[1] = (struct report_diagnostic){.severity = SEVERITY_ERROR,
                                                      .code = CODE_WRONG_BYTE_COUNT,
                                                      .message = "2048 bytes instead of 1024",
                                                      .file = "my b,c:d.cu",
                                                      .line = 7,
                                                      .verdicts = bytes,
                                                      .verdict_count = 1};
    made->diagnostics[2] = (struct report_diagnostic){.severity = SEVERITY_ERROR,
                                                      .message = "the device process ended",
                                                      .file = "",
                                                      .verdicts = failure,
                                                      .verdict_count = 1};
    made->diagnostics[3] = (struct report_diagnostic){.severity = SEVERITY_WARNING,
                                                      .code = CODE_BANK_CONFLICTS,
                                                      .message = "4 lanes meet in one bank",
                                                      .file = "a.cu",
                                                      .line = 40,
                                                      .column = 5};
}

/* What every test starts from. */
static void made_init(struct made_report *made)
{
    memset(made, 0, sizeof *made);
    made_verdicts(made);
    made_diagnostics(made);
    made->remarks[0] = (struct remark){"variable \"i\" is never used", "a.cu", 12, 7, true};
    made->remarks[1] = (struct remark){"cudaGetLastError() returned 700", "", 0, 0, false};
    made->device = (struct report_device){"emulated", "H200", "", 0};
    made->rubric = (struct rubric){.id = "matmul", .version = 3, .sha256 = "00"};
    made->report = (struct report){
        .rubric = &made->rubric,
        .submission_name = "alice",
        .seed = 0x5eed,
        .devices = &made->device,
        .device_count = 1,
        .sandbox = {.tier = "A", .note = "", .memory = "cgroup v2"},
        .compiler = "nvcc 13.0",
        .grader_version = "0.1.0",
        .verdicts = made->verdicts,
        .verdict_count = MADE_VERDICTS,
        .remarks = made->remarks,
        .remark_count = 2,
        .diagnostics = made->diagnostics,
        .diagnostic_count = MADE_DIAGNOSTICS,
        .again = "gpugrade check .",
    };
}

/* Gives all verdicts one status, and no diagnostic and no remark. */
static void made_all(struct made_report *made, enum status status)
{
    for (size_t i = 0; i < MADE_VERDICTS; i++) {
        made->verdicts[i].status = status;
        made->verdicts[i].points = status == STATUS_PASSED ? made->criteria[i].points : 0;
        made->verdicts[i].cause = (struct cause){.message = "", .file = "", .hint = ""};
    }
    made->report.diagnostic_count = 0;
    made->report.remark_count = 0;
}

static const struct emit_options made_options = {.path_prefix = "hw3/", .time = MADE_TIME};

#endif
