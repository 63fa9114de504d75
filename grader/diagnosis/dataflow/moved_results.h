/* moved_results.h: results that were stored in the place of another element. */
#ifndef GPUGRADE_DIAGNOSIS_DATAFLOW_MOVED_RESULTS_H
#define GPUGRADE_DIAGNOSIS_DATAFLOW_MOVED_RESULTS_H

#include "diagnosis/dataflow/fault_search.h"

/* True if the wrong results are the right ones of other elements, which no other thread gets right:
 * then the store is at fault and not the loads. */
bool find_moved_results(const struct fault_search *search, struct claim *out_claim);

#endif
