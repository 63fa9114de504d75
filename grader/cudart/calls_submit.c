/* calls_submit.c: functions of the host and graphs as work for streams. */
#include "cudart/runtime_graph.h"

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data)
{
    struct runtime_op op = {.kind = OP_HOST, .host = {.function = function, .data = data}};

    runtime_enter(RUNTIME_CALL_cudaLaunchHostFunc);
    return runtime_leave(function == NULL
                             ? runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER)
                             : runtime_submit(stream, &op));
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                  unsigned flags)
{
    struct runtime_op op = {.kind = OP_HOST,
                            .host = {.callback = callback, .stream = stream, .data = data}};

    runtime_enter(RUNTIME_CALL_cudaStreamAddCallback);
    if (callback == NULL || flags != 0) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE));
    }
    return runtime_leave(runtime_submit(stream, &op));
}

static cudaError_t submit_graph(struct CUgraph_st *graph, cudaStream_t stream);

/* Which graph of a conditional node is next; one that it does not have: none of them. */
static cudaError_t decide(const struct graph_condition *condition, cudaStream_t stream,
                          unsigned *out_body)
{
    const bool is_switch = condition->type == cudaGraphCondTypeSwitch;
    const uint32_t before = runtime_set_work_stream(runtime_stream_number(stream));
    unsigned value = 0;
    cudaError_t error =
        runtime_decide(condition->value->address, is_switch ? condition->size : 1, &value);

    runtime_set_work_stream(before);
    *out_body = is_switch ? value : value == 0;
    return error;
}

/* Does what a conditional node decides. A loop ends as one of the host's own would: each time
 * around, the program reads its condition. */
static cudaError_t submit_condition(const struct CUgraphNode_st *node, cudaStream_t stream)
{
    const struct graph_condition *condition = &node->condition;
    const bool is_loop = condition->type == cudaGraphCondTypeWhile;
    cudaError_t error = cudaSuccess;
    unsigned body;

    do {
        runtime_set_origin(node->op.call, node->op.site);
        error = decide(condition, stream, &body);
        if (error == cudaSuccess && body < condition->size) {
            error = submit_graph(condition->bodies[body], stream);
        }
    } while (is_loop && error == cudaSuccess && body == 0);
    return error;
}

/* Does the operation of a node in a stream. */
static cudaError_t submit_node(const struct CUgraphNode_st *node, cudaStream_t stream)
{
    struct runtime_op op;

    if (node->op.kind == OP_CONDITION) {
        return submit_condition(node, stream);
    }
    cudaError_t error = graph_copy_op(&node->op, &op);
    return error == cudaSuccess ? runtime_submit(stream, &op) : error;
}

/* Does all operations; the device knows which of them wait for which. What the stream got before
 * comes first, what it gets later last. */
static cudaError_t submit_branches(const struct CUgraph_st *graph, cudaStream_t stream)
{
    cudaEvent_t first = graph->nodes[0]->end;
    cudaError_t error = cudaSuccess;

    runtime_order_event(CLIENT_ORDER_RECORD, stream, first);
    for (size_t i = 0; i < graph->node_count; i++) {
        runtime_order_event(CLIENT_ORDER_WAIT, graph->nodes[i]->stream, first);
    }
    for (size_t i = 0; i < graph->node_count && error == cudaSuccess; i++) {
        const struct CUgraphNode_st *node = graph->nodes[i];

        for (size_t k = 0; k < node->wait_count; k++) {
            runtime_order_event(CLIENT_ORDER_WAIT, node->stream, node->waits[k]->end);
        }
        error = submit_node(node, node->stream);
        runtime_order_event(CLIENT_ORDER_RECORD, node->stream, node->end);
    }
    for (size_t i = 0; i < graph->node_count; i++) {
        runtime_order_event(CLIENT_ORDER_WAIT, stream, graph->nodes[i]->end);
    }
    return error;
}

static cudaError_t submit_graph(struct CUgraph_st *graph, cudaStream_t stream)
{
    cudaError_t error = cudaSuccess;

    if (runtime_capture_of(stream) == NULL && graph_branches(graph)) {
        return submit_branches(graph, stream);
    }
    for (size_t i = 0; error == cudaSuccess && i < graph->node_count; i++) {
        error = submit_node(graph->nodes[i], stream);
    }
    return error;
}

/* Sets the values of all conditions of a graph that have one for each launch. */
static cudaError_t reset_conditions(const struct CUgraph_st *graph, cudaStream_t stream)
{
    cudaError_t error = cudaSuccess;

    for (size_t i = 0; i < graph->node_count && error == cudaSuccess; i++) {
        const struct graph_condition *condition = &graph->nodes[i]->condition;
        if (condition->value != NULL && condition->value->is_reset) {
            struct runtime_op op = {
                .kind = OP_FILL,
                .fill = {.target = (void *)(uintptr_t)condition->value->address,
                         .pitch = sizeof(unsigned),
                         .value = condition->value->initial,
                         .element_bytes = sizeof(unsigned),
                         .width = sizeof(unsigned),
                         .rows = 1},
            };
            error = runtime_submit(stream, &op);
        }
        for (unsigned k = 0; k < condition->size && error == cudaSuccess; k++) {
            error = reset_conditions(condition->bodies[k], stream);
        }
    }
    return error;
}

/* Memory of the graph's last launch: it is freed if the graph was made so, else there must be
 * none. */
static cudaError_t end_memory(const struct CUgraphExec_st *executable, cudaStream_t stream)
{
    const struct CUgraph_st *graph = &executable->graph;
    cudaError_t error = cudaSuccess;

    for (size_t i = 0; i < graph->node_count && error == cudaSuccess; i++) {
        const struct runtime_op *node = &graph->nodes[i]->op;
        struct runtime_op op = {.kind = OP_FREE, .memory = node->memory};

        if (node->kind != OP_ALLOCATE || !runtime_is_pooled(node->memory.address)) {
            continue;
        }
        error = (executable->flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) != 0
                    ? runtime_submit(stream, &op)
                    : runtime_refuse(cudaErrorInvalidValue, REFUSAL_GRAPH_MEMORY);
    }
    return error;
}

static cudaError_t check_launch(cudaGraphExec_t executable, cudaStream_t stream)
{
    if (!graph_is_executable(executable)) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_GRAPH);
    }
    if (!runtime_stream_exists(stream)) {
        return runtime_refuse(cudaErrorInvalidResourceHandle, REFUSAL_NO_STREAM);
    }
    return runtime_ready();
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream)
{
    runtime_enter(RUNTIME_CALL_cudaGraphLaunch);
    cudaError_t error = check_launch(executable, stream);
    if (error == cudaSuccess && graph_is_whole(&executable->graph)) {
        error = runtime_capture_of(stream) == NULL
                    ? end_memory(executable, stream)
                    : runtime_refuse(cudaErrorNotSupported, REFUSAL_GRAPH_PART);
        if (error == cudaSuccess) {
            error = reset_conditions(&executable->graph, stream);
        }
    }
    return runtime_leave(error == cudaSuccess ? submit_graph(&executable->graph, stream) : error);
}

cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream)
{
    runtime_enter(RUNTIME_CALL_cudaGraphUpload);
    return runtime_leave(check_launch(executable, stream));
}
