/* calls_memory.c: allocations on the device, managed ones, and what is known of pointers. */
#include "cudart/runtime.h"

enum { PITCH_ALIGNMENT = 512 };

cudaError_t runtime_allocate_mirror(enum mirror_kind kind, unsigned flags, size_t bytes,
                                    uint64_t *out_address)
{
    uint64_t address = 0;
    cudaError_t error = runtime_allocate(bytes, &address);
    struct mirror mirror = {
        .kind = kind,
        .flags = flags,
        .host = (uint8_t *)(uintptr_t)address,
        .device = address,
        .bytes = bytes,
    };

    if (error != cudaSuccess) {
        return error;
    }
    error = mirror_add(&mirror);
    if (error != cudaSuccess) {
        runtime_free(address);
        return runtime_refuse(error, REFUSAL_HOST_MEMORY);
    }
    *out_address = address;
    return cudaSuccess;
}

static cudaError_t allocate(void **out_pointer, size_t bytes)
{
    uint64_t address = 0;

    if (out_pointer == NULL) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER);
    }
    /* As the real runtime: nothing asked for, nothing given, no error. */
    cudaError_t error = bytes == 0 ? runtime_ready() : runtime_allocate(bytes, &address);
    if (error == cudaSuccess) {
        *out_pointer = (void *)(uintptr_t)address;
    }
    return error;
}

static cudaError_t release(void *pointer)
{
    struct mirror *mirror = pointer == NULL ? NULL : mirror_find(pointer);

    if (pointer == NULL) {
        return runtime_ready();
    }
    if (mirror != NULL && mirror->kind != MIRROR_MANAGED) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_HOST_POINTER);
    }
    cudaError_t error = runtime_free((uint64_t)(uintptr_t)pointer);
    if (error == cudaSuccess && mirror != NULL) {
        mirror_remove(mirror);
    }
    if (error == cudaSuccess) {
        runtime_pool_forget((uint64_t)(uintptr_t)pointer);
    }
    /* Freeing waits for the device. */
    return error == cudaSuccess ? mirrors_pull() : error;
}

cudaError_t cudaMalloc(void **pointer, size_t bytes)
{
    runtime_enter(RUNTIME_CALL_cudaMalloc);
    return runtime_leave(allocate(pointer, bytes));
}

cudaError_t cudaFree(void *pointer)
{
    runtime_enter(RUNTIME_CALL_cudaFree);
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

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pitched, struct cudaExtent extent)
{
    size_t pitch, slice, bytes;
    void *pointer = NULL;

    runtime_enter(RUNTIME_CALL_cudaMalloc3D);
    if (pitched == NULL) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER));
    }
    if (__builtin_add_overflow(extent.width, (size_t)PITCH_ALIGNMENT - 1, &pitch)) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE));
    }
    pitch = pitch / PITCH_ALIGNMENT * PITCH_ALIGNMENT;
    if (__builtin_mul_overflow(pitch, extent.height, &slice) ||
        __builtin_mul_overflow(slice, extent.depth, &bytes)) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE));
    }
    cudaError_t error = allocate(&pointer, bytes);
    if (error == cudaSuccess) {
        *pitched = (struct cudaPitchedPtr){
            .ptr = pointer, .pitch = pitch, .xsize = extent.width, .ysize = extent.height};
    }
    return runtime_leave(error);
}

cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned flags)
{
    uint64_t address = 0;

    runtime_enter(RUNTIME_CALL_cudaMallocManaged);
    if (pointer == NULL || bytes == 0 ||
        (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE));
    }
    cudaError_t error = runtime_allocate_mirror(MIRROR_MANAGED, flags, bytes, &address);
    if (error == cudaSuccess) {
        *pointer = (void *)(uintptr_t)address;
    }
    return runtime_leave(error);
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

/* Fills the attributes of a pointer into device memory. */
static cudaError_t describe_device_pointer(struct cudaPointerAttributes *out, const void *pointer)
{
    struct message reply,
        request = {.type = CLIENT_FIND, .words = {0, (uint64_t)(uintptr_t)pointer}};
    cudaError_t error = runtime_request(&request, &reply);

    if (error == cudaSuccess && reply.words[1] != 0) {
        out->type = cudaMemoryTypeDevice;
        out->device = 0;
        out->devicePointer = (void *)(uintptr_t)pointer;
    }
    return error;
}

static cudaError_t describe_mirror(struct cudaPointerAttributes *out, struct mirror *mirror,
                                   const void *pointer)
{
    uint64_t address = (uint64_t)(uintptr_t)pointer;
    cudaError_t error = mirror_open(mirror);

    if (error == cudaSuccess) {
        bool is_host = address - (uint64_t)(uintptr_t)mirror->host < mirror->bytes;
        uint64_t offset = address - (is_host ? (uint64_t)(uintptr_t)mirror->host : mirror->device);

        out->type = mirror->kind == MIRROR_MANAGED ? cudaMemoryTypeManaged : cudaMemoryTypeHost;
        out->device = 0;
        out->devicePointer = (void *)(uintptr_t)(mirror->device + offset);
        out->hostPointer = mirror->host + offset;
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
    struct mirror *mirror = mirror_find(pointer);
    *attributes = (struct cudaPointerAttributes){.type = cudaMemoryTypeUnregistered, .device = -2};
    if (mirror != NULL) {
        error = describe_mirror(attributes, mirror, pointer);
    } else if (runtime_is_device_address(pointer)) {
        error = describe_device_pointer(attributes, pointer);
    }
    return runtime_leave(error);
}

/* True for an address in managed memory. */
static bool is_managed(const void *pointer)
{
    const struct mirror *mirror = mirror_find(pointer);

    return mirror != NULL && mirror->kind == MIRROR_MANAGED;
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
    if (!is_managed(pointer)) {
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
    if (!is_managed(pointer)) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_HOST_POINTER));
    }
    return runtime_leave(cudaSuccess);
}

/* Where managed memory lies: nothing was advised, as far as this device knows. */
cudaError_t cudaMemRangeGetAttribute(void *data, size_t data_bytes,
                                     enum cudaMemRangeAttribute attribute, const void *pointer,
                                     size_t bytes)
{
    int value = attribute == cudaMemRangeAttributeReadMostly ? 0 : cudaInvalidDeviceId;

    (void)bytes;
    runtime_enter(RUNTIME_CALL_cudaMemRangeGetAttribute);
    if (data == NULL || data_bytes != sizeof(value) || pointer == NULL || !is_managed(pointer)) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE));
    }
    *(int *)data = value;
    return runtime_leave(runtime_ready());
}
