/* moved_results.h: results that were stored in other elements' places. */
#ifndef GPUGRADE_DIAGNOSIS_DATAFLOW_MOVED_RESULTS_H
#define GPUGRADE_DIAGNOSIS_DATAFLOW_MOVED_RESULTS_H

#include "diagnosis/dataflow/fault_search.h"

/* True if the wrong results are those of other elements, which nobody else gets right: then the
 * store is at fault and not the loads. */
bool find_moved_results(const struct fault_search *search, struct claim *out_claim);

#endif
