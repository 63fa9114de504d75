/* runtime_graph.h: graphs and their nodes.
 *
 *   runtime_graph.c      nodes
 *   runtime_condition.c  values by which conditional nodes decide
 *   runtime_graph_set.c  graphs that exist */
#ifndef GPUGRADE_CUDART_RUNTIME_GRAPH_H
#define GPUGRADE_CUDART_RUNTIME_GRAPH_H

#include "cudart/runtime.h"

/* A value by which a node decides. */
struct condition_value {
    uint64_t address;               /* 0: the device was reset */
    const struct CUgraph_st *graph; /* NULL: it is gone */
    unsigned initial;
    bool is_reset; /* to that by each launch */
    bool has_node;
    size_t users;
};

/* What a conditional node decides: which of its graphs is next, or whether one is repeated. */
struct graph_condition {
    struct condition_value *value; /* NULL: the node is none; else it is one of its users */
    enum cudaGraphConditionalNodeType type;
    unsigned size;
    struct CUgraph_st **bodies; /* [size], owned */
};

struct CUgraphNode_st {
    struct CUgraph_st *graph;
    struct runtime_op op;
    struct graph_condition condition;
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
    bool is_body; /* of a conditional node, which owns it */
};

struct CUgraphExec_st {
    struct CUgraph_st graph; /* its nodes are in an order that they allow */
    unsigned long long flags;
};

/* True for a graph that the program knows. */
bool graph_exists(const struct CUgraph_st *graph);

/* Makes a graph that the program knows. Errors: cudaErrorMemoryAllocation. */
cudaError_t graph_create(struct CUgraph_st **out_graph);

/* Deletes a graph, known or not; NULL is accepted. The second deletes its nodes alone. */
void graph_delete(struct CUgraph_st *graph);
void graph_empty(struct CUgraph_st *graph);

/* Appends copies of all nodes of a graph, which wait for each other as they do, in an order that
 * they allow. Errors: cudaErrorInvalidValue for a cycle, cudaErrorMemoryAllocation. */
cudaError_t graph_copy(const struct CUgraph_st *graph, struct CUgraph_st *out);

bool graph_contains(const struct CUgraph_st *graph, const struct CUgraphNode_st *node);

/* Whether a graph has allocations or conditional nodes: then it cannot be part of another one. */
bool graph_is_whole(const struct CUgraph_st *graph);

/* Lets a node wait for some others of its graph. Errors: cudaErrorInvalidValue if one is not there,
 * cudaErrorMemoryAllocation. */
cudaError_t graph_add_waits(struct CUgraphNode_st *node, struct CUgraphNode_st *const *others,
                            size_t count);

/* Adds a node, which owns the operation from now on, whatever comes of it. Errors:
 * cudaErrorMemoryAllocation. */
cudaError_t graph_add_node(struct CUgraph_st *graph, struct runtime_op *op,
                           struct CUgraphNode_st **out_node);

/* What the calls that add a node have in common. */
struct graph_addition {
    cudaGraphNode_t *out_node;
    cudaGraph_t graph;
    const cudaGraphNode_t *waits;
    size_t wait_count;
};

/* Adds a node; the operation is released if it cannot be. `error` is what came of making it. */
cudaError_t graph_add(const struct graph_addition *addition, struct runtime_op *op,
                      cudaError_t error);

/* Adds an allocation, whose address is set, or the end of one. */
cudaError_t graph_add_allocation(const struct graph_addition *addition,
                                 const struct cudaMemPoolProps *properties, size_t bytes,
                                 void **out_pointer);
cudaError_t graph_add_free(const struct graph_addition *addition, void *pointer);

/* Checks that memory is one of graphs that a graph does not free yet. */
cudaError_t graph_check_free(const struct CUgraph_st *graph, uint64_t address);

/* Adds a conditional node, whose graphs are made. */
cudaError_t graph_add_condition(const struct graph_addition *addition,
                                struct cudaConditionalNodeParams *parameters);

/* Checks what is in the graphs of the conditional nodes of a graph. Errors:
 * cudaErrorInvalidValue. */
cudaError_t conditions_check(const struct CUgraph_st *graph);

/* Makes the graphs of a condition, whose other fields are set: copies of others, or, if `from` is
 * NULL, empty ones that the program knows. Releases them, and its use of its value. */
cudaError_t graph_make_bodies(struct graph_condition *condition, struct CUgraph_st *const *from);
void graph_release_bodies(struct graph_condition *condition);

/* Makes a value, which its graph uses. Errors: cudaErrorMemoryAllocation. */
cudaError_t condition_make(const struct CUgraph_st *graph, unsigned initial, bool is_reset,
                           struct condition_value **out_value);

/* The value of a handle; NULL if there is none. */
struct condition_value *condition_find(cudaGraphConditionalHandle handle);

/* Ends one use of a value; those of a graph that is deleted. */
void condition_end_use(struct condition_value *value);
void conditions_forget(const struct CUgraph_st *graph);

/* True for a node of a graph that exists. */
bool graph_node_exists(const struct CUgraphNode_st *node);

/* True for an executable graph that exists. */
bool graph_is_executable(cudaGraphExec_t executable);

/* Copies the operation of a node with what it owns. */
cudaError_t graph_copy_op(const struct runtime_op *op, struct runtime_op *out);

/* Makes what the device knows the nodes of an executable graph by, unless each node waits for the
 * one before it, when all of them are work of one stream; false then, or if there are too many. */
bool graph_branches(struct CUgraph_st *graph);

#endif
