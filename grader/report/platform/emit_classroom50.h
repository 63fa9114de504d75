/* emit_classroom50.h: result.json of Classroom 50 (classroom50/result/v1), as far as a score knows.
 *
 *     {schema, datetime, score, max-score, tests: [{test-name, passed, score, max-score, ...}]}
 *
 * Who submitted what (classroom, assignment, submission, commit, release, review) is added by the
 * job, from its environment. Points are integers (whole_points.h), and Classroom 50 knows no bonus:
 * a score above the maximum is refused there, so points beyond the total are part of the maximum.
 * Criteria that cannot be measured on the machine are left out; one that the grader failed at is a
 * test of 0 points that did not pass.
 */
#ifndef GPUGRADE_REPORT_PLATFORM_EMIT_CLASSROOM50_H
#define GPUGRADE_REPORT_PLATFORM_EMIT_CLASSROOM50_H

#include "report/platform/emit.h"

emit_function emit_classroom50;

#endif
