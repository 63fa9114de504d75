/* submission.h: one submission from its files to a report.
 *
 *   files -> private copy -> build (programs at once) -> sessions -> criteria -> report
 *
 * The private copy and everything made in it are removed at the end, also on failure.
 */
#ifndef GPUGRADE_SUBMISSION_SUBMISSION_H
#define GPUGRADE_SUBMISSION_SUBMISSION_H

#include "submission/submission_config.h"

struct intake_files; /* intake.h */

/* Grades the files. The report lives in the arena; where the rubric hides something it tells all of
 * it, and report->student is what students may see. Errors: ERROR_NOT_FOUND (files of
 * the coursework are missing: names them, blames usage), ERROR_ENVIRONMENT, ERROR_INTERNAL. What
 * the submission itself gets wrong is no error but a verdict. */
enum error submission_grade(const struct submission_config *config,
                            const struct intake_files *files, struct arena *arena,
                            struct report *out_report, struct diagnostic *diagnostic);

#endif
