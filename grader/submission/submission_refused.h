/* submission_refused.h: the report on a submission that cannot be judged within the grader's
 * bounds.
 *
 * Nothing is built, run or read, so the report costs next to nothing for any submission.
 */
#ifndef GPUGRADE_SUBMISSION_SUBMISSION_REFUSED_H
#define GPUGRADE_SUBMISSION_SUBMISSION_REFUSED_H

#include "submission/submission_config.h"

struct intake_files; /* intake.h */

/* Makes the report: every criterion that the config judges has failed for `code`,
 * CODE_GRADER_MEMORY or CODE_GRADER_TIME. It lives in the arena. */
void submission_refuse(const struct submission_config *config, const struct intake_files *files,
                       enum code code, struct arena *arena, struct report *out_report);

#endif
