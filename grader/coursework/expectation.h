/* expectation.h: what a fixture student must get.
 *
 * One line each; blanks and empty lines do not count, lines that start with # are comments:
 *
 *   - all passed: every criterion that this machine can measure
 *   - CRITERION STATUS [KIND [CODE [FILE:LINE]]], of its cause
 *   - CRITERION says WORDS, which the cause's message holds
 *   - CRITERION hints WORDS, which the cause's hint holds
 *   - remark WORDS, which a remark's message holds
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
    size_t count; /* that were looked at */
    size_t unmet;
    bool says_all_passed; /* in some line */
};

/* Compares a score (schema gpugrade/score/v1) with what `expect` says, and appends a line for each
 * expectation that it does not meet: "expected ..., got ...". With `only_known` lines about
 * criteria that the score does not have are left out: an overlay may have removed them. */
struct expectations expectations_check(const char *expect, const cJSON *score, bool only_known,
                                       struct text *out_lines);

#endif
