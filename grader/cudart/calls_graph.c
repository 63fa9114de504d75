/* calls_graph.c: graphs: operations that are kept and done later, as often as the program likes.
 *
 *   graph --instantiate--> executable graph: copies of its nodes in an order that they allow
 *
 * A node is an operation (runtime_ops.c) and the nodes that it waits for. What a stream captures
 * waits for what the stream got last, and for what is before the events that it waits for. Kernels
 * keep the parameters that they were given, copies the addresses; the bytes are read at the launch.
 */
#include "cudart/runtime_graph.h"

#include <stdlib.h>
#include <string.h>

static struct runtime_registry executables;

static cudaError_t no_memory(void)
{
    return runtime_refuse(cudaErrorMemoryAllocation, REFUSAL_HOST_MEMORY);
}

static cudaError_t no_graph(void)
{
    return runtime_refuse(cudaErrorInvalidValue, REFUSAL_GRAPH);
}

bool graph_is_executable(cudaGraphExec_t executable)
{
    return registry_contains(&executables, executable);
}

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags)
{
    runtime_enter(RUNTIME_CALL_cudaGraphCreate);
    return runtime_leave(graph == NULL || flags != 0
                             ? runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE)
                             : graph_create(graph));
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    runtime_enter(RUNTIME_CALL_cudaGraphDestroy);
    if (!graph_exists(graph) || graph->is_body) {
        return runtime_leave(no_graph());
    }
    graph_delete(graph);
    return runtime_leave(cudaSuccess);
}

cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t original)
{
    struct CUgraph_st *graph = NULL;

    runtime_enter(RUNTIME_CALL_cudaGraphClone);
    if (clone == NULL || !graph_exists(original)) {
        return runtime_leave(no_graph());
    }
    if (graph_is_whole(original)) {
        return runtime_leave(runtime_refuse(cudaErrorNotSupported, REFUSAL_GRAPH_PART));
    }
    cudaError_t error = graph_create(&graph);
    if (error == cudaSuccess) {
        error = graph_copy(original, graph);
    }
    if (error == cudaSuccess) {
        *clone = graph;
    }
    return runtime_leave(error);
}

static cudaError_t launch_of(const struct cudaKernelNodeParams *from, struct runtime_op *out)
{
    *out = (struct runtime_op){.kind = OP_LAUNCH};
    if (from == NULL) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER);
    }
    if (from->extra != NULL) {
        return runtime_refuse(cudaErrorNotSupported, REFUSAL_UNSUPPORTED);
    }
    out->launch.grid = from->gridDim;
    out->launch.block = from->blockDim;
    out->launch.shared_bytes = from->sharedMemBytes;
    return runtime_prepare_launch(from->func, from->kernelParams, &out->launch);
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *waits, size_t count,
                                   const struct cudaKernelNodeParams *parameters)
{
    const struct graph_addition addition = {node, graph, waits, count};
    struct runtime_op op;

    runtime_enter(RUNTIME_CALL_cudaGraphAddKernelNode);
    cudaError_t error = launch_of(parameters, &op);
    return runtime_leave(graph_add(&addition, &op, error));
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *waits, size_t count,
                                   const struct cudaMemcpy3DParms *parameters)
{
    const struct graph_addition addition = {node, graph, waits, count};
    struct runtime_op op = {.kind = OP_COPY};

    runtime_enter(RUNTIME_CALL_cudaGraphAddMemcpyNode);
    cudaError_t error = parameters == NULL
                            ? runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER)
                            : runtime_volume_copy(parameters, &op.copy);
    return runtime_leave(graph_add(&addition, &op, error));
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *waits, size_t count, void *target,
                                     const void *source, size_t bytes, enum cudaMemcpyKind kind)
{
    const struct graph_addition addition = {node, graph, waits, count};
    struct runtime_op op = {
        .kind = OP_COPY,
        .copy = {.target = target,
                 .target_pitch = bytes,
                 .source = source,
                 .source_pitch = bytes,
                 .width = bytes,
                 .rows = 1,
                 .kind = kind},
    };

    runtime_enter(RUNTIME_CALL_cudaGraphAddMemcpyNode1D);
    return runtime_leave(graph_add(&addition, &op, cudaSuccess));
}

static cudaError_t fill_of(const struct cudaMemsetParams *from, struct runtime_op *out)
{
    *out = (struct runtime_op){.kind = OP_FILL};
    if (from == NULL ||
        (from->elementSize != 1 && from->elementSize != 2 && from->elementSize != 4) ||
        __builtin_mul_overflow(from->width, from->elementSize, &out->fill.width)) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE);
    }
    out->fill.target = from->dst;
    out->fill.pitch = from->pitch;
    out->fill.value = from->value;
    out->fill.element_bytes = from->elementSize;
    out->fill.rows = from->height;
    return cudaSuccess;
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *waits, size_t count,
                                   const struct cudaMemsetParams *parameters)
{
    const struct graph_addition addition = {node, graph, waits, count};
    struct runtime_op op;

    runtime_enter(RUNTIME_CALL_cudaGraphAddMemsetNode);
    cudaError_t error = fill_of(parameters, &op);
    return runtime_leave(graph_add(&addition, &op, error));
}

static cudaError_t host_call_of(const struct cudaHostNodeParams *from, struct runtime_op *out)
{
    *out = (struct runtime_op){.kind = OP_HOST};
    if (from == NULL || from->fn == NULL) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER);
    }
    out->host.function = from->fn;
    out->host.data = from->userData;
    return cudaSuccess;
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                 const cudaGraphNode_t *waits, size_t count,
                                 const struct cudaHostNodeParams *parameters)
{
    const struct graph_addition addition = {node, graph, waits, count};
    struct runtime_op op;

    runtime_enter(RUNTIME_CALL_cudaGraphAddHostNode);
    cudaError_t error = host_call_of(parameters, &op);
    return runtime_leave(graph_add(&addition, &op, error));
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                  const cudaGraphNode_t *waits, size_t count)
{
    const struct graph_addition addition = {node, graph, waits, count};
    struct runtime_op op = {.kind = OP_EMPTY};

    runtime_enter(RUNTIME_CALL_cudaGraphAddEmptyNode);
    return runtime_leave(graph_add(&addition, &op, cudaSuccess));
}

/* Those of the child's nodes that wait for nothing wait for what the child waits for, and the child
 * is named by an empty node that waits for all of them. */
static cudaError_t add_child(const struct graph_addition *addition, const struct CUgraph_st *child)
{
    struct runtime_op op = {.kind = OP_EMPTY};
    size_t first = addition->graph->node_count;
    struct CUgraphNode_st *node = NULL;
    cudaError_t error = graph_copy(child, addition->graph);

    if (error == cudaSuccess) {
        error = graph_add_node(addition->graph, &op, &node);
    }
    for (size_t i = first; node != NULL && addition->graph->nodes[i] != node; i++) {
        struct CUgraphNode_st *part = addition->graph->nodes[i];
        if (error == cudaSuccess && part->wait_count == 0) {
            error = graph_add_waits(part, addition->waits, addition->wait_count);
        }
        if (error == cudaSuccess) {
            error = graph_add_waits(node, &part, 1);
        }
    }
    if (error == cudaSuccess && node->wait_count == 0) {
        error = graph_add_waits(node, addition->waits, addition->wait_count);
    }
    if (error == cudaSuccess) {
        *addition->out_node = node;
    }
    return error;
}

static cudaError_t check_child(const struct graph_addition *addition,
                               const struct CUgraph_st *child)
{
    if (addition->out_node == NULL || (addition->waits == NULL && addition->wait_count > 0)) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER);
    }
    if (addition->graph == child || !graph_exists(addition->graph) || !graph_exists(child)) {
        return no_graph();
    }
    return graph_is_whole(child) ? runtime_refuse(cudaErrorNotSupported, REFUSAL_GRAPH_PART)
                                 : add_child(addition, child);
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                       const cudaGraphNode_t *waits, size_t count,
                                       cudaGraph_t child)
{
    const struct graph_addition addition = {node, graph, waits, count};

    runtime_enter(RUNTIME_CALL_cudaGraphAddChildGraphNode);
    return runtime_leave(check_child(&addition, child));
}

/* Adds a node of any kind. */
static cudaError_t add_any(const struct graph_addition *addition,
                           struct cudaGraphNodeParams *parameters)
{
    struct runtime_op op = {.kind = OP_EMPTY};
    const struct cudaKernelNodeParams launch = {
        parameters->kernel.func,         parameters->kernel.gridDim,
        parameters->kernel.blockDim,     parameters->kernel.sharedMemBytes,
        parameters->kernel.kernelParams, parameters->kernel.extra};
    const struct cudaMemsetParams fill = {parameters->memset.dst,   parameters->memset.pitch,
                                          parameters->memset.value, parameters->memset.elementSize,
                                          parameters->memset.width, parameters->memset.height};
    const struct cudaHostNodeParams host = {parameters->host.fn, parameters->host.userData};
    cudaError_t error;

    switch (parameters->type) {
    case cudaGraphNodeTypeKernel:
        error = launch_of(&launch, &op);
        break;
    case cudaGraphNodeTypeMemcpy:
        op.kind = OP_COPY;
        error = runtime_volume_copy(&parameters->memcpy.copyParams, &op.copy);
        break;
    case cudaGraphNodeTypeMemset:
        error = fill_of(&fill, &op);
        break;
    case cudaGraphNodeTypeHost:
        error = host_call_of(&host, &op);
        break;
    case cudaGraphNodeTypeGraph:
        return parameters->graph.ownership == cudaGraphChildGraphOwnershipClone
                   ? check_child(addition, parameters->graph.graph)
                   : runtime_refuse(cudaErrorNotSupported, REFUSAL_UNSUPPORTED);
    case cudaGraphNodeTypeEmpty:
        error = cudaSuccess;
        break;
    case cudaGraphNodeTypeMemAlloc:
        return graph_add_allocation(addition, &parameters->alloc.poolProps,
                                    parameters->alloc.bytesize, &parameters->alloc.dptr);
    case cudaGraphNodeTypeMemFree:
        return graph_add_free(addition, parameters->free.dptr);
    case cudaGraphNodeTypeConditional:
        return graph_add_condition(addition, &parameters->conditional);
    default:
        return runtime_refuse(cudaErrorNotSupported, REFUSAL_UNSUPPORTED);
    }
    return graph_add(addition, &op, error);
}

#if CUDART_VERSION >= 13000
cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *waits,
                             const cudaGraphEdgeData *edges, size_t count,
                             struct cudaGraphNodeParams *parameters)
{
    (void)edges;
#else
cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *waits,
                             size_t count, struct cudaGraphNodeParams *parameters)
{
#endif
    const struct graph_addition addition = {node, graph, waits, count};

    runtime_enter(RUNTIME_CALL_cudaGraphAddNode);
    return runtime_leave(parameters == NULL
                             ? runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER)
                             : add_any(&addition, parameters));
}

#if CUDART_VERSION >= 13000
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
                                     size_t count)
{
    (void)edges;
#else
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, size_t count)
{
#endif
    cudaError_t error = cudaSuccess;

    runtime_enter(RUNTIME_CALL_cudaGraphAddDependencies);
    if (!graph_exists(graph) || ((from == NULL || to == NULL) && count > 0)) {
        return runtime_leave(no_graph());
    }
    for (size_t i = 0; i < count && error == cudaSuccess; i++) {
        error = graph_contains(graph, to[i]) ? graph_add_waits(to[i], &from[i], 1) : no_graph();
    }
    return runtime_leave(error);
}

/* Lists nodes: all, or those that wait for nothing. */
static cudaError_t list_nodes(const struct CUgraph_st *graph, bool roots_only,
                              cudaGraphNode_t *out_nodes, size_t *count)
{
    size_t found = 0;

    if (!graph_exists(graph) || count == NULL) {
        return no_graph();
    }
    for (size_t i = 0; i < graph->node_count; i++) {
        if (roots_only && graph->nodes[i]->wait_count > 0) {
            continue;
        }
        if (out_nodes != NULL && found < *count) {
            out_nodes[found] = graph->nodes[i];
        }
        found++;
    }
    *count = found;
    return cudaSuccess;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
    runtime_enter(RUNTIME_CALL_cudaGraphGetNodes);
    return runtime_leave(list_nodes(graph, false, nodes, count));
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
    runtime_enter(RUNTIME_CALL_cudaGraphGetRootNodes);
    return runtime_leave(list_nodes(graph, true, nodes, count));
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type)
{
    static const enum cudaGraphNodeType types[] = {
        [OP_EMPTY] = cudaGraphNodeTypeEmpty,
        [OP_COPY] = cudaGraphNodeTypeMemcpy,
        [OP_FILL] = cudaGraphNodeTypeMemset,
        [OP_LAUNCH] = cudaGraphNodeTypeKernel,
        [OP_HOST] = cudaGraphNodeTypeHost,
        [OP_LIBRARY] = cudaGraphNodeTypeKernel,
        [OP_ALLOCATE] = cudaGraphNodeTypeMemAlloc,
        [OP_FREE] = cudaGraphNodeTypeMemFree,
        [OP_CONDITION] = cudaGraphNodeTypeConditional,
    };

    runtime_enter(RUNTIME_CALL_cudaGraphNodeGetType);
    if (type == NULL || !graph_node_exists(node)) {
        return runtime_leave(no_graph());
    }
    *type = types[node->op.kind];
    return runtime_leave(cudaSuccess);
}

/* Gives a kernel's node another launch. */
static cudaError_t replace_launch(struct CUgraphNode_st *node,
                                  const struct cudaKernelNodeParams *parameters)
{
    struct runtime_op op;

    if (node->op.kind != OP_LAUNCH) {
        return no_graph();
    }
    cudaError_t error = launch_of(parameters, &op);
    if (error == cudaSuccess) {
        runtime_op_release(&node->op);
        node->op = op;
    }
    return error;
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                         const struct cudaKernelNodeParams *parameters)
{
    runtime_enter(RUNTIME_CALL_cudaGraphKernelNodeSetParams);
    return runtime_leave(graph_node_exists(node) ? replace_launch(node, parameters) : no_graph());
}

/* The copy of a node in an executable graph, or in the graphs of its conditional nodes. */
static struct CUgraphNode_st *find_copy(const struct CUgraph_st *graph,
                                        const struct CUgraphNode_st *node)
{
    struct CUgraphNode_st *found = NULL;

    for (size_t i = 0; i < graph->node_count && found == NULL; i++) {
        const struct graph_condition *condition = &graph->nodes[i]->condition;
        found = graph->nodes[i]->copy_of == node ? graph->nodes[i] : NULL;
        for (unsigned k = 0; k < condition->size && found == NULL; k++) {
            found = find_copy(condition->bodies[k], node);
        }
    }
    return found;
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams *parameters)
{
    runtime_enter(RUNTIME_CALL_cudaGraphExecKernelNodeSetParams);
    struct CUgraphNode_st *copy =
        graph_is_executable(executable) ? find_copy(&executable->graph, node) : NULL;
    return runtime_leave(copy != NULL ? replace_launch(copy, parameters) : no_graph());
}

static cudaError_t instantiate(cudaGraphExec_t *out_executable, const struct CUgraph_st *graph,
                               unsigned long long flags)
{
    if (out_executable == NULL || !graph_exists(graph)) {
        return no_graph();
    }
    struct CUgraphExec_st *executable = calloc(1, sizeof(*executable));
    if (executable == NULL) {
        return no_memory();
    }
    executable->flags = flags;
    cudaError_t error = conditions_check(graph);
    if (error == cudaSuccess) {
        error = graph_copy(graph, &executable->graph);
    }
    if (error == cudaSuccess && !registry_add(&executables, executable, 0)) {
        error = no_memory();
    }
    if (error != cudaSuccess) {
        graph_empty(&executable->graph);
        free(executable);
        return error;
    }
    *out_executable = executable;
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph,
                                 unsigned long long flags)
{
    runtime_enter(RUNTIME_CALL_cudaGraphInstantiate);
    return runtime_leave(instantiate(executable, graph, flags));
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *executable, cudaGraph_t graph,
                                          unsigned long long flags)
{
    runtime_enter(RUNTIME_CALL_cudaGraphInstantiateWithFlags);
    return runtime_leave(instantiate(executable, graph, flags));
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable)
{
    runtime_enter(RUNTIME_CALL_cudaGraphExecDestroy);
    if (!registry_remove(&executables, executable)) {
        return runtime_leave(no_graph());
    }
    graph_empty(&executable->graph);
    free(executable);
    return runtime_leave(cudaSuccess);
}

/* True if two graphs have the same kinds of nodes, in the same order. */
static bool is_alike(const struct CUgraph_st *one, const struct CUgraph_st *other)
{
    bool is_same = one->node_count == other->node_count;

    for (size_t i = 0; i < one->node_count && is_same; i++) {
        is_same = one->nodes[i]->op.kind == other->nodes[i]->op.kind;
    }
    return is_same;
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *result)
{
    struct CUgraph_st updated = {.nodes = NULL};

    runtime_enter(RUNTIME_CALL_cudaGraphExecUpdate);
    if (result == NULL || !registry_contains(&executables, executable) || !graph_exists(graph)) {
        return runtime_leave(no_graph());
    }
    cudaError_t error = graph_copy(graph, &updated);
    *result = (cudaGraphExecUpdateResultInfo){.result = cudaGraphExecUpdateSuccess};
    if (error == cudaSuccess && graph_is_whole(graph)) {
        result->result = cudaGraphExecUpdateErrorNotSupported;
        error = cudaErrorGraphExecUpdateFailure;
    } else if (error == cudaSuccess && !is_alike(&executable->graph, &updated)) {
        result->result = cudaGraphExecUpdateErrorTopologyChanged;
        error = cudaErrorGraphExecUpdateFailure;
    }
    if (error != cudaSuccess) {
        graph_empty(&updated);
        return runtime_leave(error);
    }
    /* The nodes keep the names that the program knows them by. */
    for (size_t i = 0; i < updated.node_count; i++) {
        updated.nodes[i]->graph = &executable->graph;
        updated.nodes[i]->copy_of = executable->graph.nodes[i]->copy_of;
    }
    graph_empty(&executable->graph);
    executable->graph = updated;
    return runtime_leave(cudaSuccess);
}

bool graph_branches(struct CUgraph_st *graph)
{
    bool is_chain = true;
    bool has_all = true;

    for (size_t i = 1; i < graph->node_count; i++) {
        const struct CUgraphNode_st *node = graph->nodes[i];
        bool follows = false;
        for (size_t k = 0; k < node->wait_count; k++) {
            follows = follows || node->waits[k]->index + 1 == i;
        }
        is_chain = is_chain && follows;
    }
    for (size_t i = 0; i < graph->node_count && !is_chain && has_all; i++) {
        struct CUgraphNode_st *node = graph->nodes[i];
        if (node->stream == NULL ||
            !runtime_stream_exists(node->stream)) { /* the device was reset */
            runtime_make_branch(&node->stream, &node->end);
        }
        has_all = node->stream != NULL && node->end != NULL;
    }
    return !is_chain && has_all;
}
