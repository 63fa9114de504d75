/* suspect_line.h: the line of the source that makes a result wrong, from the trace of one block.
 *
 * Only the data flow counts, never how a kernel looks: which elements of the inputs the threads
 * with wrong results load, store and use, compared with what the oracle says that they need
 * (fault_hypotheses.h). Each of these threads has a vote; the place with most votes is reported,
 * the earlier one in the flow if two have as many. If fewer than half agree, or what was seen does
 * not explain the values, no place is reported: none is better than a wrong one.
 *
 * A trace shows only what one block reads, by its values. So what it says of the elements that a
 * result is made of must hold where the same case of a call is followed (value_faults.h).
 */
#ifndef GPUGRADE_DIAGNOSIS_DATAFLOW_SUSPECT_LINE_H
#define GPUGRADE_DIAGNOSIS_DATAFLOW_SUSPECT_LINE_H

#include "diagnosis/dataflow/value_faults.h"

struct suspect_line {
    const char *file; /* relative to the submission */
    int line, column; /* column 0 where unknown */
    const char *label;
    struct part_claim about; /* what it says of the elements that a result is made of */
    struct element_fault lacks;
};

/* Finds the place; false if there is none. Texts live in the arena. */
bool find_suspect_line(const struct criteria_input *input, struct arena *arena,
                       const struct launch_trace *trace, struct suspect_line *out_place);

/* Gives the cause of a wrong result its place, if the launch was traced and nothing else did. */
void locate_wrong_result(const struct criteria_input *input, struct arena *arena, size_t launch,
                         struct cause *cause);

#endif
