/* calls_submit.c: functions of the host and graphs as work for streams. */
#include "cudart/runtime.h"

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

/* Does one operation of a graph in a stream. */
static cudaError_t submit_node(cudaGraphExec_t executable, size_t index, cudaStream_t stream)
{
    struct runtime_op op;
    cudaError_t error = graph_copy_op(executable, index, &op);

    return error == cudaSuccess ? runtime_submit(stream, &op) : error;
}

/* Does all operations; the device knows which of them wait for which. What the stream got before
 * comes first, what it gets later last. */
static cudaError_t submit_branches(cudaGraphExec_t executable, cudaStream_t stream)
{
    const size_t count = graph_op_count(executable);
    struct graph_branch first;
    cudaError_t error = cudaSuccess;

    graph_branch(executable, 0, &first);
    runtime_order_event(CLIENT_ORDER_RECORD, stream, first.end);
    for (size_t i = 0; i < count; i++) {
        struct graph_branch branch;

        graph_branch(executable, i, &branch);
        runtime_order_event(CLIENT_ORDER_WAIT, branch.stream, first.end);
    }
    for (size_t i = 0; i < count && error == cudaSuccess; i++) {
        struct graph_branch branch;

        graph_branch(executable, i, &branch);
        for (size_t k = 0; k < branch.waits; k++) {
            runtime_order_event(CLIENT_ORDER_WAIT, branch.stream,
                                graph_branch_waits(executable, i, k));
        }
        error = submit_node(executable, i, branch.stream);
        runtime_order_event(CLIENT_ORDER_RECORD, branch.stream, branch.end);
    }
    for (size_t i = 0; i < count; i++) {
        struct graph_branch branch;

        graph_branch(executable, i, &branch);
        runtime_order_event(CLIENT_ORDER_WAIT, stream, branch.end);
    }
    return error;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream)
{
    runtime_enter(RUNTIME_CALL_cudaGraphLaunch);
    cudaError_t error = graph_check(executable, stream);
    if (error == cudaSuccess && runtime_capture_of(stream) == NULL && graph_branches(executable)) {
        return runtime_leave(submit_branches(executable, stream));
    }
    for (size_t i = 0; error == cudaSuccess && i < graph_op_count(executable); i++) {
        error = submit_node(executable, i, stream);
    }
    return runtime_leave(error);
}
