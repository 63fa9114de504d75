/* calls_driver.c: calls of the driver by name. They are there where the program runs with the
 * stand-in for the driver, which is one file with this runtime then. */
#include "cudart/runtime.h"

int gpugrade_proc_address(const char *name, void **call, int version, unsigned long long flags,
                          int *result) __asm__("cuGetProcAddress_v2") __attribute__((weak));

static cudaError_t find(const char *name, void **call, int version, unsigned long long flags,
                        enum cudaDriverEntryPointQueryResult *out_result)
{
    int found = 0;

    if (name == NULL || call == NULL || flags > cudaEnablePerThreadDefaultStream) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE);
    }
    if (gpugrade_proc_address == NULL) {
        return runtime_refuse(cudaErrorNotSupported, REFUSAL_UNSUPPORTED);
    }
    gpugrade_proc_address(name, call, version, flags, &found);
    if (out_result != NULL) {
        *out_result = (enum cudaDriverEntryPointQueryResult)found;
    }
    return runtime_ready();
}

cudaError_t cudaGetDriverEntryPoint(const char *name, void **call, unsigned long long flags,
                                    enum cudaDriverEntryPointQueryResult *result)
{
    runtime_enter(RUNTIME_CALL_cudaGetDriverEntryPoint);
    return runtime_leave(find(name, call, CUDART_VERSION, flags, result));
}

cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **call, unsigned version,
                                             unsigned long long flags,
                                             enum cudaDriverEntryPointQueryResult *result)
{
    runtime_enter(RUNTIME_CALL_cudaGetDriverEntryPointByVersion);
    return runtime_leave(find(name, call, (int)version, flags, result));
}
