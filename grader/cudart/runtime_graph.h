/* runtime_graph.h: a graph and its nodes, for runtime_graph.c and calls_graph.c. */
#ifndef GPUGRADE_CUDART_RUNTIME_GRAPH_H
#define GPUGRADE_CUDART_RUNTIME_GRAPH_H

#include "cudart/runtime.h"

struct CUgraphNode_st {
    struct CUgraph_st *graph;
    struct runtime_op op;
    struct CUgraphNode_st **waits; /* [wait_count] for these, owned */
    size_t wait_count;
    const struct CUgraphNode_st *copy_of; /* NULL, or what the node of an executable graph is of */
    struct CUgraphNode_st
        *copy;           /* while an order is looked for: where it has been placed, or NULL */
    size_t index;        /* of a node of an executable graph */
    cudaStream_t stream; /* of an executable graph that is no chain: what the device knows */
    cudaEvent_t end;     /*   the node and its end by; NULL: none yet */
};

struct CUgraph_st {
    struct CUgraphNode_st **nodes; /* [node_count], owned */
    size_t node_count, node_capacity;
};

struct CUgraphExec_st {
    struct CUgraph_st graph; /* its nodes are in an order that they allow */
};

bool graph_contains(const struct CUgraph_st *graph, const struct CUgraphNode_st *node);

/* Lets a node wait for some others of its graph. Errors: cudaErrorInvalidValue if one is not there,
 * cudaErrorMemoryAllocation. */
cudaError_t graph_add_waits(struct CUgraphNode_st *node, struct CUgraphNode_st *const *others,
                            size_t count);

/* Adds a node, which owns the operation from now on, whatever comes of it. */
cudaError_t graph_add_node(struct CUgraph_st *graph, struct runtime_op *op,
                           struct CUgraphNode_st **out_node);

#endif
