/* runtime_pool.c: memory of streams and graphs, and what of it counts for which pool. */
#include "cudart/runtime_pool.h"

#include <stdlib.h>

/* Allocations from pools: bytes of each, and which pool it counts for. */
struct pooled {
    uint64_t address;
    struct pool *pool;
    size_t bytes;
};
static struct pooled *pooled; /* [pooled_count], owned */
static size_t pooled_count, pooled_capacity;
struct pool runtime_graph_pool;
static struct runtime_registry of_graphs; /* addresses that graphs allocate at, with their bytes */

bool pool_note(uint64_t address, size_t bytes, struct pool *pool)
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

void pool_forget_all(void)
{
    pooled_count = 0;
    of_graphs.count = 0;
    runtime_graph_pool = (struct pool){.used = 0};
}

void pool_move(struct pool *from, struct pool *to)
{
    for (size_t i = 0; i < pooled_count; i++) {
        if (pooled[i].pool == from) {
            pooled[i].pool = to;
            to->used += pooled[i].bytes;
        }
    }
}

void pool_tell_whole(uint64_t address, uint64_t bytes, uint32_t stream)
{
    const uint64_t words[] = {0, 0, address, bytes, bytes, 1};

    runtime_order(CLIENT_ORDER_WORK, stream, words, 6);
}

bool runtime_is_pooled(uint64_t address)
{
    for (size_t i = 0; i < pooled_count; i++) {
        if (pooled[i].address == address) {
            return true;
        }
    }
    return false;
}

bool runtime_is_of_graph(uint64_t address)
{
    return registry_contains(&of_graphs, (const void *)(uintptr_t)address);
}

/* Frees in the order of the stream of the operation under way; the host does not wait. */
static cudaError_t free_in_order(uint64_t address)
{
    runtime_set_stream(runtime_work_stream());
    cudaError_t error = runtime_free(address);
    runtime_set_stream(0);
    return error;
}

cudaError_t runtime_reserve_for_graph(size_t bytes, struct runtime_graph_memory *out_memory)
{
    uint64_t address = 0;
    cudaError_t error = runtime_allocate(bytes, &address);

    if (error == cudaSuccess) {
        error = free_in_order(address);
    }
    if (error == cudaSuccess && !registry_add(&of_graphs, (void *)(uintptr_t)address, bytes)) {
        error = runtime_refuse(cudaErrorMemoryAllocation, REFUSAL_HOST_MEMORY);
    }
    if (error == cudaSuccess) {
        *out_memory = (struct runtime_graph_memory){address, bytes};
    }
    return error;
}

cudaError_t runtime_allocate_of_graph(const struct runtime_graph_memory *memory)
{
    cudaError_t error = runtime_allocate_again(memory->bytes, memory->address);

    if (error == cudaSuccess && !pool_note(memory->address, memory->bytes, &runtime_graph_pool)) {
        runtime_free(memory->address);
        error = runtime_refuse(cudaErrorMemoryAllocation, REFUSAL_HOST_MEMORY);
    }
    if (error == cudaSuccess) {
        pool_tell_whole(memory->address, memory->bytes, runtime_work_stream());
    }
    return error;
}

cudaError_t runtime_free_pooled(uint64_t address)
{
    for (size_t i = 0; i < pooled_count; i++) {
        if (pooled[i].address == address) {
            pool_tell_whole(address, pooled[i].bytes, runtime_work_stream());
        }
    }
    cudaError_t error = free_in_order(address);
    if (error == cudaSuccess) {
        runtime_pool_forget(address);
    }
    return error;
}
