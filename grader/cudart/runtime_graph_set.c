/* runtime_graph_set.c: graphs that exist, and those of conditional nodes: they hold each other. */
#include "cudart/runtime_graph.h"

#include <stdlib.h>
#include <string.h>

static struct runtime_registry graphs;

static cudaError_t no_memory(void)
{
    return runtime_refuse(cudaErrorMemoryAllocation, REFUSAL_HOST_MEMORY);
}

static cudaError_t no_graph(void)
{
    return runtime_refuse(cudaErrorInvalidValue, REFUSAL_GRAPH);
}

void graph_empty(struct CUgraph_st *graph)
{
    for (size_t i = 0; i < graph->node_count; i++) {
        runtime_end_branch(graph->nodes[i]->stream, graph->nodes[i]->end);
        runtime_op_release(&graph->nodes[i]->op);
        graph_release_bodies(&graph->nodes[i]->condition);
        free(graph->nodes[i]->waits);
        free(graph->nodes[i]);
    }
    free(graph->nodes);
    *graph = (struct CUgraph_st){.nodes = NULL};
}

bool graph_exists(const struct CUgraph_st *graph)
{
    return registry_contains(&graphs, graph);
}

cudaError_t graph_copy_op(const struct runtime_op *op, struct runtime_op *out)
{
    *out = *op;
    if (op->kind == OP_LAUNCH) {
        size_t words = op->launch.kernel->parameter_bytes / 8 + 1;

        out->launch.words = calloc(words, sizeof(uint64_t));
        if (out->launch.words == NULL) {
            return no_memory();
        }
        memcpy(out->launch.words, op->launch.words, words * sizeof(uint64_t));
    }
    return cudaSuccess;
}

/* True if all that a node waits for has its place. */
static bool is_next(const struct CUgraphNode_st *node)
{
    bool is_free = node->copy == NULL;

    for (size_t i = 0; i < node->wait_count && is_free; i++) {
        is_free = node->waits[i]->copy != NULL;
    }
    return is_free;
}

/* Of those that could come next, the one that was made first does. */
cudaError_t graph_copy(const struct CUgraph_st *graph, struct CUgraph_st *out)
{
    cudaError_t error = cudaSuccess;

    for (size_t i = 0; i < graph->node_count; i++) {
        graph->nodes[i]->copy = NULL;
    }
    for (size_t placed = 0; placed < graph->node_count && error == cudaSuccess; placed++) {
        size_t next = 0;
        struct runtime_op op;
        struct CUgraphNode_st *copy = NULL;

        while (next < graph->node_count && !is_next(graph->nodes[next])) {
            next++;
        }
        if (next == graph->node_count) {
            return runtime_refuse(cudaErrorInvalidValue, REFUSAL_CYCLE);
        }
        struct CUgraphNode_st *node = graph->nodes[next];
        error = graph_copy_op(&node->op, &op);
        if (error == cudaSuccess) {
            error = graph_add_node(out, &op, &copy);
        }
        if (error == cudaSuccess) {
            copy->copy_of = node;
            copy->index = placed;
            node->copy = copy;
        }
        if (error == cudaSuccess && node->condition.value != NULL) {
            copy->condition = node->condition;
            error = graph_make_bodies(&copy->condition, node->condition.bodies);
        }
        for (size_t i = 0; i < node->wait_count && error == cudaSuccess; i++) {
            error = graph_add_waits(copy, &node->waits[i]->copy, 1);
        }
    }
    return error;
}

cudaError_t graph_create(struct CUgraph_st **out_graph)
{
    cudaError_t error = runtime_ready();

    if (error != cudaSuccess) {
        return error;
    }
    struct CUgraph_st *graph = calloc(1, sizeof(*graph));
    if (graph == NULL || !registry_add(&graphs, graph, 0)) {
        free(graph);
        return no_memory();
    }
    *out_graph = graph;
    return cudaSuccess;
}

void graph_delete(struct CUgraph_st *graph)
{
    if (graph == NULL) {
        return;
    }
    registry_remove(&graphs, graph);
    runtime_end_capture(graph);
    conditions_forget(graph);
    graph_empty(graph);
    free(graph);
}

cudaError_t graph_make_bodies(struct graph_condition *condition, struct CUgraph_st *const *from)
{
    cudaError_t error = cudaSuccess;

    condition->value->users++;
    condition->bodies = calloc(condition->size, sizeof(*condition->bodies));
    if (condition->bodies == NULL) {
        error = no_memory();
    }
    for (unsigned i = 0; i < condition->size && error == cudaSuccess; i++) {
        struct CUgraph_st **body = &condition->bodies[i];
        if (from == NULL) {
            error = graph_create(body);
        } else {
            *body = calloc(1, sizeof(**body));
            error = *body == NULL ? no_memory() : graph_copy(from[i], *body);
        }
        if (*body != NULL) {
            (*body)->is_body = true;
        }
    }
    if (error != cudaSuccess) {
        graph_release_bodies(condition);
    }
    return error;
}

void graph_release_bodies(struct graph_condition *condition)
{
    for (unsigned i = 0; i < condition->size && condition->bodies != NULL; i++) {
        graph_delete(condition->bodies[i]);
    }
    free(condition->bodies);
    if (condition->value != NULL) {
        condition_end_use(condition->value);
    }
    *condition = (struct graph_condition){.value = NULL};
}

cudaError_t graph_add(const struct graph_addition *addition, struct runtime_op *op,
                      cudaError_t error)
{
    struct CUgraphNode_st *node = NULL;

    if (error == cudaSuccess &&
        (addition->out_node == NULL || (addition->waits == NULL && addition->wait_count > 0))) {
        error = runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER);
    }
    if (error == cudaSuccess && !registry_contains(&graphs, addition->graph)) {
        error = no_graph();
    }
    if (error != cudaSuccess) {
        runtime_op_release(op);
        return error;
    }
    error = graph_add_node(addition->graph, op, &node);
    if (error == cudaSuccess) {
        error = graph_add_waits(node, addition->waits, addition->wait_count);
    }
    if (error == cudaSuccess) {
        *addition->out_node = node;
    }
    return error;
}

bool graph_node_exists(const struct CUgraphNode_st *node)
{
    for (size_t i = 0; i < graphs.count; i++) {
        if (graph_contains(graphs.entries[i].pointer, node)) {
            return true;
        }
    }
    return false;
}

cudaError_t conditions_check(const struct CUgraph_st *graph)
{
    cudaError_t error = cudaSuccess;

    for (size_t i = 0; i < graph->node_count && error == cudaSuccess; i++) {
        const struct CUgraphNode_st *node = graph->nodes[i];
        const enum runtime_op_kind kind = node->op.kind;
        if (graph->is_body && (kind == OP_HOST || kind == OP_ALLOCATE || kind == OP_FREE)) {
            error = runtime_refuse(cudaErrorInvalidValue, REFUSAL_BODY);
        }
        for (unsigned k = 0; k < node->condition.size && error == cudaSuccess; k++) {
            error = conditions_check(node->condition.bodies[k]);
        }
    }
    return error;
}
