/* calls_launch.c: from `kernel<<<grid, block>>>(...)` to one message.
 *
 * nvcc turns a launch into: push the configuration, call the stub, which asks for the kernel's
 * handle, pops the configuration and launches with an array of pointers to the arguments. The
 * device has told where each parameter lies in the parameter block and how long it is.
 */
#include "cudart/runtime.h"

#include <string.h>

struct configuration {
    dim3 grid, block;
    size_t shared_bytes;
    cudaStream_t stream;
};

/* Configurations nest when an argument of a launch launches itself. */
enum { CONFIGURATIONS_MAX = 64 };

static __thread struct configuration configurations[CONFIGURATIONS_MAX];
static __thread size_t configuration_count;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
                                     struct CUstream_st *stream);
cudaError_t __cudaPopCallConfiguration(dim3 *out_grid, dim3 *out_block, size_t *out_shared_bytes,
                                       void *out_stream);
cudaError_t __cudaGetKernel(cudaKernel_t *out_kernel, const void *host_function);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                               size_t shared_bytes, cudaStream_t stream);

/* Not 0: the launch is skipped. */
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
                                     struct CUstream_st *stream)
{
    if (configuration_count == CONFIGURATIONS_MAX) {
        return cudaErrorLaunchOutOfResources;
    }
    configurations[configuration_count++] =
        (struct configuration){grid, block, shared_bytes, stream};
    return cudaSuccess;
}

cudaError_t __cudaPopCallConfiguration(dim3 *out_grid, dim3 *out_block, size_t *out_shared_bytes,
                                       void *out_stream)
{
    if (configuration_count == 0) {
        return cudaErrorMissingConfiguration;
    }
    const struct configuration *top = &configurations[--configuration_count];
    *out_grid = top->grid;
    *out_block = top->block;
    *out_shared_bytes = top->shared_bytes;
    memcpy(out_stream, &top->stream, sizeof(top->stream));
    return cudaSuccess;
}

static uint64_t pair(uint32_t low, uint32_t high)
{
    return (uint64_t)low | (uint64_t)high << 32;
}

/* Puts the arguments where the kernel expects them; false if there are none where some should be.
 */
static bool gather(const struct runtime_kernel *kernel, void **arguments, uint8_t *out_block)
{
    if (arguments == NULL && kernel->parameter_count > 0) {
        return false;
    }
    memset(out_block, 0, kernel->parameter_bytes);
    for (size_t i = 0; i < kernel->parameter_count; i++) {
        uint64_t offset = kernel->parameters[2 * i], bytes = kernel->parameters[2 * i + 1];

        if (arguments[i] == NULL || offset > kernel->parameter_bytes ||
            bytes > kernel->parameter_bytes - offset) {
            return false;
        }
        memcpy(out_block + offset, arguments[i], bytes);
    }
    return true;
}

/* Launches under the lock. */
static cudaError_t launch(const void *function, const struct configuration *configuration,
                          void **arguments)
{
    uint8_t block[CLIENT_PARAMETERS_BYTES];
    struct runtime_kernel *kernel = runtime_find_kernel(function);

    if (function == NULL || kernel == NULL) {
        return runtime_refuse(cudaErrorInvalidDeviceFunction, REFUSAL_FUNCTION);
    }
    if (!runtime_stream_exists(configuration->stream)) {
        return runtime_refuse(cudaErrorInvalidResourceHandle, REFUSAL_NO_STREAM);
    }
    cudaError_t error = runtime_resolve_kernel(kernel);
    if (error == cudaSuccess) {
        error = runtime_managed_push();
    }
    if (error != cudaSuccess) {
        return error;
    }
    if (kernel->parameter_bytes > sizeof(block) || !gather(kernel, arguments, block)) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER);
    }
    const dim3 *grid = &configuration->grid, *threads = &configuration->block;
    struct message reply,
        request = {
            .type = CLIENT_LAUNCH,
            .words = {0, kernel->handle, pair(grid->x, grid->y), pair(grid->z, threads->x),
                      pair(threads->y, threads->z), configuration->shared_bytes},
            .payload = block,
            .payload_bytes = kernel->parameter_bytes,
        };
    return runtime_request(&request, &reply);
}

/* The handle is our own struct: asking the device waits until the launch. */
cudaError_t __cudaGetKernel(cudaKernel_t *out_kernel, const void *host_function)
{
    runtime_enter(RUNTIME_CALL_cudaLaunchKernel);
    struct runtime_kernel *kernel = runtime_find_kernel(host_function);
    if (out_kernel == NULL || host_function == NULL || kernel == NULL) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidDeviceFunction, REFUSAL_FUNCTION));
    }
    *out_kernel = (cudaKernel_t)(void *)kernel;
    return runtime_leave(cudaSuccess);
}

cudaError_t cudaGetKernel(cudaKernel_t *out_kernel, const void *host_function)
{
    return __cudaGetKernel(out_kernel, host_function);
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                               size_t shared_bytes, cudaStream_t stream)
{
    return cudaLaunchKernel((const void *)kernel, grid, block, arguments, shared_bytes, stream);
}

cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                             size_t shared_bytes, cudaStream_t stream)
{
    struct configuration configuration = {grid, block, shared_bytes, stream};

    runtime_enter(RUNTIME_CALL_cudaLaunchKernel);
    return runtime_leave(launch(function, &configuration, arguments));
}

/* Attributes that do not change what a launch computes. */
static bool is_harmless(const cudaLaunchAttribute *attribute)
{
    return attribute->id == cudaLaunchAttributeIgnore ||
           attribute->id == cudaLaunchAttributePriority ||
           attribute->id == cudaLaunchAttributeAccessPolicyWindow;
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function,
                                void **arguments)
{
    runtime_enter(RUNTIME_CALL_cudaLaunchKernelExC);
    if (config == NULL || (config->numAttrs > 0 && config->attrs == NULL)) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER));
    }
    for (unsigned i = 0; i < config->numAttrs; i++) {
        if (!is_harmless(&config->attrs[i])) {
            return runtime_leave(runtime_refuse(cudaErrorNotSupported, REFUSAL_UNSUPPORTED));
        }
    }
    struct configuration configuration = {config->gridDim, config->blockDim,
                                          config->dynamicSmemBytes, config->stream};
    return runtime_leave(launch(function, &configuration, arguments));
}
