/* expectation.h: the verdicts that a fixture must get.
 *
 * One per line. Leading blanks and empty lines are ignored, lines that start with # are comments:
 *
 *   - all passed: every criterion that this machine can measure
 *   - CRITERION STATUS [KIND [CODE [FILE:LINE]]]; the optional words describe its cause
 *   - CRITERION says WORDS: the cause's message contains them
 *   - CRITERION hints WORDS: the cause's hint contains them
 *   - remark WORDS: a remark's message contains them
 *   - finding CODE SEVERITY
 *
 * tests/submissions/run.sh reads the same lines.
 */
#ifndef GPUGRADE_COURSEWORK_EXPECTATION_H
#define GPUGRADE_COURSEWORK_EXPECTATION_H

#include "base/arena.h"
#include "base/text.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

struct expectations {
    size_t count; /* lines that were checked */
    size_t unmet;
    bool says_all_passed; /* in some line */
};

/* Compares a score (schema gpugrade/score/v1) with the text `expect`, and appends a line for each
 * expectation that it does not meet: "expected ..., got ...". With `only_known`, lines about
 * criteria that the score does not have are skipped: an overlay may have removed them. */
struct expectations expectations_check(const char *expect, const cJSON *score, bool only_known,
                                       struct text *out_lines);

#endif
