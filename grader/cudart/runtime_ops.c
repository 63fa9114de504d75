/* runtime_ops.c: work for streams. The device executes everything at once and in the order of the
 * calls, so an operation is done when it is submitted, unless its stream captures a graph. */
#include "cudart/runtime.h"

/* What the function does, and tells others of the host, comes after the stream's work. */
static cudaError_t call_host(const struct runtime_host_call *call)
{
    cudaError_t status = runtime_synchronise();

    if (call->callback == NULL && status != cudaSuccess) {
        return status;
    }
    runtime_order(CLIENT_ORDER_HOST_WAITS, runtime_work_stream(), NULL, 0);
    runtime_call_host(call, status);
    return cudaSuccess;
}

cudaError_t runtime_run(const struct runtime_op *op)
{
    switch (op->kind) {
    case OP_COPY:
        return runtime_copy(&op->copy);
    case OP_FILL:
        return runtime_fill(&op->fill);
    case OP_LAUNCH:
        return runtime_launch(&op->launch);
    case OP_HOST:
        return call_host(&op->host);
    case OP_LIBRARY:
        return op->library.work(op->library.request);
    case OP_ALLOCATE:
        return runtime_allocate_of_graph(&op->memory);
    case OP_FREE:
        return runtime_free_pooled(op->memory.address);
    case OP_CONDITION: /* calls_submit.c */
    case OP_EMPTY:
        break;
    }
    return runtime_ready();
}

cudaError_t runtime_submit(cudaStream_t stream, struct runtime_op *op)
{
    cudaError_t error;

    if (!runtime_stream_exists(stream)) {
        error = runtime_refuse(cudaErrorInvalidResourceHandle, REFUSAL_NO_STREAM);
    } else if (runtime_capture_of(stream) != NULL) {
        return graph_append(runtime_capture_of(stream), op, runtime_capture_end(stream));
    } else {
        const uint32_t before = runtime_set_work_stream(runtime_stream_number(stream));

        if (op->call != RUNTIME_CALL_NONE) {
            runtime_set_origin(op->call, op->site);
        }
        error = runtime_run(op);
        runtime_set_work_stream(before);
        if (error == cudaSuccess) {
            guards_after(op);
        }
    }
    runtime_op_release(op);
    return error;
}
