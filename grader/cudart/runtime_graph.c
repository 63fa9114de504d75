/* runtime_graph.c: the nodes of a graph (runtime_graph.h). */
#include "cudart/runtime_graph.h"

#include <stdlib.h>

static cudaError_t no_memory(void)
{
    return runtime_refuse(cudaErrorMemoryAllocation, REFUSAL_HOST_MEMORY);
}

static cudaError_t no_graph(void)
{
    return runtime_refuse(cudaErrorInvalidValue, REFUSAL_GRAPH);
}

void runtime_op_release(struct runtime_op *op)
{
    free(op->launch.words);
    op->launch.words = NULL;
}

bool graph_is_whole(const struct CUgraph_st *graph)
{
    for (size_t i = 0; i < graph->node_count; i++) {
        if (graph->nodes[i]->op.kind >= OP_ALLOCATE) {
            return true;
        }
    }
    return false;
}

cudaError_t graph_check_free(const struct CUgraph_st *graph, uint64_t address)
{
    bool is_there = runtime_is_of_graph(address);

    for (size_t i = 0; i < graph->node_count && is_there; i++) {
        const struct runtime_op *op = &graph->nodes[i]->op;
        is_there = op->kind != OP_FREE || op->memory.address != address;
    }
    return is_there ? cudaSuccess : runtime_refuse(cudaErrorInvalidValue, REFUSAL_GRAPH_ADDRESS);
}

bool graph_contains(const struct CUgraph_st *graph, const struct CUgraphNode_st *node)
{
    for (size_t i = 0; i < graph->node_count; i++) {
        if (graph->nodes[i] == node) {
            return true;
        }
    }
    return false;
}

cudaError_t graph_add_waits(struct CUgraphNode_st *node, struct CUgraphNode_st *const *others,
                            size_t count)
{
    if (count == 0) {
        return cudaSuccess;
    }
    struct CUgraphNode_st **grown =
        reallocarray(node->waits, node->wait_count + count, sizeof(*grown));
    if (grown == NULL) {
        return no_memory();
    }
    node->waits = grown;
    for (size_t i = 0; i < count; i++) {
        if (others[i] == node || !graph_contains(node->graph, others[i])) {
            return no_graph();
        }
        grown[node->wait_count++] = others[i];
    }
    return cudaSuccess;
}

cudaError_t graph_add_node(struct CUgraph_st *graph, struct runtime_op *op,
                           struct CUgraphNode_st **out_node)
{
    struct CUgraphNode_st *node = calloc(1, sizeof(*node));
    size_t capacity = graph->node_capacity == 0 ? 16 : graph->node_capacity * 2;

    if (node != NULL && graph->node_count == graph->node_capacity) {
        struct CUgraphNode_st **grown = reallocarray(graph->nodes, capacity, sizeof(*grown));

        if (grown != NULL) {
            graph->nodes = grown;
            graph->node_capacity = capacity;
        }
    }
    if (node == NULL || graph->node_count == graph->node_capacity) {
        free(node);
        runtime_op_release(op);
        return no_memory();
    }
    node->graph = graph;
    node->op = *op;
    if (op->call == RUNTIME_CALL_NONE) {
        runtime_origin(&node->op.call, &node->op.site);
    }
    op->launch.words = NULL;
    graph->nodes[graph->node_count++] = node;
    *out_node = node;
    return cudaSuccess;
}

cudaError_t graph_append(struct CUgraph_st *graph, struct runtime_op *op, struct capture_end *end)
{
    struct CUgraphNode_st *node = NULL;
    cudaError_t error = graph_add_node(graph, op, &node);

    if (error == cudaSuccess) {
        error = graph_add_waits(node, end->nodes, end->count);
        *end = (struct capture_end){{node}, 1};
    }
    return error;
}

cudaError_t graph_join(struct CUgraph_st *graph, struct capture_end *end,
                       const struct capture_end *other)
{
    for (size_t i = 0; i < other->count; i++) {
        bool is_there = false;

        for (size_t k = 0; k < end->count; k++) {
            is_there = is_there || end->nodes[k] == other->nodes[i];
        }
        if (!is_there && end->count == CAPTURE_ENDS_MAX) {
            struct runtime_op op = {.kind = OP_EMPTY};
            cudaError_t error = graph_append(graph, &op, end);

            if (error != cudaSuccess) {
                return error;
            }
        }
        if (!is_there) {
            end->nodes[end->count++] = other->nodes[i];
        }
    }
    return cudaSuccess;
}
