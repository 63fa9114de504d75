/* result_check.h: checks a claim against the values that the elements read would give. */
#ifndef GPUGRADE_DIAGNOSIS_DATAFLOW_RESULT_CHECK_H
#define GPUGRADE_DIAGNOSIS_DATAFLOW_RESULT_CHECK_H

#include "diagnosis/dataflow/fault_search.h"

/* Makes a claim about the computation more precise, and makes other claims less certain where the
 * values contradict them; false if nothing certain is left. */
bool confirm_claim(struct fault_search *search, struct claim *claim);

/* True if the value is what comes of what a claim says of needs that are not read, or of elements
 * in their place. */
bool claim_is_shown(struct fault_search *search, const struct claim *claim);

#endif
