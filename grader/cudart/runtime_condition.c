/* runtime_condition.c: the values by which conditional nodes decide.
 *
 *   kernel --cudaGraphSetConditional(handle, value)--> 4 bytes of device memory <--copy-- node
 *
 * A handle is the address of its value, and setting it is a store. So the device compares who sets
 * and who decides like any other work of streams. A value has users: its graph, and each node that
 * decides by it, in executable graphs too. It lives as long as one of them. */
#include "cudart/runtime_graph.h"

#include <stdlib.h>

static struct runtime_registry values;

static cudaError_t no_memory(void)
{
    return runtime_refuse(cudaErrorMemoryAllocation, REFUSAL_HOST_MEMORY);
}

void runtime_reset_conditions(void)
{
    for (size_t i = 0; i < values.count; i++) {
        ((struct condition_value *)values.entries[i].pointer)->address = 0;
    }
}

void condition_end_use(struct condition_value *value)
{
    value->users--;
    if (value->users == 0) {
        if (value->address != 0) {
            runtime_free_pooled(value->address);
        }
        registry_remove(&values, value);
        free(value);
    }
}

void conditions_forget(const struct CUgraph_st *graph)
{
    for (size_t i = values.count; i > 0; i--) {
        struct condition_value *value = values.entries[i - 1].pointer;
        if (value->graph == graph) {
            value->graph = NULL;
            condition_end_use(value);
        }
    }
}

struct condition_value *condition_find(cudaGraphConditionalHandle handle)
{
    for (size_t i = 0; i < values.count && handle != 0; i++) {
        struct condition_value *value = values.entries[i].pointer;
        if (value->address == handle) {
            return value;
        }
    }
    return NULL;
}

cudaError_t condition_make(const struct CUgraph_st *graph, unsigned initial, bool is_reset,
                           struct condition_value **out_value)
{
    uint64_t address = 0;
    cudaError_t error = runtime_allocate(sizeof(unsigned), &address);

    if (error != cudaSuccess) {
        return error;
    }
    struct condition_value *value = calloc(1, sizeof(*value));

    if (value == NULL || !registry_add(&values, value, 0)) {
        free(value);
        runtime_free(address);
        return no_memory();
    }
    *value = (struct condition_value){address, graph, initial, is_reset, false, 1};
    *out_value = value;
    return cudaSuccess;
}
