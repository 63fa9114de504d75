/* trace_flow.h: which element of an input each value of a trace is, and where it went.
 *
 *   global load           the element that it names
 *   shared store, read    the element whose value it is: inputs hold values that all differ. A
 *                         value that a thread rounded after it loaded it counts as that element
 *   all else              unknown: a sum, an index, memory that is no operand
 *
 * A thread stages an element when it loads it only to store it in shared memory; it computes with
 * what it reads and does not stage. So whether a store is right depends on who reads it.
 *
 * The trace comes from a run of hostile code: accesses outside an operand, the block or the trace's
 * own lines are skipped. Time and memory are linear in accesses plus elements.
 */
#ifndef GPUGRADE_DIAGNOSIS_DATAFLOW_TRACE_FLOW_H
#define GPUGRADE_DIAGNOSIS_DATAFLOW_TRACE_FLOW_H

#include "criteria/criteria_input.h"

#define FLOW_NONE UINT32_MAX

/* Elements of all inputs, numbered in one row. */
enum { FLOW_ELEMENTS_MAX = 1 << 24 };

/* What is known of one access, in addition to the trace. */
struct flow_access {
    uint32_t element; /* FLOW_NONE: none, or unknown */
    uint32_t linked;  /* a read of shared memory: the access that stored it; a store there: the one
                         that overwrote it; FLOW_NONE: none */
    bool valid;       /* lies within the launch's own bounds */
    bool staged;      /* a read that the thread only stores in shared memory */
    bool rounded;     /* a store of a value close to the element's, but not equal */
    bool fetched;     /* a store in shared memory that was read before it was overwritten */
};

/* An element of the output that the block wrote, as it was left. */
struct flow_result {
    uint32_t element; /* in the output */
    uint32_t thread;
    uint32_t access; /* the last write */
    double value;
};

struct trace_flow {
    const struct launch_trace *trace;
    const struct rubric_launch *launch;
    size_t output; /* index of the operand */
    uint32_t thread_count;
    uint32_t element_total;
    size_t input_count;
    size_t input_operand[RUBRIC_OPERANDS_MAX]; /* per input its operand */
    uint32_t input_first[RUBRIC_OPERANDS_MAX]; /* the number of its first element */
    struct flow_access *accesses;              /* [trace->access_count] */
    uint32_t *order;                           /* [access_count] accesses thread by thread */
    uint32_t *thread_first;                    /* [thread_count + 1] into `order` */
    struct flow_result *results;               /* [result_count], thread by thread */
    size_t result_count;
};

/* Follows the values of a trace; false if it is too large, incomplete or not of this launch.
 * Everything lives in the arena. */
bool trace_flow_init(struct arena *arena, const struct launch_trace *trace,
                     const struct rubric_launch *launch, struct trace_flow *out_flow);

/* The input that an element belongs to. */
size_t flow_input(const struct trace_flow *flow, uint32_t element);

/* Its index within that input. */
size_t flow_index(const struct trace_flow *flow, uint32_t element);

/* The load from global memory of the value that a store in shared memory stores; FLOW_NONE if that
 * is unknown. */
uint32_t flow_load_of(const struct trace_flow *flow, uint32_t store);

/* The block's thread as coordinates. */
void flow_thread(const struct trace_flow *flow, uint32_t thread, uint32_t out_index[3]);

#endif
