/* calls_volume.c: copies of boxes. A box is slices of rows. */
#include "cudart/runtime.h"

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *parameters)
{
    struct runtime_copy copy;

    runtime_enter(RUNTIME_CALL_cudaMemcpy3D);
    if (parameters == NULL) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER));
    }
    cudaError_t error = runtime_volume_copy(parameters, &copy);
    return runtime_leave(error == cudaSuccess ? runtime_copy_and_wait(&copy) : error);
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *parameters, cudaStream_t stream)
{
    struct runtime_op op = {.kind = OP_COPY};

    runtime_enter(RUNTIME_CALL_cudaMemcpy3DAsync);
    if (parameters == NULL) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER));
    }
    cudaError_t error = runtime_volume_copy(parameters, &op.copy);
    return runtime_leave(error == cudaSuccess ? runtime_submit(stream, &op) : error);
}
