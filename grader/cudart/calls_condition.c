/* calls_condition.c: handles of conditional nodes, and the nodes. */
#include "cudart/runtime_graph.h"

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t graph,
                                             unsigned initial, unsigned flags)
{
    struct condition_value *value = NULL;

    runtime_enter(RUNTIME_CALL_cudaGraphConditionalHandleCreate);
    if (handle == NULL || (flags & ~(unsigned)cudaGraphCondAssignDefault) != 0) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE));
    }
    if (!graph_exists(graph)) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_GRAPH));
    }
    cudaError_t error =
        condition_make(graph, initial, (flags & cudaGraphCondAssignDefault) != 0, &value);
    if (error == cudaSuccess) {
        *handle = value->address;
    }
    return runtime_leave(error);
}

static bool has_size(enum cudaGraphConditionalNodeType type, unsigned size)
{
    switch (type) {
    case cudaGraphCondTypeIf:
        return size == 1 || size == 2;
    case cudaGraphCondTypeWhile:
        return size == 1;
    case cudaGraphCondTypeSwitch:
        return size > 0;
    }
    return false;
}

cudaError_t graph_add_condition(const struct graph_addition *addition,
                                struct cudaConditionalNodeParams *parameters)
{
    struct runtime_op op = {.kind = OP_CONDITION};
    struct graph_condition condition = {.value = condition_find(parameters->handle)};

    if (condition.value == NULL || condition.value->graph == NULL || condition.value->has_node) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_CONDITION);
    }
    condition.type = parameters->type;
    condition.size = parameters->size;
    cudaError_t error = has_size(condition.type, condition.size)
                            ? graph_make_bodies(&condition, NULL)
                            : runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE);
    if (error != cudaSuccess) {
        return error;
    }
    error = graph_add(addition, &op, error);
    if (error != cudaSuccess) {
        graph_release_bodies(&condition);
        return error;
    }
    (*addition->out_node)->condition = condition;
    condition.value->has_node = true;
    parameters->phGraph_out = condition.bodies;
    return cudaSuccess;
}
