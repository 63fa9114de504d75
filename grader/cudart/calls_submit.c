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

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream)
{
    runtime_enter(RUNTIME_CALL_cudaGraphLaunch);
    cudaError_t error = graph_check(executable, stream);
    for (size_t i = 0; error == cudaSuccess && i < graph_op_count(executable); i++) {
        struct runtime_op op;

        error = graph_copy_op(executable, i, &op);
        if (error == cudaSuccess) {
            error = runtime_submit(stream, &op);
        }
    }
    return runtime_leave(error);
}
