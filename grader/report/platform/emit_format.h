/* emit_format.h: a report in the formats of other programs: learning platforms, CI, editors.
 *
 * Each format is one function in one file, pure: the same report and options give the same bytes.
 * It uses only what a score file contains (score_read.h). So `check --json S` followed by
 * `convert S --to F` works for every format, also with a score from last year:
 *
 *     rubric            id, version, sha256; no title, no cases
 *     submission_name, seed, devices, sandbox, versions, seconds
 *     verdicts          with criteria of id, title, points, hidden, bonus; no kind
 *     diagnostics, findings, remarks
 *
 * A format for students gets a report from which emit_report has removed everything hidden; its
 * sums are those of what is shown. Everything that a student may have written is hostile text
 * there: report/escape.h.
 */
#ifndef GPUGRADE_REPORT_PLATFORM_EMIT_FORMAT_H
#define GPUGRADE_REPORT_PLATFORM_EMIT_FORMAT_H

#include "base/arena.h"
#include "base/text.h"
#include "model/report.h"

#include <stddef.h>
#include <stdint.h>

enum emit_audience {
    EMIT_FOR_STUDENT,    /* hidden criteria and what only they have seen are left out */
    EMIT_FOR_INSTRUCTOR, /* everything that the score contains */
};

enum emit_use {
    EMIT_TEXT,
    EMIT_MARK, /* a platform takes a mark from it: a part of a score is refused */
};

struct emit_options {
    const char *path_prefix; /* put before the name of each file of the submission, such as "hw3/"
                                for a folder of the repository; "" for none, never NULL */
    int64_t time;            /* when it was graded, seconds since 1970 in UTC, for formats that
                                contain it */
};

typedef void emit_function(const struct report *report, const struct emit_options *options,
                           struct text *out);

/* The largest text that GitHub takes as a comment and as a summary, and PrairieLearn as a file. */
enum {
    EMIT_MARKDOWN_BYTES_MAX = 65536,
    EMIT_SUMMARY_BYTES_MAX = 1000 * 1000,
    PRAIRIELEARN_BYTES_MAX = 1000 * 1000,
};

/* emit_NAME.c describes each format and names its source. */
#define FORMAT(name, audience, use, function, help) emit_function function;
#include "report/platform/formats.def"
#undef FORMAT

struct emit_format {
    const char *name; /* as in --to NAME */
    enum emit_audience audience;
    enum emit_use use;
    emit_function *emit;
    const char *help; /* one line */
};

#endif
