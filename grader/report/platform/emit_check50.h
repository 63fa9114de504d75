/* emit_check50.h: results as check50 writes them with --output json, for what reads those.
 *
 *     {slug, version, results: [{name, description, passed, log, cause, data, dependency}]}
 *
 * passed: true, false, or null for a criterion that could not be judged here; cause: null for a
 * pass, else {rationale, help?}; dependency: the name of the criterion that this one fails because
 * of, where the score tells, else null. One result for each criterion, in the rubric's order.
 */
#ifndef GPUGRADE_REPORT_PLATFORM_EMIT_CHECK50_H
#define GPUGRADE_REPORT_PLATFORM_EMIT_CHECK50_H

#include "report/platform/emit.h"

emit_function emit_check50;

#endif
