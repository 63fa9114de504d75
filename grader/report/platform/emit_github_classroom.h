/* emit_github_classroom.h: the step output `result` that the autograding reporter of GitHub
 * Classroom reads: one line, JSON in base64.
 *
 *     {version: 1, status: pass|fail|error, max_score,
 *      tests: [{name, status, score, message, test_code, filename, line_no, duration}]}
 *
 *     echo "result=$(gpugrade convert score.json --to github-classroom)" >> "$GITHUB_OUTPUT"
 *
 * The platform keeps points as integers (whole_points.h), adds up the scores of the tests and
 * counts the tests that pass. So criteria that cannot be measured on the machine are left out; one
 * that the grader failed at is a test with status error, and its points are not in max_score. The
 * line is made to fit into an environment variable, which is how the reporter is given it.
 */
#ifndef GPUGRADE_REPORT_PLATFORM_EMIT_GITHUB_CLASSROOM_H
#define GPUGRADE_REPORT_PLATFORM_EMIT_GITHUB_CLASSROOM_H

#include "report/platform/emit.h"

emit_function emit_github_classroom;

#endif
