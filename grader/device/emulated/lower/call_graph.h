/* call_graph.h: which functions of a module call which, as far as the text shows.
 *
 * A call through a pointer may reach every function whose address is taken somewhere in the module.
 * A function that cannot reach itself is active at most once in a thread.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_LOWER_CALL_GRAPH_H
#define GPUGRADE_DEVICE_EMULATED_LOWER_CALL_GRAPH_H

#include "ptx/ptx.h"

struct call_graph {
    const bool *may_recur;        /* [function_count] it may be active more than once */
    const bool *is_address_taken; /* [function_count] */
};

/* Reads the calls of all functions; everything lives in the arena. */
struct call_graph *call_graph_new(struct arena *arena, const struct ptx_module *module);

#endif
