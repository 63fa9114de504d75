/* work_limit.h: how much a launch may do on the emulated device.
 *
 * Work is counted in units: one unit is the cost of an addition in the 32 lanes of a warp
 * (device/emulated/exec/launch_work.h). In a rubric, `work` says what a simple kernel needs for a
 * case; a launch may use WORK_RATIO times that, but at least WORK_LEAST and at most WORK_MOST.
 */
#ifndef GPUGRADE_MODEL_WORK_LIMIT_H
#define GPUGRADE_MODEL_WORK_LIMIT_H

#include "model/rubric.h"

enum { WORK_RATIO = 256 };
#define WORK_LEAST (UINT64_C(1) << 24)
#define WORK_MOST (UINT64_C(1) << 29)
#define WORK_UNJUDGED_MOST (UINT64_C(1) << 26) /* of a launch that is not judged by a case */
#define WORK_TOTAL (UINT64_C(1) << 32)         /* of all launches of a submission's programs */

/* The share of each program in WORK_TOTAL: programs are graded at the same time, and none may
 * depend on how far another one has come. */
uint64_t work_share(const struct rubric *rubric);

/* What a simple kernel needs in a case, with its parameters in elements; 0: the rubric does not say
 * so. */
uint64_t work_of_case(const struct rubric *rubric, const struct rubric_launch *launch,
                      const int64_t *parameters, int64_t block);

/* What a launch may use in a case. */
uint64_t work_limit(const struct rubric *rubric, const struct rubric_launch *launch,
                    const int64_t *parameters, int64_t block);

#endif
