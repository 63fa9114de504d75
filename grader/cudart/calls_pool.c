/* calls_pool.c: allocations in stream order and their pools. The device executes in the order of
 * the calls, so memory is there when the call returns, and a pool only counts what it gave out. */
#include "cudart/runtime_graph.h"
#include "cudart/runtime_pool.h"

#include <stdlib.h>

static struct pool default_pool = {.reuses = {1, 1, 1}};
static struct pool *current_pool = &default_pool;
static struct runtime_registry pools;

static struct pool *pool_of(cudaMemPool_t handle)
{
    struct pool *pool = (struct pool *)(void *)handle;

    return pool == &default_pool || (pool != NULL && registry_contains(&pools, pool)) ? pool : NULL;
}

static cudaError_t no_pool(void)
{
    return runtime_refuse(cudaErrorInvalidValue, REFUSAL_POOL);
}

void runtime_reset_pools(void)
{
    for (size_t i = 0; i < pools.count; i++) {
        free(pools.entries[i].pointer);
    }
    pools.count = 0;
    pool_forget_all();
    default_pool = (struct pool){.reuses = {1, 1, 1}};
    current_pool = &default_pool;
}

/* The allocation that a stream captures. */
static cudaError_t capture_allocation(void **out_pointer, size_t bytes, cudaStream_t stream)
{
    struct runtime_op op = {.kind = OP_ALLOCATE};
    cudaError_t error = runtime_reserve_for_graph(bytes, &op.memory);

    if (error == cudaSuccess) {
        error = runtime_submit(stream, &op);
    }
    if (error == cudaSuccess) {
        *out_pointer = (void *)(uintptr_t)op.memory.address;
    }
    return error;
}

static cudaError_t allocate_from(struct pool *pool, void **out_pointer, size_t bytes,
                                 cudaStream_t stream)
{
    uint64_t address = 0;

    if (!runtime_stream_exists(stream)) {
        return runtime_refuse(cudaErrorInvalidResourceHandle, REFUSAL_NO_STREAM);
    }
    if (out_pointer == NULL) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER);
    }
    if (runtime_capture_of(stream) != NULL && bytes > 0) {
        return capture_allocation(out_pointer, bytes, stream);
    }
    cudaError_t error = bytes == 0 ? runtime_ready() : runtime_allocate(bytes, &address);
    if (error == cudaSuccess && bytes > 0 && !pool_note(address, bytes, pool)) {
        runtime_free(address);
        error = runtime_refuse(cudaErrorMemoryAllocation, REFUSAL_HOST_MEMORY);
    }
    if (error == cudaSuccess) {
        pool_tell_whole(address, bytes, runtime_stream_number(stream));
        *out_pointer = (void *)(uintptr_t)address;
    }
    return error;
}

cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream)
{
    runtime_enter(RUNTIME_CALL_cudaMallocAsync);
    return runtime_leave(allocate_from(current_pool, pointer, bytes, stream));
}

cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t bytes, cudaMemPool_t handle,
                                    cudaStream_t stream)
{
    runtime_enter(RUNTIME_CALL_cudaMallocFromPoolAsync);
    struct pool *pool = pool_of(handle);
    return runtime_leave(pool == NULL ? no_pool() : allocate_from(pool, pointer, bytes, stream));
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream)
{
    struct runtime_op op = {.kind = OP_FREE, .memory = {.address = (uint64_t)(uintptr_t)pointer}};
    cudaError_t error = cudaSuccess;

    runtime_enter(RUNTIME_CALL_cudaFreeAsync);
    if (!runtime_stream_exists(stream)) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidResourceHandle, REFUSAL_NO_STREAM));
    }
    if (pointer == NULL) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER));
    }
    if (mirror_find(pointer) != NULL) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_HOST_POINTER));
    }
    if (runtime_capture_of(stream) != NULL) {
        error = graph_check_free(runtime_capture_of(stream), op.memory.address);
    }
    return runtime_leave(error == cudaSuccess ? runtime_submit(stream, &op) : error);
}

/* Checks a question after a pool of the device. */
static cudaError_t check_device(const void *out, int device)
{
    if (out == NULL) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER);
    }
    return device == 0 ? runtime_ready()
                       : runtime_refuse(cudaErrorInvalidDevice, REFUSAL_NO_DEVICE);
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
    runtime_enter(RUNTIME_CALL_cudaDeviceGetDefaultMemPool);
    cudaError_t error = check_device(pool, device);
    if (error == cudaSuccess) {
        *pool = (cudaMemPool_t)(void *)&default_pool;
    }
    return runtime_leave(error);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
    runtime_enter(RUNTIME_CALL_cudaDeviceGetMemPool);
    cudaError_t error = check_device(pool, device);
    if (error == cudaSuccess) {
        *pool = (cudaMemPool_t)(void *)current_pool;
    }
    return runtime_leave(error);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t handle)
{
    runtime_enter(RUNTIME_CALL_cudaDeviceSetMemPool);
    struct pool *pool = pool_of(handle);
    cudaError_t error = pool == NULL ? no_pool() : check_device(pool, device);
    if (error == cudaSuccess) {
        current_pool = pool;
    }
    return runtime_leave(error);
}

cudaError_t runtime_check_pool(const struct cudaMemPoolProps *properties)
{
    return properties->allocType == cudaMemAllocationTypePinned &&
                   properties->handleTypes == cudaMemHandleTypeNone &&
                   properties->location.type == cudaMemLocationTypeDevice &&
                   properties->location.id == 0
               ? cudaSuccess
               : runtime_refuse(cudaErrorNotSupported, REFUSAL_UNSUPPORTED);
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *handle, const struct cudaMemPoolProps *properties)
{
    runtime_enter(RUNTIME_CALL_cudaMemPoolCreate);
    if (handle == NULL || properties == NULL) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER));
    }
    cudaError_t error = runtime_check_pool(properties);
    if (error != cudaSuccess) {
        return runtime_leave(error);
    }
    struct pool *pool = calloc(1, sizeof(*pool));
    if (pool == NULL || !registry_add(&pools, pool, 0)) {
        free(pool);
        return runtime_leave(runtime_refuse(cudaErrorMemoryAllocation, REFUSAL_HOST_MEMORY));
    }
    *pool = default_pool;
    pool->used = pool->used_high = 0;
    *handle = (cudaMemPool_t)(void *)pool;
    return runtime_leave(runtime_ready());
}

/* What a destroyed pool gave out lives on and counts for the default pool. */
cudaError_t cudaMemPoolDestroy(cudaMemPool_t handle)
{
    struct pool *pool;

    runtime_enter(RUNTIME_CALL_cudaMemPoolDestroy);
    pool = pool_of(handle);
    if (pool == NULL || pool == &default_pool) {
        return runtime_leave(no_pool());
    }
    pool_move(pool, &default_pool);
    current_pool = current_pool == pool ? &default_pool : current_pool;
    registry_remove(&pools, pool);
    free(pool);
    return runtime_leave(cudaSuccess);
}

/* An attribute that is a switch; NULL if it is none. */
static int *switch_of(struct pool *pool, enum cudaMemPoolAttr attribute)
{
    switch (attribute) {
    case cudaMemPoolReuseFollowEventDependencies:
        return &pool->reuses[0];
    case cudaMemPoolReuseAllowOpportunistic:
        return &pool->reuses[1];
    case cudaMemPoolReuseAllowInternalDependencies:
        return &pool->reuses[2];
    default:
        return NULL;
    }
}

/* An attribute that is a number of bytes; NULL if it is none. What is reserved is what is used. */
static uint64_t *bytes_of(struct pool *pool, enum cudaMemPoolAttr attribute)
{
    switch (attribute) {
    case cudaMemPoolAttrReleaseThreshold:
        return &pool->release_threshold;
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrUsedMemCurrent:
        return &pool->used;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
        return &pool->used_high;
    default:
        return NULL;
    }
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t handle, enum cudaMemPoolAttr attribute,
                                    void *value)
{
    runtime_enter(RUNTIME_CALL_cudaMemPoolSetAttribute);
    struct pool *pool = pool_of(handle);
    if (pool == NULL || value == NULL) {
        return runtime_leave(no_pool());
    }
    if (switch_of(pool, attribute) != NULL) {
        *switch_of(pool, attribute) = *(const int *)value != 0;
    } else if (attribute == cudaMemPoolAttrReleaseThreshold) {
        pool->release_threshold = *(const uint64_t *)value;
    } else if (bytes_of(pool, attribute) == &pool->used_high && *(const uint64_t *)value == 0) {
        pool->used_high = pool->used;
    } else {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE));
    }
    return runtime_leave(cudaSuccess);
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t handle, enum cudaMemPoolAttr attribute,
                                    void *value)
{
    runtime_enter(RUNTIME_CALL_cudaMemPoolGetAttribute);
    struct pool *pool = pool_of(handle);
    if (pool == NULL || value == NULL) {
        return runtime_leave(no_pool());
    }
    if (switch_of(pool, attribute) != NULL) {
        *(int *)value = *switch_of(pool, attribute);
    } else if (bytes_of(pool, attribute) != NULL) {
        *(uint64_t *)value = *bytes_of(pool, attribute);
    } else {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE));
    }
    return runtime_leave(cudaSuccess);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t handle, size_t bytes)
{
    (void)bytes;
    runtime_enter(RUNTIME_CALL_cudaMemPoolTrimTo);
    return runtime_leave(pool_of(handle) == NULL ? no_pool() : runtime_ready());
}

/* The only device has access anyway. */
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t handle, const struct cudaMemAccessDesc *accesses,
                                 size_t count)
{
    runtime_enter(RUNTIME_CALL_cudaMemPoolSetAccess);
    if (pool_of(handle) == NULL) {
        return runtime_leave(no_pool());
    }
    if (accesses == NULL && count > 0) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER));
    }
    for (size_t i = 0; i < count; i++) {
        if (accesses[i].location.type != cudaMemLocationTypeDevice ||
            accesses[i].location.id != 0 || accesses[i].flags != cudaMemAccessFlagsProtReadWrite) {
            return runtime_leave(runtime_refuse(cudaErrorInvalidDevice, REFUSAL_NO_DEVICE));
        }
    }
    return runtime_leave(cudaSuccess);
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t handle,
                                 struct cudaMemLocation *location)
{
    runtime_enter(RUNTIME_CALL_cudaMemPoolGetAccess);
    if (pool_of(handle) == NULL) {
        return runtime_leave(no_pool());
    }
    if (flags == NULL || location == NULL || location->type != cudaMemLocationTypeDevice ||
        location->id != 0) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE));
    }
    *flags = cudaMemAccessFlagsProtReadWrite;
    return runtime_leave(cudaSuccess);
}

cudaError_t cudaDeviceGraphMemTrim(int device)
{
    runtime_enter(RUNTIME_CALL_cudaDeviceGraphMemTrim);
    return runtime_leave(check_device(&runtime_graph_pool, device));
}

/* What is reserved is what is used. */
static uint64_t *graph_bytes_of(enum cudaGraphMemAttributeType attribute)
{
    switch (attribute) {
    case cudaGraphMemAttrUsedMemCurrent:
    case cudaGraphMemAttrReservedMemCurrent:
        return &runtime_graph_pool.used;
    case cudaGraphMemAttrUsedMemHigh:
    case cudaGraphMemAttrReservedMemHigh:
        return &runtime_graph_pool.used_high;
    }
    return NULL;
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute,
                                           void *value)
{
    runtime_enter(RUNTIME_CALL_cudaDeviceGetGraphMemAttribute);
    cudaError_t error = check_device(value, device);
    if (error == cudaSuccess && graph_bytes_of(attribute) == NULL) {
        error = runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE);
    }
    if (error == cudaSuccess) {
        *(uint64_t *)value = *graph_bytes_of(attribute);
    }
    return runtime_leave(error);
}

/* The highest numbers alone can be set, to 0. */
cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute,
                                           void *value)
{
    runtime_enter(RUNTIME_CALL_cudaDeviceSetGraphMemAttribute);
    cudaError_t error = check_device(value, device);
    if (error == cudaSuccess && (graph_bytes_of(attribute) != &runtime_graph_pool.used_high ||
                                 *(const uint64_t *)value != 0)) {
        error = runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE);
    }
    if (error == cudaSuccess) {
        runtime_graph_pool.used_high = runtime_graph_pool.used;
    }
    return runtime_leave(error);
}
