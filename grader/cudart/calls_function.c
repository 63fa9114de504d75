/* calls_function.c: questions about kernels: attributes and occupancy. */
#include "cudart/runtime.h"

#include <string.h>

/* Finds a kernel and asks the device about it once. */
static cudaError_t open_kernel(const void *function, const void *out,
                               struct runtime_kernel **out_kernel)
{
    if (out == NULL) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER);
    }
    *out_kernel = function == NULL ? NULL : runtime_find_kernel(function);
    if (*out_kernel == NULL) {
        return runtime_refuse(cudaErrorInvalidDeviceFunction, REFUSAL_FUNCTION);
    }
    return runtime_resolve_kernel(*out_kernel);
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *function)
{
    struct runtime_kernel *kernel;
    struct message reply, request = {.type = CLIENT_ATTRIBUTES};

    runtime_enter(RUNTIME_CALL_cudaFuncGetAttributes);
    cudaError_t error = open_kernel(function, attributes, &kernel);
    if (error == cudaSuccess) {
        request.words[1] = kernel->handle;
        error = runtime_request(&request, &reply);
    }
    if (error == cudaSuccess) {
        memset(attributes, 0, sizeof(*attributes));
        attributes->sharedSizeBytes = (size_t)reply.words[0];
        attributes->constSizeBytes = (size_t)reply.words[1];
        attributes->localSizeBytes = (size_t)reply.words[2];
        attributes->maxThreadsPerBlock = (int)reply.words[3];
        attributes->numRegs = (int)reply.words[4];
        attributes->ptxVersion = (int)reply.words[5];
        attributes->binaryVersion = (int)reply.words[6];
        attributes->maxDynamicSharedSizeBytes = (int)reply.words[7];
        attributes->preferredShmemCarveout = cudaSharedmemCarveoutDefault;
    }
    return runtime_leave(error);
}

static cudaError_t set_attribute(const struct runtime_kernel *kernel,
                                 enum cudaFuncAttribute attribute, int value)
{
    const uint64_t words[] = {kernel->handle, (uint64_t)(value < 0 ? 0 : value)};

    switch (attribute) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
        return value < 0 ? runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE)
                         : runtime_ask(CLIENT_SET_SHARED, words, 2);
    case cudaFuncAttributePreferredSharedMemoryCarveout:
        /* A hint. */
        return value < -1 || value > 100 ? runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE)
                                         : cudaSuccess;
    default:
        return runtime_refuse(cudaErrorNotSupported, REFUSAL_UNSUPPORTED);
    }
}

cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute, int value)
{
    struct runtime_kernel *kernel;

    runtime_enter(RUNTIME_CALL_cudaFuncSetAttribute);
    cudaError_t error = open_kernel(function, &value, &kernel);
    return runtime_leave(error == cudaSuccess ? set_attribute(kernel, attribute, value) : error);
}

/* A hint. */
cudaError_t cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache config)
{
    struct runtime_kernel *kernel;

    runtime_enter(RUNTIME_CALL_cudaFuncSetCacheConfig);
    return runtime_leave(open_kernel(function, &config, &kernel));
}

/* All banks are 4 bytes wide. */
cudaError_t cudaFuncSetSharedMemConfig(const void *function, enum cudaSharedMemConfig config)
{
    struct runtime_kernel *kernel;

    runtime_enter(RUNTIME_CALL_cudaFuncSetSharedMemConfig);
    return runtime_leave(open_kernel(function, &config, &kernel));
}

#if CUDART_VERSION >= 12040
cudaError_t cudaFuncGetParamInfo(const void *function, size_t index, size_t *offset, size_t *bytes)
{
    struct runtime_kernel *kernel;

    runtime_enter(RUNTIME_CALL_cudaFuncGetParamInfo);
    cudaError_t error = open_kernel(function, offset, &kernel);
    if (error == cudaSuccess && index >= kernel->parameter_count) {
        error = runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE);
    }
    if (error == cudaSuccess) {
        *offset = kernel->parameters[2 * index];
    }
    if (error == cudaSuccess && bytes != NULL) {
        *bytes = kernel->parameters[2 * index + 1];
    }
    return runtime_leave(error);
}
#endif

cudaError_t cudaFuncGetName(const char **name, const void *function)
{
    struct runtime_kernel *kernel;

    runtime_enter(RUNTIME_CALL_cudaFuncGetName);
    cudaError_t error = open_kernel(function, name, &kernel);
    if (error == cudaSuccess) {
        *name = kernel->name;
    }
    return runtime_leave(error);
}

/* Asks one of the two occupancy questions; `second` is its last word. */
static cudaError_t ask_occupancy(enum client_message question, const void *function, int threads,
                                 uint64_t second, uint64_t *out_answer)
{
    struct runtime_kernel *kernel;
    struct message reply, request = {.type = question};
    cudaError_t error = open_kernel(function, out_answer, &kernel);

    if (error != cudaSuccess) {
        return error;
    }
    if (threads < 1) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE);
    }
    request.words[1] = kernel->handle;
    request.words[2] = (uint64_t)threads;
    request.words[3] = second;
    error = runtime_request(&request, &reply);
    if (error == cudaSuccess) {
        *out_answer = reply.words[0];
    }
    return error;
}

static cudaError_t active_blocks(int *out_blocks, const void *function, int threads,
                                 size_t shared_bytes)
{
    uint64_t answer = 0;

    if (out_blocks == NULL) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER);
    }
    cudaError_t error = ask_occupancy(CLIENT_OCCUPANCY, function, threads, shared_bytes, &answer);
    if (error == cudaSuccess) {
        *out_blocks = (int)answer;
    }
    return error;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function,
                                                          int threads, size_t shared_bytes)
{
    runtime_enter(RUNTIME_CALL_cudaOccupancyMaxActiveBlocksPerMultiprocessor);
    return runtime_leave(active_blocks(blocks, function, threads, shared_bytes));
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks,
                                                                   const void *function,
                                                                   int threads, size_t shared_bytes,
                                                                   unsigned flags)
{
    runtime_enter(RUNTIME_CALL_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags);
    if (flags > cudaOccupancyDisableCachingOverride) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE));
    }
    return runtime_leave(active_blocks(blocks, function, threads, shared_bytes));
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *shared_bytes, const void *function,
                                                      int blocks, int threads)
{
    uint64_t answer = 0;

    runtime_enter(RUNTIME_CALL_cudaOccupancyAvailableDynamicSMemPerBlock);
    if (shared_bytes == NULL || blocks < 1) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE));
    }
    cudaError_t error =
        ask_occupancy(CLIENT_OCCUPANCY_SHARED, function, threads, (uint64_t)blocks, &answer);
    if (error == cudaSuccess) {
        *shared_bytes = (size_t)answer;
    }
    return runtime_leave(error);
}
