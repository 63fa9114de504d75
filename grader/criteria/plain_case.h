/* plain_case.h: which of several wrong cases is told of. */
#ifndef GPUGRADE_CRITERIA_PLAIN_CASE_H
#define GPUGRADE_CRITERIA_PLAIN_CASE_H

#include "criteria/criteria_input.h"

/* True if the left case is the plainer one: where the border cuts fewer blocks; of such where fewer
 * sizes are 1 or equal each other or the block width of a block, so that an index says which size
 * it has to do with; among equals the smaller one. */
bool case_is_plainer(const struct rubric *rubric, const struct observation *left,
                     const struct observation *right);

/* Elements of all operands of a case. */
size_t observation_elements(const struct observation *observation);

/* True if a case is there for its size, and gets fewer probes than others: it is long and thin, so
 * its counts say little of what is usual. */
bool observation_is_for_size(const struct rubric *rubric, const struct observation *observation);

#endif
