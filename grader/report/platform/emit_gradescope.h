/* emit_gradescope.h: results.json of a Gradescope autograder (Autograder Specifications, "Output
 * format").
 *
 * Each criterion is a test with its points; a bonus is one whose points lie beyond the total. What
 * was skipped, or is the grader's fault, is a test without score, maximum and status: it is shown
 * with its reason, and not as a failure. "score" is the sum of the tests' scores. There is no null,
 * which Gradescope would reject, and what run_autograder prints stays hidden. */
#ifndef GPUGRADE_REPORT_PLATFORM_EMIT_GRADESCOPE_H
#define GPUGRADE_REPORT_PLATFORM_EMIT_GRADESCOPE_H

#include "report/platform/emit.h"

emit_function emit_gradescope;

#endif
