/* locate_left_out.h: where nothing that the traced block wrote is wrong: threads and elements that
 * were left out, and what lasts from launch to launch.
 */
#ifndef GPUGRADE_DIAGNOSIS_LOCATION_LOCATE_LEFT_OUT_H
#define GPUGRADE_DIAGNOSIS_LOCATION_LOCATE_LEFT_OUT_H

#include "diagnosis/dataflow/fault_search.h"

/* Looks for the place; false if there is none, as where the grid is too small. */
bool find_left_out(struct fault_search *search, struct claim *out_claim);

/* Finds the first access, with a line, to memory beside the operands that the block writes. */
bool find_kept(const struct fault_search *search, struct claim *out_claim);

#endif
