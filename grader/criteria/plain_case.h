/* plain_case.h: which of several wrong cases is reported. */
#ifndef GPUGRADE_CRITERIA_PLAIN_CASE_H
#define GPUGRADE_CRITERIA_PLAIN_CASE_H

#include "criteria/criteria_input.h"

/* True if the left case is the plainer one. The plainer case is the one where the border cuts fewer
 * blocks; then the one where fewer sizes are 1, or equal each other or the block width, so that an
 * index shows which size it belongs to; then the smaller one. */
bool case_is_plainer(const struct rubric *rubric, const struct observation *left,
                     const struct observation *right);

/* Elements of all operands of a case. */
size_t observation_elements(const struct observation *observation);

/* True if a case is in the rubric for its size. Such a case gets fewer probes than others, and is
 * long and thin, so its counts say little about the usual case. */
bool observation_is_for_size(const struct rubric *rubric, const struct observation *observation);

#endif
