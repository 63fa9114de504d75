/* fault_search.h: state shared by the files that look for a fault: the data flow of the trace, and
 * which of the block's results are wrong.
 */
#ifndef GPUGRADE_DIAGNOSIS_DATAFLOW_FAULT_SEARCH_H
#define GPUGRADE_DIAGNOSIS_DATAFLOW_FAULT_SEARCH_H

#include "diagnosis/dataflow/fault_hypotheses.h"
#include "model/oracle_problem.h"

struct fault_search {
    const struct criteria_input *input;
    struct arena *arena; /* of the search alone */
    const struct launch_trace *trace;
    struct trace_flow flow;
    struct block_facts block;
    struct posed_problem posed;
    struct oracle_problem problem; /* points into it */
    double *expected, *magnitudes; /* [elements of the output] */
    bool *is_wrong;                /* [flow.result_count] */
    size_t wrong_count;
};

/* Follows the trace and compares what the block wrote with the oracle; the search must stay where
 * it is. `input`, `arena` and `trace` are set by the caller. False if the trace cannot be used. */
bool fault_search_init(struct fault_search *search);

/* How far a value may be from what is expected, for a sum of absolute products. */
double fault_tolerance(const struct fault_search *search, double magnitude);

/* True if a value is what is expected of an element of the output. */
bool fault_is_near(const struct fault_search *search, double value, size_t element);

/* The line of an access. */
const struct trace_line *fault_line(const struct fault_search *search, uint32_t access);

/* How many consecutive results, starting with number `first`, belong to one thread. */
size_t fault_thread_results(const struct fault_search *search, size_t first);

/* Fills the facts of the thread of a result again; the block's marks are then this thread's. */
void fault_thread_facts(struct fault_search *search, uint32_t result,
                        struct thread_facts *out_facts);

/* Whether each element of the output came out right: in the probe of the traced case, or of this
 * block in the trace. NULL if that is not known. */
const bool *fault_right_elements(const struct fault_search *search);

/* Bytes that all blocks together wrote to the output in the probe of the traced case; UINT64_MAX if
 * that is not known. */
uint64_t fault_written_bytes(const struct fault_search *search);

#endif
