/* locate_left_out.h: finds the fault when everything that the traced block wrote is right: threads
 * and elements that were skipped, and memory that keeps its contents from launch to launch.
 */
#ifndef GPUGRADE_DIAGNOSIS_LOCATION_LOCATE_LEFT_OUT_H
#define GPUGRADE_DIAGNOSIS_LOCATION_LOCATE_LEFT_OUT_H

#include "diagnosis/dataflow/fault_search.h"

/* Looks for the place; false if there is none, for example because the grid is too small. */
bool find_left_out(struct fault_search *search, struct claim *out_claim);

/* Finds the first access, with a line, to memory that the block writes and that is no operand. */
bool find_kept(const struct fault_search *search, struct claim *out_claim);

#endif
