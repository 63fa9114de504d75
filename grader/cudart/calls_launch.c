/* calls_launch.c: from `kernel<<<grid, block>>>(...)` to one message (runtime_launch.c).
 *
 * nvcc turns a launch into: push the configuration, call the stub, which asks for the kernel's
 * handle, pops the configuration and launches with an array of pointers to the arguments.
 */
#include "cudart/runtime.h"

#include <string.h>

struct configuration {
    dim3 grid, block;
    size_t shared_bytes;
    cudaStream_t stream;
    bool is_cooperative;
    uint32_t site; /* where it was pushed; 0: nowhere */
};

/* Configurations nest when an argument of a launch launches itself. */
enum { CONFIGURATIONS_MAX = 64 };

static __thread struct configuration configurations[CONFIGURATIONS_MAX];
static __thread size_t configuration_count;
static __thread uint32_t popped_site; /* of the launch that comes next; 0: none */

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
    runtime_enter(RUNTIME_CALL_cudaLaunchKernel);
    configurations[configuration_count++] =
        (struct configuration){grid, block, shared_bytes, stream, false, runtime_site_here()};
    return runtime_leave_quietly(cudaSuccess);
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
    popped_site = top->site;
    return cudaSuccess;
}

/* Launches under the lock. */
static cudaError_t launch(const void *function, const struct configuration *configuration,
                          void **arguments)
{
    struct runtime_op op = {
        .kind = OP_LAUNCH,
        .launch = {.grid = configuration->grid,
                   .block = configuration->block,
                   .shared_bytes = configuration->shared_bytes,
                   .is_cooperative = configuration->is_cooperative},
    };
    if (configuration->site != 0) {
        runtime_set_origin(RUNTIME_CALL_cudaLaunchKernel, configuration->site);
    }
    cudaError_t error = runtime_prepare_launch(function, arguments, &op.launch);

    return error == cudaSuccess ? runtime_submit(configuration->stream, &op) : error;
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
    struct configuration configuration = {grid, block, shared_bytes, stream, false, popped_site};

    runtime_enter(RUNTIME_CALL_cudaLaunchKernel);
    popped_site = 0;
    return runtime_leave(launch(function, &configuration, arguments));
}

cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block,
                                        void **arguments, size_t shared_bytes, cudaStream_t stream)
{
    struct configuration configuration = {grid, block, shared_bytes, stream, true, 0};

    runtime_enter(RUNTIME_CALL_cudaLaunchCooperativeKernel);
    return runtime_leave(launch(function, &configuration, arguments));
}

/* True for attributes that do not change what a launch computes: hints, leave to overlap with what
 * came before (which this device never does), clusters of one block. */
static bool is_harmless(const cudaLaunchAttribute *attribute)
{
    static const cudaLaunchAttributeID harmless[] = {
        cudaLaunchAttributeIgnore,
        cudaLaunchAttributeAccessPolicyWindow,
        cudaLaunchAttributeSynchronizationPolicy,
        cudaLaunchAttributeClusterSchedulingPolicyPreference,
        cudaLaunchAttributeProgrammaticStreamSerialization,
        cudaLaunchAttributePriority,
        cudaLaunchAttributeMemSyncDomainMap,
        cudaLaunchAttributeMemSyncDomain,
#if CUDART_VERSION >= 13000
        cudaLaunchAttributePreferredSharedMemoryCarveout,
#endif
    };

    for (size_t i = 0; i < sizeof(harmless) / sizeof(harmless[0]); i++) {
        if (attribute->id == harmless[i]) {
            return true;
        }
    }
    return attribute->id == cudaLaunchAttributeClusterDimension &&
           attribute->val.clusterDim.x == 1 && attribute->val.clusterDim.y == 1 &&
           attribute->val.clusterDim.z == 1;
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function,
                                void **arguments)
{
    runtime_enter(RUNTIME_CALL_cudaLaunchKernelExC);
    if (config == NULL || (config->numAttrs > 0 && config->attrs == NULL)) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER));
    }
    bool is_cooperative = false;
    for (unsigned i = 0; i < config->numAttrs; i++) {
        if (config->attrs[i].id == cudaLaunchAttributeCooperative) {
            is_cooperative = config->attrs[i].val.cooperative != 0;
        } else if (!is_harmless(&config->attrs[i])) {
            return runtime_leave(runtime_refuse(cudaErrorNotSupported, REFUSAL_UNSUPPORTED));
        }
    }
    struct configuration configuration = {config->gridDim,          config->blockDim,
                                          config->dynamicSmemBytes, config->stream,
                                          is_cooperative,           0};
    return runtime_leave(launch(function, &configuration, arguments));
}
