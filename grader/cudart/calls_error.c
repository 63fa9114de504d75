/* calls_error.c: errors and versions. */
#include "cudart/runtime.h"

#include "wire/cuda_error.h"

cudaError_t cudaGetLastError(void)
{
    runtime_enter(RUNTIME_CALL_cudaGetLastError);
    return runtime_leave_quietly(runtime_last_error(true));
}

cudaError_t cudaPeekAtLastError(void)
{
    runtime_enter(RUNTIME_CALL_cudaPeekAtLastError);
    return runtime_leave_quietly(runtime_last_error(false));
}

const char *cudaGetErrorName(cudaError_t error)
{
    return cuda_status_name((int)error);
}

const char *cudaGetErrorString(cudaError_t error)
{
    return cuda_status_text((int)error);
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    runtime_enter(RUNTIME_CALL_cudaRuntimeGetVersion);
    if (version == NULL) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER));
    }
    *version = CUDART_VERSION;
    return runtime_leave(cudaSuccess);
}

/* Without a device there is no driver: 0, as the real runtime says. */
cudaError_t cudaDriverGetVersion(int *version)
{
    runtime_enter(RUNTIME_CALL_cudaDriverGetVersion);
    if (version == NULL) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER));
    }
    *version = runtime_connect() == cudaSuccess ? CUDART_VERSION : 0;
    return runtime_leave(cudaSuccess);
}
