/* calls_pool.c: allocations in stream order and their pools. The device executes in the order of
 * the calls, so memory is there when the call returns, and a pool only counts what it gave out. */
#include "cudart/runtime.h"

#include <stdlib.h>

struct pool {
    uint64_t release_threshold; /* kept for the program to read */
    int reuses[3];              /* the three switches of reuse, likewise */
    uint64_t used, used_high;
};

static struct pool default_pool = {.reuses = {1, 1, 1}};
static struct pool *current_pool = &default_pool;
static struct runtime_registry pools;

/* Allocations from pools: bytes of each, and which pool it counts for. */
struct pooled {
    uint64_t address;
    struct pool *pool;
    size_t bytes;
};
static struct pooled *pooled; /* [pooled_count], owned */
static size_t pooled_count, pooled_capacity;

static struct pool *pool_of(cudaMemPool_t handle)
{
    struct pool *pool = (struct pool *)(void *)handle;

    return pool == &default_pool || (pool != NULL && registry_contains(&pools, pool)) ? pool : NULL;
}

static cudaError_t no_pool(void)
{
    return runtime_refuse(cudaErrorInvalidValue, REFUSAL_POOL);
}

static bool note(uint64_t address, size_t bytes, struct pool *pool)
{
    if (pooled_count == pooled_capacity) {
        size_t capacity = pooled_capacity == 0 ? 64 : pooled_capacity * 2;
        struct pooled *grown = reallocarray(pooled, capacity, sizeof(*grown));

        if (grown == NULL) {
            return false;
        }
        pooled = grown;
        pooled_capacity = capacity;
    }
    pooled[pooled_count++] = (struct pooled){address, pool, bytes};
    pool->used += bytes;
    pool->used_high = pool->used > pool->used_high ? pool->used : pool->used_high;
    return true;
}

void runtime_pool_forget(uint64_t address)
{
    for (size_t i = pooled_count; i > 0; i--) {
        if (pooled[i - 1].address == address) {
            pooled[i - 1].pool->used -= pooled[i - 1].bytes;
            pooled[i - 1] = pooled[--pooled_count];
            return;
        }
    }
}

void runtime_reset_pools(void)
{
    for (size_t i = 0; i < pools.count; i++) {
        free(pools.entries[i].pointer);
    }
    pools.count = 0;
    pooled_count = 0;
    default_pool = (struct pool){.reuses = {1, 1, 1}};
    current_pool = &default_pool;
}

/* Memory that a stream gets or gives back is not for others before or after: as if all of it were
 * written. */
static void tell_whole(uint64_t address, uint64_t bytes, cudaStream_t stream)
{
    const uint64_t words[] = {0, 0, address, bytes, bytes, 1};

    runtime_order(CLIENT_ORDER_WORK, runtime_stream_number(stream), words, 6);
}

static cudaError_t allocate_from(struct pool *pool, void **out_pointer, size_t bytes,
                                 cudaStream_t stream)
{
    uint64_t address = 0;

    if (!runtime_stream_exists(stream)) {
        return runtime_refuse(cudaErrorInvalidResourceHandle, REFUSAL_NO_STREAM);
    }
    if (runtime_capture_of(stream) != NULL) {
        return runtime_refuse(cudaErrorNotSupported, REFUSAL_GRAPH_MEMORY);
    }
    if (out_pointer == NULL) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER);
    }
    cudaError_t error = bytes == 0 ? runtime_ready() : runtime_allocate(bytes, &address);
    if (error == cudaSuccess && bytes > 0 && !note(address, bytes, pool)) {
        runtime_free(address);
        error = runtime_refuse(cudaErrorMemoryAllocation, REFUSAL_HOST_MEMORY);
    }
    if (error == cudaSuccess) {
        tell_whole(address, bytes, stream);
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
    uint64_t address = (uint64_t)(uintptr_t)pointer;

    runtime_enter(RUNTIME_CALL_cudaFreeAsync);
    if (!runtime_stream_exists(stream)) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidResourceHandle, REFUSAL_NO_STREAM));
    }
    if (runtime_capture_of(stream) != NULL) {
        return runtime_leave(runtime_refuse(cudaErrorNotSupported, REFUSAL_GRAPH_MEMORY));
    }
    if (pointer == NULL) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER));
    }
    if (mirror_find(pointer) != NULL) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_HOST_POINTER));
    }
    for (size_t i = 0; i < pooled_count; i++) {
        if (pooled[i].address == address) {
            tell_whole(address, pooled[i].bytes, stream);
        }
    }
    runtime_set_stream(runtime_stream_number(stream));
    cudaError_t error = runtime_free(address);
    runtime_set_stream(0);
    if (error == cudaSuccess) {
        runtime_pool_forget(address);
    }
    return runtime_leave(error);
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

cudaError_t cudaMemPoolCreate(cudaMemPool_t *handle, const struct cudaMemPoolProps *properties)
{
    runtime_enter(RUNTIME_CALL_cudaMemPoolCreate);
    if (handle == NULL || properties == NULL) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER));
    }
    if (properties->allocType != cudaMemAllocationTypePinned ||
        properties->handleTypes != cudaMemHandleTypeNone ||
        properties->location.type != cudaMemLocationTypeDevice || properties->location.id != 0) {
        return runtime_leave(runtime_refuse(cudaErrorNotSupported, REFUSAL_UNSUPPORTED));
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
    for (size_t i = 0; i < pooled_count; i++) {
        if (pooled[i].pool == pool) {
            pooled[i].pool = &default_pool;
            default_pool.used += pooled[i].bytes;
        }
    }
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
