/* emit_prairielearn.h: results.json of a PrairieLearn external grader ("External grading", "Grading
 * results"), never more than PRAIRIELEARN_BYTES_MAX.
 *
 * "score" is what was earned of what this machine could measure, 1 at most (bonus points cannot
 * lead beyond). What was skipped is told in "message" and is no test: a test without points would
 * hide the points of all, one with 0 of 0 would look like a pass.
 *
 * "gradable": false, by which a submission costs no attempt and gets no score, with the reason in
 * "format_errors":
 *   - where all failed because nothing could be built: the submission can be no answer yet;
 *   - where the grader or the machine failed at a criterion, or could measure none: a share of the
 *     rest could be more, or less, than what was earned. Such a score would also invite submissions
 *     that bring errors about. */
#ifndef GPUGRADE_REPORT_PLATFORM_EMIT_PRAIRIELEARN_H
#define GPUGRADE_REPORT_PLATFORM_EMIT_PRAIRIELEARN_H

#include "report/platform/emit.h"

enum { PRAIRIELEARN_BYTES_MAX = 1000 * 1000 };

emit_function emit_prairielearn;

#endif
