/* result_check.h: a claim held against the values: what the elements that were read would give. */
#ifndef GPUGRADE_DIAGNOSIS_DATAFLOW_RESULT_CHECK_H
#define GPUGRADE_DIAGNOSIS_DATAFLOW_RESULT_CHECK_H

#include "diagnosis/dataflow/fault_search.h"

/* Makes a claim of what is computed more exact, and others less certain where the values say so;
 * false if nothing certain is left of it. */
bool confirm_claim(struct fault_search *search, struct claim *claim);

#endif
