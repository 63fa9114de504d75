/* class_made.h: a class made up for tests, as large as wanted: every state, names that mean
 * something to a spreadsheet, to HTML or to nobody, late, cut off, bonus, speedups, pairs.
 *
 * The same size gives the same class. Rows 0 to 11 are the special ones.
 */
#ifndef GPUGRADE_TESTS_CLASS_MADE_H
#define GPUGRADE_TESTS_CLASS_MADE_H

#include "base/arena.h"
#include "model/class_results.h"

#include <math.h>

enum { MADE_CRITERIA = 13, MADE_HASH = 64 };

static const struct class_criterion made_criteria[MADE_CRITERIA] = {
    {"compile", "compiles", "compile", 5, false, false, false},
    {"correct.tiled", "correct, tiled", "correct", 20, false, false, false},
    {"correct.dynamic", "correct, dynamic", "correct", 15, false, false, false},
    {"race-free.tiled", "race-free, tiled", "race_free", 10, false, false, false},
    {"race-free.dynamic", "race-free, dynamic", "race_free", 10, false, false, false},
    {"tiled.tiled", "tiled, tiled", "tiled", 5, false, false, false},
    {"tiled.dynamic", "tiled, dynamic", "tiled", 5, true, false, false},
    {"dynamic", "dynamic indeed", "dynamic", 5, false, false, false},
    {"occupancy", "occupancy & <printout>", "occupancy", 5, false, false, false},
    {"block-size", "block size", "block_size", 5, false, false, false},
    {"speedup.tiled", "speedup, tiled", "speedup", 10, false, false, false},
    {"speedup.dynamic", "speedup, dynamic", "speedup", 5, false, false, false},
    {"extra", "extra", "bank_conflicts", 4, false, true, false},
};

static const char *const made_names[] = {
    "Lovelace, Ada",
    "=HYPERLINK(\"http://a\",\"b\")",
    "O'Brien; \"Jane\"",
    "<script>alert(1)</script>",
    "Zo\xC3\xAB & Co",
    "\xE2\x80\xAEtxt.exe",
    "bad\xFF\xFEutf",
    "",
    "-7",
    "Two\nLines",
    "+491234 Meyer",
    "@lice",
};

/* A number from 0 to `below` - 1 that follows from two others. */
static inline unsigned made_number(size_t row, size_t stream, unsigned below)
{
    uint64_t x = (row + 1) * UINT64_C(0x9E3779B97F4A7C15) + stream * UINT64_C(0xD1B54A32D192ED03);

    x ^= x >> 32;
    x *= UINT64_C(0xBF58476D1CE4E5B9);
    x ^= x >> 29;
    return (unsigned)(x % below);
}

static inline enum class_state made_state(size_t row)
{
    if (row % 97 == 5) {
        return CLASS_NOTHING;
    }
    if (row % 101 == 6) {
        return CLASS_TROUBLE;
    }
    if (row % 499 == 9) {
        return CLASS_PENDING;
    }
    return row % 89 == 8 ? CLASS_MISSING : CLASS_GRADED;
}

static inline struct class_mark made_mark(size_t row, size_t criterion)
{
    static const enum code codes[] = {CODE_MISMATCH, CODE_NAMED_MISTAKE, CODE_SHARED_RACE,
                                      CODE_TOO_MANY_LOADS, CODE_COMPILE_ERROR};
    const struct class_criterion *of = &made_criteria[criterion];
    unsigned draw = made_number(row, criterion, 100);
    struct class_mark mark = {.is_judged = true, .points = of->points};

    if (row == 2 && criterion == 3) {
        mark.status = STATUS_ERROR;
        mark.code = CODE_NONE;
        mark.points = 0;
    } else if (row % 3 == 1 && (criterion == 10 || criterion == 11)) {
        mark.status = STATUS_SKIPPED;
        mark.points = 0;
    } else if (draw < 8 + criterion) {
        mark.status = STATUS_FAILED;
        mark.code = codes[made_number(row, criterion + 50, 5)];
        mark.points = 0;
    } else if (draw > 95) {
        mark.status = STATUS_PARTIAL;
        mark.code = CODE_TOO_SLOW;
        mark.points = of->points / 3;
    }
    return mark;
}

static inline void made_graded(struct arena *arena, struct class_row *row, size_t index)
{
    struct class_mark *marks = arena_array(arena, MADE_CRITERIA, sizeof *marks);

    row->is_complete = true;
    for (size_t i = 0; i < MADE_CRITERIA; i++) {
        marks[i] = made_mark(index, i);
        row->final.raw += marks[i].points;
        row->is_complete = row->is_complete && marks[i].status != STATUS_SKIPPED &&
                           marks[i].status != STATUS_ERROR;
    }
    row->marks = marks;
    row->speedup = index % 3 == 1 ? 0 : 0.5 + made_number(index, 70, 700) / 100.0;
    if (index % 11 == 4) {
        row->final.late_s = 60 + made_number(index, 71, 200000);
        row->final.is_cut_off = row->final.late_s > 180000;
        row->final.penalty = row->final.is_cut_off ? row->final.raw : fmin(row->final.raw, 10);
    }
    row->final.mark = row->final.raw - row->final.penalty;
}

static const struct class_decision made_decisions[] = {
    {.number = 1,
     .kind = DECISION_COMMENT,
     .about = "",
     .text = "Well <done>, but line 12, \"=sum\"",
     .made_at = INT64_C(1795300000),
     .made_by = "Tutor & Co"},
    {.number = 4,
     .kind = DECISION_DAYS,
     .about = "",
     .value = 2.5,
     .text = "ill",
     .made_at = INT64_C(1795000000),
     .made_by = "tutor"},
};

static inline struct class_row made_row(struct arena *arena, size_t index, bool pseudonyms)
{
    char *hash = arena_alloc(arena, MADE_HASH + 1);
    struct class_row row = {
        .student = pseudonyms ? arena_printf(arena, "quiet-fox-%zu", index)
                              : arena_printf(arena, "s%05zu", index),
        .state = made_state(index),
        .submission = arena_printf(arena, "submission_%zu", index),
        .content = "",
        .trouble = "",
        .attempts = 1 + index % 3,
        .submitted = INT64_C(1795215540) + (int64_t)index * 61,
        .final.maximum = 100,
        .seconds = 3 + made_number(index, 72, 9000) / 1000.0,
        .tries = index % 53 == 3 ? 3 : 1,
    };

    for (size_t i = 0; i < MADE_HASH; i++) {
        hash[i] = "0123456789abcdef"[made_number(index, 100 + i, 16)];
    }
    row.content = hash;
    bool is_special = index < sizeof made_names / sizeof made_names[0];
    row.name = pseudonyms   ? ""
               : is_special ? made_names[index]
                            : arena_printf(arena, "Student %zu, Given", index);
    row.email = pseudonyms ? "" : arena_printf(arena, "s%05zu@example.org", index);
    row.canvas_id = pseudonyms ? "" : arena_printf(arena, "%zu", 9000 + index);
    row.sis_id = row.login = pseudonyms ? "" : row.student;
    row.section = pseudonyms ? "" : "Lab 1";
    row.moodle_id = "";
    if (index == 3 || index == 7) {
        row.decisions = &made_decisions[index == 7];
        row.decision_count = 1;
    }
    if (row.state == CLASS_GRADED) {
        made_graded(arena, &row, index);
    } else if (row.state == CLASS_NOTHING) {
        row.trouble = "the archive is broken: `data.zip` ends early; hand it in again";
    } else if (row.state == CLASS_TROUBLE) {
        row.trouble = "the disk is full; make room, then gpugrade batch --resume";
    } else {
        row.tries = 0;
        row.attempts = row.state == CLASS_MISSING ? 0 : 1;
        row.submitted = row.state == CLASS_MISSING ? 0 : row.submitted;
        row.content = "";
        row.submission = row.state == CLASS_MISSING ? "" : row.submission;
    }
    return row;
}

/* Makes a class of `count` rows, at least 12; everything lives in the arena. */
static inline struct class_results made_class(struct arena *arena, size_t count, bool pseudonyms)
{
    static const size_t examples[] = {0, 3, 4};
    static const struct class_finding findings[] = {
        {CODE_SHARED_RACE, 31, examples, 3},
        {CODE_MISMATCH, 17, examples + 1, 2},
        {CODE_COMPILE_ERROR, 1, examples, 1},
    };
    static const struct class_pair pairs[] = {
        {0, 4, "tiled", 1, 214, true},
        {3, 7, "dynamic", 0.934, 88, false},
    };
    struct class_row *rows = arena_array(arena, count, sizeof *rows);

    for (size_t i = 0; i < count; i++) {
        rows[i] = made_row(arena, i, pseudonyms);
    }
    return (struct class_results){
        .title = "Matrix multiplication <with> shared memory",
        .coursework = "matmul",
        .rubric_version = 3,
        .rubric_sha256 = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff",
        .seed = "0x5eed1234",
        .maximum = 100,
        .has_hidden = true,
        .is_pseudonymous = pseudonyms,
        .machine = "emulated H200, sandbox A, CUDA 13.0",
        .grader_version = "0.1.0",
        .criteria = made_criteria,
        .criterion_count = MADE_CRITERIA,
        .rows = rows,
        .row_count = count,
        .findings = findings,
        .finding_count = sizeof findings / sizeof findings[0],
        .pairs = pairs,
        .pair_count = sizeof pairs / sizeof pairs[0],
    };
}

#endif
