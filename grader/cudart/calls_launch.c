/* calls_launch.c: from `kernel<<<grid, block>>>(...)` to one message.
 *
 * nvcc turns a launch into: push the configuration, call the stub, which asks for the kernel's
 * handle, pops the configuration and launches with an array of pointers to the arguments. The
 * device has told where each parameter lies in the parameter block and how long it is.
 */
#include "cudart/runtime.h"

#include <stdlib.h>
#include <string.h>

struct configuration {
    dim3 grid, block;
    size_t shared_bytes;
    cudaStream_t stream;
    bool is_cooperative;
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
        (struct configuration){grid, block, shared_bytes, stream, false};
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

cudaError_t runtime_prepare_launch(const void *function, void **arguments,
                                   struct runtime_launch *out)
{
    struct runtime_kernel *kernel = runtime_find_kernel(function);

    if (function == NULL || kernel == NULL) {
        return runtime_refuse(cudaErrorInvalidDeviceFunction, REFUSAL_FUNCTION);
    }
    cudaError_t error = runtime_resolve_kernel(kernel);
    if (error != cudaSuccess) {
        return error;
    }
    uint64_t *words = calloc(kernel->parameter_bytes / 8 + 1, sizeof(*words));
    if (words == NULL) {
        return runtime_refuse(cudaErrorMemoryAllocation, REFUSAL_HOST_MEMORY);
    }
    if (!gather(kernel, arguments, (uint8_t *)words)) {
        free(words);
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER);
    }
    out->kernel = kernel;
    out->words = words;
    return cudaSuccess;
}

/* True if not all blocks of a cooperative launch fit on the device at once; geometry that nothing
 * can run is the device's to refuse. */
static bool is_too_large(const struct runtime_launch *launch)
{
    const struct device_properties *device = runtime_properties();
    const dim3 *grid = &launch->grid, *block = &launch->block;
    uint64_t blocks = (uint64_t)grid->x * grid->y;
    uint64_t threads = (uint64_t)block->x * block->y;

    if (block->z > 64 || threads > 1024 || grid->z > UINT16_MAX ||
        launch->shared_bytes > UINT32_MAX) {
        return false;
    }
    threads *= block->z;
    if (threads == 0 || threads > device->max_threads_per_block) {
        return false;
    }
    uint64_t each = runtime_active_blocks(launch->kernel, threads, launch->shared_bytes);
    uint64_t most = each * device->multiprocessors;

    return each > 0 && grid->z > 0 && blocks > most / grid->z;
}

cudaError_t runtime_launch(const struct runtime_launch *launch)
{
    const struct runtime_kernel *kernel = launch->kernel;
    uint64_t words[CLIENT_PARAMETERS_BYTES / 8 + 1];
    const dim3 *grid = &launch->grid, *threads = &launch->block;
    struct message reply,
        request = {
            .type = CLIENT_LAUNCH,
            .words = {0, kernel->handle, pair(grid->x, grid->y), pair(grid->z, threads->x),
                      pair(threads->y, threads->z), launch->shared_bytes, launch->is_cooperative},
            .payload = words,
            .payload_bytes = kernel->parameter_bytes,
        };

    if (kernel->parameter_bytes > CLIENT_PARAMETERS_BYTES) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE);
    }
    runtime_show_printed();
    if (launch->is_cooperative && is_too_large(launch)) {
        return runtime_refuse(cudaErrorCooperativeLaunchTooLarge, REFUSAL_COOPERATIVE);
    }
    /* Addresses may be replaced; a graph launches the same words again. */
    memcpy(words, launch->words, kernel->parameter_bytes);
    cudaError_t error = mirrors_push(words, kernel->parameter_bytes / 8);
    if (error == cudaSuccess) {
        error = runtime_request(&request, &reply);
        runtime_note_printed(error == cudaSuccess && reply.words[0] != 0);
    }
    return error == cudaSuccess ? mirrors_launched() : error;
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
    struct configuration configuration = {grid, block, shared_bytes, stream, false};

    runtime_enter(RUNTIME_CALL_cudaLaunchKernel);
    return runtime_leave(launch(function, &configuration, arguments));
}

cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block,
                                        void **arguments, size_t shared_bytes, cudaStream_t stream)
{
    struct configuration configuration = {grid, block, shared_bytes, stream, true};

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
    struct configuration configuration = {config->gridDim, config->blockDim,
                                          config->dynamicSmemBytes, config->stream, is_cooperative};
    return runtime_leave(launch(function, &configuration, arguments));
}
