/* report_archive.h: a whole report as JSON and back, so that it can be shown again in any format
 * without grading again.
 *
 * The archive has the report before anything is left out or put into words (report_for_student,
 * report_apply_hints, diagnostics_make come after reading), together with the part that students
 * may see. For every report R and every emitter: emitter(read(write(R))) = emitter(R), byte for
 * byte. The format is the grader's own ("gpugrade/archive/v1"); the score file is the public one.
 */
#ifndef GPUGRADE_REPORT_SCORE_REPORT_ARCHIVE_H
#define GPUGRADE_REPORT_SCORE_REPORT_ARCHIVE_H

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/text.h"
#include "model/report.h"

/* Appends the report, on one line. */
void report_archive_write(const struct report *report, struct text *out);

/* Reads what was written. Criteria, launches and cases are found in `rubric` by their ids: it may
 * be a later version that differs in points and words; a criterion that it lacks is left out.
 * `file` is for messages. Errors: ERROR_SYNTAX (blames the environment: a damaged store),
 * ERROR_UNSUPPORTED (another version). */
enum error report_archive_read(struct arena *arena, const char *bytes, size_t length,
                               const char *file, const struct rubric *rubric,
                               struct report *out_report, struct diagnostic *diagnostic);

#endif
