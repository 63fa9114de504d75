/* locate_text.h: elements and threads of a trace in words.
 *
 * Coordinates are those of the rubric's shapes: "A(3,16)"; an operand of rank 1 has one, one of
 * rank 3 three. Texts live in the arena.
 */
#ifndef GPUGRADE_DIAGNOSIS_LOCATION_LOCATE_TEXT_H
#define GPUGRADE_DIAGNOSIS_LOCATION_LOCATE_TEXT_H

#include "diagnosis/dataflow/fault_hypotheses.h"

/* One extent of an operand of the traced launch; 0 if it does not exist or has no value. */
size_t flow_extent(const struct criteria_input *input, const struct trace_flow *flow,
                   size_t operand, size_t dimension);

/* What happens at a claim's place, for students: "reads A(16,0), but C(1,0) needs row 1 of A". */
const char *claim_text(const struct block_facts *block, const struct claim *claim);

#endif
