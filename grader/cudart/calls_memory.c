/* calls_memory.c: allocations: on the device, on the host, and managed ones. */
#include "cudart/runtime.h"

#include <stdlib.h>

enum { HOST_ALIGNMENT = 4096, PITCH_ALIGNMENT = 512 };

static struct runtime_registry host_blocks;

static cudaError_t allocate(void **out_pointer, size_t bytes)
{
    struct message reply, request = {.type = CLIENT_ALLOCATE, .words = {0, bytes}};

    if (out_pointer == NULL) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER);
    }
    /* As the real runtime: nothing asked for, nothing given, no error. */
    if (bytes == 0) {
        *out_pointer = NULL;
        return runtime_connect();
    }
    cudaError_t error = runtime_request(&request, &reply);
    if (error == cudaSuccess) {
        *out_pointer = (void *)(uintptr_t)reply.words[0];
    }
    return error;
}

static cudaError_t release(void *pointer)
{
    uint64_t address = (uint64_t)(uintptr_t)pointer;

    if (pointer == NULL) {
        return runtime_connect();
    }
    cudaError_t error = runtime_ask(CLIENT_FREE, &address, 1);
    if (error == cudaSuccess) {
        runtime_managed_remove(address);
    }
    return error;
}

cudaError_t cudaMalloc(void **pointer, size_t bytes)
{
    runtime_enter(RUNTIME_CALL_cudaMalloc);
    return runtime_leave(allocate(pointer, bytes));
}

cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream)
{
    runtime_enter(RUNTIME_CALL_cudaMallocAsync);
    if (!runtime_stream_exists(stream)) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidResourceHandle, REFUSAL_NO_STREAM));
    }
    return runtime_leave(allocate(pointer, bytes));
}

cudaError_t cudaFree(void *pointer)
{
    runtime_enter(RUNTIME_CALL_cudaFree);
    return runtime_leave(release(pointer));
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream)
{
    runtime_enter(RUNTIME_CALL_cudaFreeAsync);
    if (!runtime_stream_exists(stream)) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidResourceHandle, REFUSAL_NO_STREAM));
    }
    return runtime_leave(release(pointer));
}

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height)
{
    size_t row, bytes;

    runtime_enter(RUNTIME_CALL_cudaMallocPitch);
    if (pitch == NULL) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER));
    }
    if (__builtin_add_overflow(width, (size_t)PITCH_ALIGNMENT - 1, &row) ||
        __builtin_mul_overflow(row / PITCH_ALIGNMENT * PITCH_ALIGNMENT, height, &bytes)) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE));
    }
    cudaError_t error = allocate(pointer, bytes);
    if (error == cudaSuccess) {
        *pitch = row / PITCH_ALIGNMENT * PITCH_ALIGNMENT;
    }
    return runtime_leave(error);
}

cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned flags)
{
    void *block = NULL;

    runtime_enter(RUNTIME_CALL_cudaMallocManaged);
    if (pointer == NULL || bytes == 0 ||
        (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE));
    }
    /* A block that joins while the others' newer contents are on the device would be fetched before
     * it was ever sent. */
    cudaError_t error = runtime_managed_pull();
    if (error == cudaSuccess) {
        error = allocate(&block, bytes);
    }
    if (error == cudaSuccess) {
        error = runtime_managed_add((uint64_t)(uintptr_t)block, bytes);
        if (error != cudaSuccess) {
            release(block);
            error = runtime_refuse(error, REFUSAL_HOST_MEMORY);
        }
    }
    if (error == cudaSuccess) {
        *pointer = block;
    }
    return runtime_leave(error);
}

static cudaError_t allocate_host(void **out_pointer, size_t bytes)
{
    cudaError_t error = runtime_connect();
    void *block;

    if (error != cudaSuccess) {
        return error;
    }
    if (out_pointer == NULL) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER);
    }
    if (posix_memalign(&block, HOST_ALIGNMENT, bytes > 0 ? bytes : 1) != 0) {
        return runtime_refuse(cudaErrorMemoryAllocation, REFUSAL_HOST_MEMORY);
    }
    if (!registry_add(&host_blocks, block, bytes)) {
        free(block);
        return runtime_refuse(cudaErrorMemoryAllocation, REFUSAL_HOST_MEMORY);
    }
    *out_pointer = block;
    return cudaSuccess;
}

cudaError_t cudaMallocHost(void **pointer, size_t bytes)
{
    runtime_enter(RUNTIME_CALL_cudaMallocHost);
    return runtime_leave(allocate_host(pointer, bytes));
}

cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned flags)
{
    runtime_enter(RUNTIME_CALL_cudaHostAlloc);
    /* Host memory that a kernel could reach does not exist here. */
    if ((flags & cudaHostAllocMapped) != 0) {
        return runtime_leave(runtime_refuse(cudaErrorNotSupported, REFUSAL_UNSUPPORTED));
    }
    return runtime_leave(allocate_host(pointer, bytes));
}

cudaError_t cudaFreeHost(void *pointer)
{
    runtime_enter(RUNTIME_CALL_cudaFreeHost);
    if (pointer == NULL) {
        return runtime_leave(cudaSuccess);
    }
    if (!registry_remove(&host_blocks, pointer)) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_HOST_POINTER));
    }
    free(pointer);
    return runtime_leave(cudaSuccess);
}

static struct runtime_registry registered_blocks;

cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned flags)
{
    runtime_enter(RUNTIME_CALL_cudaHostRegister);
    if (pointer == NULL || bytes == 0) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER));
    }
    if ((flags & cudaHostRegisterMapped) != 0) {
        return runtime_leave(runtime_refuse(cudaErrorNotSupported, REFUSAL_UNSUPPORTED));
    }
    if (registry_contains(&registered_blocks, pointer)) {
        return runtime_leave(
            runtime_refuse(cudaErrorHostMemoryAlreadyRegistered, REFUSAL_HOST_POINTER));
    }
    if (!registry_add(&registered_blocks, pointer, bytes)) {
        return runtime_leave(runtime_refuse(cudaErrorMemoryAllocation, REFUSAL_HOST_MEMORY));
    }
    return runtime_leave(cudaSuccess);
}

cudaError_t cudaHostUnregister(void *pointer)
{
    runtime_enter(RUNTIME_CALL_cudaHostUnregister);
    if (!registry_remove(&registered_blocks, pointer)) {
        return runtime_leave(
            runtime_refuse(cudaErrorHostMemoryNotRegistered, REFUSAL_HOST_POINTER));
    }
    return runtime_leave(cudaSuccess);
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    struct message reply, request = {.type = CLIENT_MEMORY};

    runtime_enter(RUNTIME_CALL_cudaMemGetInfo);
    if (free_bytes == NULL || total_bytes == NULL) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER));
    }
    cudaError_t error = runtime_request(&request, &reply);
    if (error == cudaSuccess) {
        *free_bytes = (size_t)reply.words[0];
        *total_bytes = (size_t)reply.words[1];
    }
    return runtime_leave(error);
}

/* Fills the attributes of a pointer into the device window. */
static cudaError_t describe_device_pointer(struct cudaPointerAttributes *out, const void *pointer)
{
    struct message reply,
        request = {.type = CLIENT_FIND, .words = {0, (uint64_t)(uintptr_t)pointer}};
    cudaError_t error = runtime_request(&request, &reply);

    if (error == cudaSuccess && reply.words[1] != 0) {
        bool is_managed = runtime_is_managed(pointer);

        out->type = is_managed ? cudaMemoryTypeManaged : cudaMemoryTypeDevice;
        out->device = 0;
        out->devicePointer = (void *)(uintptr_t)pointer;
        out->hostPointer = is_managed ? out->devicePointer : NULL;
    }
    return error;
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer)
{
    cudaError_t error = cudaSuccess;

    runtime_enter(RUNTIME_CALL_cudaPointerGetAttributes);
    if (attributes == NULL || pointer == NULL) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER));
    }
    *attributes = (struct cudaPointerAttributes){.type = cudaMemoryTypeUnregistered, .device = -2};
    if (runtime_is_device_address(pointer)) {
        error = describe_device_pointer(attributes, pointer);
    } else if (registry_contains(&host_blocks, pointer) ||
               registry_contains(&registered_blocks, pointer)) {
        attributes->type = cudaMemoryTypeHost;
        attributes->device = 0;
        attributes->hostPointer = (void *)(uintptr_t)pointer;
    }
    return runtime_leave(error);
}

/* Hints: where managed memory lies is decided by launches and synchronisation alone. */
#if CUDART_VERSION >= 13000
cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, struct cudaMemLocation location,
                                 unsigned flags, cudaStream_t stream)
{
    (void)location;
    (void)flags;
#else
cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device, cudaStream_t stream)
{
    (void)device;
#endif
    (void)bytes;
    runtime_enter(RUNTIME_CALL_cudaMemPrefetchAsync);
    if (!runtime_stream_exists(stream)) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidResourceHandle, REFUSAL_NO_STREAM));
    }
    if (!runtime_is_managed(pointer)) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_HOST_POINTER));
    }
    return runtime_leave(cudaSuccess);
}

#if CUDART_VERSION >= 13000
cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, enum cudaMemoryAdvise advice,
                          struct cudaMemLocation location)
{
    (void)location;
#else
cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, enum cudaMemoryAdvise advice,
                          int device)
{
    (void)device;
#endif
    (void)bytes;
    (void)advice;
    runtime_enter(RUNTIME_CALL_cudaMemAdvise);
    if (!runtime_is_managed(pointer)) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_HOST_POINTER));
    }
    return runtime_leave(cudaSuccess);
}
