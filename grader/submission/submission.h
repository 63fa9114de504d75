/* submission.h: one submission from its files to a report.
 *
 *   files -> private copy -> build (programs at once) -> sessions -> criteria -> report
 *
 * The private copy and everything made in it are removed at the end, also after a failure.
 */
#ifndef GPUGRADE_SUBMISSION_SUBMISSION_H
#define GPUGRADE_SUBMISSION_SUBMISSION_H

#include "submission/submission_config.h"

struct intake_files; /* intake.h */

/* Grades the files. The report lives in the arena. If the rubric hides something, the report
 * contains all of it, and report->student is what students may see. Errors: ERROR_NOT_FOUND (files
 * of the coursework are missing: names them, blames usage), ERROR_ENVIRONMENT, ERROR_INTERNAL.
 * Mistakes of the submission are not errors but verdicts. */
enum error submission_grade(const struct submission_config *config,
                            const struct intake_files *files, struct arena *arena,
                            struct report *out_report, struct diagnostic *diagnostic);

#endif
