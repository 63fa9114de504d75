/* thread_facts.h: what the threads of a traced block need, by the oracle, and what they use.
 *
 * A use is a read of an element before the thread's last store to the output. Staging (a read only
 * to store the element in shared memory) is not a use.
 */
#ifndef GPUGRADE_DIAGNOSIS_DATAFLOW_THREAD_FACTS_H
#define GPUGRADE_DIAGNOSIS_DATAFLOW_THREAD_FACTS_H

#include "diagnosis/dataflow/trace_flow.h"

/* What one thread needs and uses of one input. */
struct input_facts {
    uint32_t *needs; /* [need_count] elements, in the order of the oracle */
    size_t need_count, need_capacity;
    uint32_t *uses; /* [use_count] accesses that are not staging, in the order they ran */
    size_t use_count, use_capacity;
    size_t unread;       /* of the needs */
    size_t first_unread; /* index of the needs, if unread > 0 */
    size_t unneeded;     /* of the uses */
    size_t first_other;  /* index of the uses, if unneeded > 0 */
    size_t first_repeat; /* index of the first use of an element used before; SIZE_MAX: none */
};

/* What one thread did. */
struct thread_facts {
    uint32_t thread;
    const struct flow_result *results; /* [result_count] of this thread */
    size_t result_count;
    uint32_t last_store;
    /* accesses of the first such reads; FLOW_NONE: there is none */
    uint32_t unknown;     /* of a sum, or of what is not known, in shared memory: no constant */
    uint32_t output_read; /* of the output, before the thread wrote there */
    uint32_t kept_read;   /* of memory that is no operand, which the block writes, or whose value is
                             stored as the result, before the thread wrote there */
    struct input_facts inputs[RUBRIC_OPERANDS_MAX];
};

/* What all threads of the block did. Arrays are per element of the inputs. */
struct block_facts {
    const struct criteria_input *input;
    struct arena *arena;
    const struct trace_flow *flow;
    struct oracle_problem problem;           /* of the traced launch */
    bool *needed;                            /* by something that the block writes */
    bool *loaded;                            /* from global memory */
    uint32_t *stored;                        /* the last store in shared memory; FLOW_NONE */
    uint32_t main_load[RUBRIC_OPERANDS_MAX]; /* per input a load in the line with most loads of it;
                                                FLOW_NONE: it is never loaded */
    uint64_t
        *kept; /* [kept_count] sorted addresses that the block writes and that are no operand's */
    size_t kept_count, kept_capacity;
    bool *constant;        /* [accesses] a store in shared memory of a value made of no element */
    uint32_t *line_stores; /* per line of the trace: stores in shared memory of known elements */
    bool few_are_wrong;    /* most of the block's results are right; set by fault_search.c */
    bool is_used;          /* some thread reads an element of an input for more than staging it */
    /* per input: some thread reads from shared memory what it stored there itself, so none uses it
     * from the register that it was staged in */
    bool is_reread[RUBRIC_OPERANDS_MAX];
    uint32_t *need_mark, *use_mark, *late_mark; /* whose thread marked it last */
    uint32_t mark;
    struct oracle_need *needs; /* [need_capacity] */
    size_t need_capacity;
};

/* Goes over the whole block. `problem` and what it points to must stay. False if the oracle's needs
 * do not fit the launch. */
bool block_facts_init(const struct criteria_input *input, struct arena *arena,
                      const struct trace_flow *flow, const struct oracle_problem *problem,
                      struct block_facts *out_facts);

/* True if an access is to memory that the block writes and that belongs to no operand. */
bool block_is_kept(const struct block_facts *block, uint32_t index);

/* Fills the facts of the thread that wrote results[first], [count] of which are its own; buffers
 * are kept from call to call. */
void thread_facts_fill(struct block_facts *block, size_t first, size_t count,
                       struct thread_facts *facts);

#endif
