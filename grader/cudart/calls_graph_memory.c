/* calls_graph_memory.c: allocations as nodes of graphs.
 *
 * The address is given out with the node: memory is made there and freed at once. A launch of the
 * graph makes it again, and frees it where the graph does; else cudaFreeAsync or cudaFree does. */
#include "cudart/runtime_graph.h"

cudaError_t graph_add_allocation(const struct graph_addition *addition,
                                 const struct cudaMemPoolProps *properties, size_t bytes,
                                 void **out_pointer)
{
    struct runtime_op op = {.kind = OP_ALLOCATE};
    cudaError_t error = runtime_check_pool(properties);

    if (error == cudaSuccess) {
        error = bytes == 0 ? runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE)
                           : runtime_reserve_for_graph(bytes, &op.memory);
    }
    error = graph_add(addition, &op, error);
    if (error == cudaSuccess) {
        *out_pointer = (void *)(uintptr_t)op.memory.address;
    }
    return error;
}

cudaError_t graph_add_free(const struct graph_addition *addition, void *pointer)
{
    struct runtime_op op = {.kind = OP_FREE, .memory = {.address = (uint64_t)(uintptr_t)pointer}};
    cudaError_t error = graph_exists(addition->graph)
                            ? graph_check_free(addition->graph, op.memory.address)
                            : cudaSuccess; /* graph_add() refuses it */

    return graph_add(addition, &op, error);
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *waits, size_t count,
                                     struct cudaMemAllocNodeParams *parameters)
{
    const struct graph_addition addition = {node, graph, waits, count};

    runtime_enter(RUNTIME_CALL_cudaGraphAddMemAllocNode);
    return runtime_leave(parameters == NULL
                             ? runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER)
                             : graph_add_allocation(&addition, &parameters->poolProps,
                                                    parameters->bytesize, &parameters->dptr));
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                    const cudaGraphNode_t *waits, size_t count, void *pointer)
{
    const struct graph_addition addition = {node, graph, waits, count};

    runtime_enter(RUNTIME_CALL_cudaGraphAddMemFreeNode);
    return runtime_leave(graph_add_free(&addition, pointer));
}

static cudaError_t check_node(cudaGraphNode_t node, enum runtime_op_kind kind, const void *out)
{
    return out != NULL && graph_node_exists(node) && node->op.kind == kind
               ? cudaSuccess
               : runtime_refuse(cudaErrorInvalidValue, REFUSAL_GRAPH);
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node,
                                           struct cudaMemAllocNodeParams *parameters)
{
    runtime_enter(RUNTIME_CALL_cudaGraphMemAllocNodeGetParams);
    cudaError_t error = check_node(node, OP_ALLOCATE, parameters);
    if (error == cudaSuccess) {
        *parameters = (struct cudaMemAllocNodeParams){
            .poolProps = {.allocType = cudaMemAllocationTypePinned,
                          .location = {.type = cudaMemLocationTypeDevice}},
            .bytesize = node->op.memory.bytes,
            .dptr = (void *)(uintptr_t)node->op.memory.address,
        };
    }
    return runtime_leave(error);
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *pointer)
{
    runtime_enter(RUNTIME_CALL_cudaGraphMemFreeNodeGetParams);
    cudaError_t error = check_node(node, OP_FREE, pointer);
    if (error == cudaSuccess) {
        *(void **)pointer = (void *)(uintptr_t)node->op.memory.address;
    }
    return runtime_leave(error);
}
