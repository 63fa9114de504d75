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

static struct runtime_registry graphs;
static struct runtime_registry executables;

static cudaError_t no_memory(void)
{
    return runtime_refuse(cudaErrorMemoryAllocation, REFUSAL_HOST_MEMORY);
}

static cudaError_t no_graph(void)
{
    return runtime_refuse(cudaErrorInvalidValue, REFUSAL_GRAPH);
}

static void free_nodes(struct CUgraph_st *graph)
{
    for (size_t i = 0; i < graph->node_count; i++) {
        runtime_end_branch(graph->nodes[i]->stream, graph->nodes[i]->end);
        runtime_op_release(&graph->nodes[i]->op);
        free(graph->nodes[i]->waits);
        free(graph->nodes[i]);
    }
    free(graph->nodes);
    *graph = (struct CUgraph_st){.nodes = NULL};
}

/* Copies an operation with what it owns. */
static cudaError_t copy_op(const struct runtime_op *op, struct runtime_op *out)
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

/* Appends copies of all nodes of a graph, which wait for each other as they do, in an order that
 * they allow: of those that could come next, the one that was made first. */
static cudaError_t copy_in_order(const struct CUgraph_st *graph, struct CUgraph_st *out)
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
        error = copy_op(&node->op, &op);
        if (error == cudaSuccess) {
            error = graph_add_node(out, &op, &copy);
        }
        if (error == cudaSuccess) {
            copy->copy_of = node;
            copy->index = placed;
            node->copy = copy;
        }
        for (size_t i = 0; i < node->wait_count && error == cudaSuccess; i++) {
            error = graph_add_waits(copy, &node->waits[i]->copy, 1);
        }
    }
    return error;
}

static cudaError_t create_graph(struct CUgraph_st **out_graph)
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

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags)
{
    runtime_enter(RUNTIME_CALL_cudaGraphCreate);
    return runtime_leave(graph == NULL || flags != 0
                             ? runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE)
                             : create_graph(graph));
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    runtime_enter(RUNTIME_CALL_cudaGraphDestroy);
    if (!registry_remove(&graphs, graph)) {
        return runtime_leave(no_graph());
    }
    runtime_end_capture(graph);
    free_nodes(graph);
    free(graph);
    return runtime_leave(cudaSuccess);
}

cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t original)
{
    struct CUgraph_st *graph = NULL;

    runtime_enter(RUNTIME_CALL_cudaGraphClone);
    if (clone == NULL || !registry_contains(&graphs, original)) {
        return runtime_leave(no_graph());
    }
    cudaError_t error = create_graph(&graph);
    if (error == cudaSuccess) {
        error = copy_in_order(original, graph);
    }
    if (error == cudaSuccess) {
        *clone = graph;
    }
    return runtime_leave(error);
}

/* What the calls that add a node have in common. */
struct addition {
    cudaGraphNode_t *out_node;
    cudaGraph_t graph;
    const cudaGraphNode_t *waits;
    size_t wait_count;
};

/* Adds a node; the operation is released if it cannot be. `error` is what came of making it. */
static cudaError_t add(const struct addition *addition, struct runtime_op *op, cudaError_t error)
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
    const struct addition addition = {node, graph, waits, count};
    struct runtime_op op;

    runtime_enter(RUNTIME_CALL_cudaGraphAddKernelNode);
    cudaError_t error = launch_of(parameters, &op);
    return runtime_leave(add(&addition, &op, error));
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *waits, size_t count,
                                   const struct cudaMemcpy3DParms *parameters)
{
    const struct addition addition = {node, graph, waits, count};
    struct runtime_op op = {.kind = OP_COPY};

    runtime_enter(RUNTIME_CALL_cudaGraphAddMemcpyNode);
    cudaError_t error = parameters == NULL
                            ? runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER)
                            : runtime_volume_copy(parameters, &op.copy);
    return runtime_leave(add(&addition, &op, error));
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *waits, size_t count, void *target,
                                     const void *source, size_t bytes, enum cudaMemcpyKind kind)
{
    const struct addition addition = {node, graph, waits, count};
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
    return runtime_leave(add(&addition, &op, cudaSuccess));
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *waits, size_t count,
                                   const struct cudaMemsetParams *parameters)
{
    const struct addition addition = {node, graph, waits, count};
    struct runtime_op op = {.kind = OP_FILL};
    cudaError_t error = cudaSuccess;

    runtime_enter(RUNTIME_CALL_cudaGraphAddMemsetNode);
    if (parameters == NULL ||
        (parameters->elementSize != 1 && parameters->elementSize != 2 &&
         parameters->elementSize != 4) ||
        __builtin_mul_overflow(parameters->width, parameters->elementSize, &op.fill.width)) {
        error = runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE);
    } else {
        op.fill.target = parameters->dst;
        op.fill.pitch = parameters->pitch;
        op.fill.value = parameters->value;
        op.fill.element_bytes = parameters->elementSize;
        op.fill.rows = parameters->height;
    }
    return runtime_leave(add(&addition, &op, error));
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                 const cudaGraphNode_t *waits, size_t count,
                                 const struct cudaHostNodeParams *parameters)
{
    const struct addition addition = {node, graph, waits, count};
    struct runtime_op op = {.kind = OP_HOST};
    cudaError_t error = cudaSuccess;

    runtime_enter(RUNTIME_CALL_cudaGraphAddHostNode);
    if (parameters == NULL || parameters->fn == NULL) {
        error = runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER);
    } else {
        op.host.function = parameters->fn;
        op.host.data = parameters->userData;
    }
    return runtime_leave(add(&addition, &op, error));
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                  const cudaGraphNode_t *waits, size_t count)
{
    const struct addition addition = {node, graph, waits, count};
    struct runtime_op op = {.kind = OP_EMPTY};

    runtime_enter(RUNTIME_CALL_cudaGraphAddEmptyNode);
    return runtime_leave(add(&addition, &op, cudaSuccess));
}

/* Those of the child's nodes that wait for nothing wait for what the child waits for, and the child
 * is named by an empty node that waits for all of them. */
static cudaError_t add_child(const struct addition *addition, const struct CUgraph_st *child)
{
    struct runtime_op op = {.kind = OP_EMPTY};
    size_t first = addition->graph->node_count;
    struct CUgraphNode_st *node = NULL;
    cudaError_t error = copy_in_order(child, addition->graph);

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

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                       const cudaGraphNode_t *waits, size_t count,
                                       cudaGraph_t child)
{
    const struct addition addition = {node, graph, waits, count};

    runtime_enter(RUNTIME_CALL_cudaGraphAddChildGraphNode);
    if (node == NULL || (waits == NULL && count > 0)) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER));
    }
    if (graph == child || !registry_contains(&graphs, graph) ||
        !registry_contains(&graphs, child)) {
        return runtime_leave(no_graph());
    }
    return runtime_leave(add_child(&addition, child));
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
    if (!registry_contains(&graphs, graph) || ((from == NULL || to == NULL) && count > 0)) {
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

    if (!registry_contains(&graphs, graph) || count == NULL) {
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

/* True for a node of a graph that exists. */
static bool node_exists(const struct CUgraphNode_st *node)
{
    for (size_t i = 0; i < graphs.count; i++) {
        if (graph_contains(graphs.entries[i].pointer, node)) {
            return true;
        }
    }
    return false;
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type)
{
    static const enum cudaGraphNodeType types[] = {
        [OP_EMPTY] = cudaGraphNodeTypeEmpty, [OP_COPY] = cudaGraphNodeTypeMemcpy,
        [OP_FILL] = cudaGraphNodeTypeMemset, [OP_LAUNCH] = cudaGraphNodeTypeKernel,
        [OP_HOST] = cudaGraphNodeTypeHost,   [OP_LIBRARY] = cudaGraphNodeTypeKernel,
    };

    runtime_enter(RUNTIME_CALL_cudaGraphNodeGetType);
    if (type == NULL || !node_exists(node)) {
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
    return runtime_leave(node_exists(node) ? replace_launch(node, parameters) : no_graph());
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams *parameters)
{
    runtime_enter(RUNTIME_CALL_cudaGraphExecKernelNodeSetParams);
    for (size_t i = 0;
         registry_contains(&executables, executable) && i < executable->graph.node_count; i++) {
        if (executable->graph.nodes[i]->copy_of == node) {
            return runtime_leave(replace_launch(executable->graph.nodes[i], parameters));
        }
    }
    return runtime_leave(no_graph());
}

static cudaError_t instantiate(cudaGraphExec_t *out_executable, const struct CUgraph_st *graph)
{
    if (out_executable == NULL || !registry_contains(&graphs, graph)) {
        return no_graph();
    }
    struct CUgraphExec_st *executable = calloc(1, sizeof(*executable));
    if (executable == NULL) {
        return no_memory();
    }
    cudaError_t error = copy_in_order(graph, &executable->graph);
    if (error == cudaSuccess && !registry_add(&executables, executable, 0)) {
        error = no_memory();
    }
    if (error != cudaSuccess) {
        free_nodes(&executable->graph);
        free(executable);
        return error;
    }
    *out_executable = executable;
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph,
                                 unsigned long long flags)
{
    (void)flags;
    runtime_enter(RUNTIME_CALL_cudaGraphInstantiate);
    return runtime_leave(instantiate(executable, graph));
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *executable, cudaGraph_t graph,
                                          unsigned long long flags)
{
    (void)flags;
    runtime_enter(RUNTIME_CALL_cudaGraphInstantiateWithFlags);
    return runtime_leave(instantiate(executable, graph));
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable)
{
    runtime_enter(RUNTIME_CALL_cudaGraphExecDestroy);
    if (!registry_remove(&executables, executable)) {
        return runtime_leave(no_graph());
    }
    free_nodes(&executable->graph);
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
    if (result == NULL || !registry_contains(&executables, executable) ||
        !registry_contains(&graphs, graph)) {
        return runtime_leave(no_graph());
    }
    cudaError_t error = copy_in_order(graph, &updated);
    *result = (cudaGraphExecUpdateResultInfo){.result = cudaGraphExecUpdateSuccess};
    if (error == cudaSuccess && !is_alike(&executable->graph, &updated)) {
        result->result = cudaGraphExecUpdateErrorTopologyChanged;
        error = cudaErrorGraphExecUpdateFailure;
    }
    if (error != cudaSuccess) {
        free_nodes(&updated);
        return runtime_leave(error);
    }
    /* The nodes keep the names that the program knows them by. */
    for (size_t i = 0; i < updated.node_count; i++) {
        updated.nodes[i]->graph = &executable->graph;
        updated.nodes[i]->copy_of = executable->graph.nodes[i]->copy_of;
    }
    free_nodes(&executable->graph);
    executable->graph = updated;
    return runtime_leave(cudaSuccess);
}

cudaError_t graph_check(cudaGraphExec_t executable, cudaStream_t stream)
{
    if (!registry_contains(&executables, executable)) {
        return no_graph();
    }
    return runtime_stream_exists(stream)
               ? runtime_ready()
               : runtime_refuse(cudaErrorInvalidResourceHandle, REFUSAL_NO_STREAM);
}

size_t graph_op_count(cudaGraphExec_t executable)
{
    return executable->graph.node_count;
}

/* Makes what the device knows the nodes by, unless each node waits for the one before it, when all
 * of them are work of one stream; false then, or if there are too many. */
bool graph_branches(cudaGraphExec_t executable)
{
    struct CUgraph_st *graph = &executable->graph;
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

void graph_branch(cudaGraphExec_t executable, size_t index, struct graph_branch *out)
{
    const struct CUgraphNode_st *node = executable->graph.nodes[index];

    *out = (struct graph_branch){node->stream, node->end, node->wait_count};
}

cudaEvent_t graph_branch_waits(cudaGraphExec_t executable, size_t index, size_t wait)
{
    return executable->graph.nodes[index]->waits[wait]->end;
}

cudaError_t graph_copy_op(cudaGraphExec_t executable, size_t index, struct runtime_op *out)
{
    return copy_op(&executable->graph.nodes[index]->op, out);
}

cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream)
{
    runtime_enter(RUNTIME_CALL_cudaGraphUpload);
    return runtime_leave(graph_check(executable, stream));
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    struct CUgraph_st *graph = NULL;

    (void)mode;
    runtime_enter(RUNTIME_CALL_cudaStreamBeginCapture);
    if (!runtime_stream_exists(stream)) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidResourceHandle, REFUSAL_NO_STREAM));
    }
    if (stream == NULL || stream == cudaStreamLegacy || runtime_capture_of(stream) != NULL) {
        return runtime_leave(runtime_refuse(cudaErrorStreamCaptureUnsupported, REFUSAL_CAPTURE));
    }
    cudaError_t error = create_graph(&graph);
    if (error == cudaSuccess) {
        runtime_set_capture(stream, graph);
    }
    return runtime_leave(error);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    runtime_enter(RUNTIME_CALL_cudaStreamEndCapture);
    if (!runtime_stream_exists(stream)) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidResourceHandle, REFUSAL_NO_STREAM));
    }
    struct CUgraph_st *captured = runtime_capture_of(stream);
    if (graph == NULL || captured == NULL) {
        return runtime_leave(runtime_refuse(cudaErrorIllegalState, REFUSAL_NO_CAPTURE));
    }
    runtime_end_capture(captured);
    *graph = captured;
    return runtime_leave(runtime_ready());
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
    runtime_enter(RUNTIME_CALL_cudaStreamIsCapturing);
    if (status == NULL || !runtime_stream_exists(stream)) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_NO_STREAM));
    }
    *status = runtime_capture_of(stream) != NULL ? cudaStreamCaptureStatusActive
                                                 : cudaStreamCaptureStatusNone;
    return runtime_leave(cudaSuccess);
}

/* Captures of one thread do not forbid another one's calls here, in whatever mode. */
cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
    static __thread enum cudaStreamCaptureMode current = cudaStreamCaptureModeGlobal;

    runtime_enter(RUNTIME_CALL_cudaThreadExchangeStreamCaptureMode);
    if (mode == NULL) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER));
    }
    enum cudaStreamCaptureMode before = current;
    current = *mode;
    *mode = before;
    return runtime_leave(cudaSuccess);
}
