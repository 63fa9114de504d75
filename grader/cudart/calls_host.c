/* calls_host.c: host memory that the device knows: pinned and registered; see runtime_mirrors.c. */
#include "cudart/runtime.h"

static cudaError_t allocate_host(void **out_pointer, size_t bytes, unsigned flags)
{
    uint64_t address = 0;

    if (out_pointer == NULL) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER);
    }
    if ((flags & ~(unsigned)(cudaHostAllocPortable | cudaHostAllocMapped |
                             cudaHostAllocWriteCombined)) != 0) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE);
    }
    cudaError_t error = bytes == 0 ? runtime_ready()
                                   : runtime_allocate_mirror(MIRROR_PINNED, flags, bytes, &address);
    if (error == cudaSuccess && (flags & cudaHostAllocMapped) != 0 && address != 0) {
        error = mirror_open(mirror_find((void *)(uintptr_t)address));
    }
    if (error == cudaSuccess) {
        *out_pointer = (void *)(uintptr_t)address;
    }
    return error;
}

cudaError_t cudaMallocHost(void **pointer, size_t bytes)
{
    runtime_enter(RUNTIME_CALL_cudaMallocHost);
    return runtime_leave(allocate_host(pointer, bytes, cudaHostAllocDefault));
}

cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned flags)
{
    runtime_enter(RUNTIME_CALL_cudaHostAlloc);
    return runtime_leave(allocate_host(pointer, bytes, flags));
}

/* The mirror of a kind that starts at a pointer; NULL if there is none. */
static struct mirror *find_start(const void *pointer, enum mirror_kind kind)
{
    struct mirror *mirror = mirror_find(pointer);

    return mirror != NULL && mirror->kind == kind && mirror->host == pointer ? mirror : NULL;
}

/* Ends a mirror; its place on the device is freed too. */
static cudaError_t end_mirror(struct mirror *mirror)
{
    cudaError_t error = mirrors_pull();

    if (error == cudaSuccess && mirror->device != 0) {
        error = runtime_free(mirror->device);
    }
    if (error == cudaSuccess) {
        mirror_remove(mirror);
    }
    return error;
}

cudaError_t cudaFreeHost(void *pointer)
{
    runtime_enter(RUNTIME_CALL_cudaFreeHost);
    struct mirror *mirror = pointer == NULL ? NULL : find_start(pointer, MIRROR_PINNED);
    if (pointer == NULL) {
        return runtime_leave(runtime_ready());
    }
    return runtime_leave(mirror != NULL
                             ? end_mirror(mirror)
                             : runtime_refuse(cudaErrorInvalidValue, REFUSAL_HOST_POINTER));
}

cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned flags)
{
    const unsigned known = cudaHostRegisterPortable | cudaHostRegisterMapped |
                           cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;
    struct mirror mirror = {
        .kind = MIRROR_REGISTERED, .flags = flags, .host = pointer, .bytes = bytes};

    runtime_enter(RUNTIME_CALL_cudaHostRegister);
    if (pointer == NULL || bytes == 0) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER));
    }
    if ((flags & ~known) != 0 || runtime_is_device_address(pointer) ||
        (uintptr_t)pointer > UINTPTR_MAX - bytes) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE));
    }
    if ((flags & cudaHostRegisterIoMemory) != 0) {
        return runtime_leave(runtime_refuse(cudaErrorNotSupported, REFUSAL_UNSUPPORTED));
    }
    if (mirror_overlaps(pointer, bytes)) {
        return runtime_leave(
            runtime_refuse(cudaErrorHostMemoryAlreadyRegistered, REFUSAL_REGISTERED));
    }
    cudaError_t error = runtime_ready();
    if (error == cudaSuccess && mirror_add(&mirror) != cudaSuccess) {
        error = runtime_refuse(cudaErrorMemoryAllocation, REFUSAL_HOST_MEMORY);
    }
    return runtime_leave(error);
}

cudaError_t cudaHostUnregister(void *pointer)
{
    runtime_enter(RUNTIME_CALL_cudaHostUnregister);
    struct mirror *mirror = find_start(pointer, MIRROR_REGISTERED);
    return runtime_leave(
        mirror != NULL ? end_mirror(mirror)
                       : runtime_refuse(cudaErrorHostMemoryNotRegistered, REFUSAL_HOST_POINTER));
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags)
{
    struct mirror *mirror;

    runtime_enter(RUNTIME_CALL_cudaHostGetDevicePointer);
    if (device == NULL || host == NULL || flags != 0) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE));
    }
    mirror = mirror_find(host);
    if (mirror == NULL || mirror->kind == MIRROR_MANAGED) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_HOST_POINTER));
    }
    uint64_t offset = (uint64_t)((uint8_t *)host - mirror->host);
    cudaError_t error = mirror_open(mirror);
    if (error == cudaSuccess) {
        *device = (void *)(uintptr_t)(mirror->device + offset);
    }
    return runtime_leave(error);
}

/* With unified addressing all pinned memory is portable and mapped. */
cudaError_t cudaHostGetFlags(unsigned *flags, void *host)
{
    runtime_enter(RUNTIME_CALL_cudaHostGetFlags);
    struct mirror *mirror = host == NULL ? NULL : mirror_find(host);
    if (flags == NULL || mirror == NULL || mirror->kind == MIRROR_MANAGED) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_HOST_POINTER));
    }
    *flags = mirror->flags | cudaHostAllocPortable | cudaHostAllocMapped;
    return runtime_leave(cudaSuccess);
}
