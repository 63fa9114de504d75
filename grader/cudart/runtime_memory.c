/* runtime_memory.c: allocations of the device. */
#include "cudart/runtime.h"

cudaError_t runtime_allocate(size_t bytes, uint64_t *out_address)
{
    struct message reply, request = {.type = CLIENT_ALLOCATE, .words = {0, bytes}};
    cudaError_t error = runtime_request(&request, &reply);

    if (error == cudaSuccess) {
        *out_address = reply.words[0];
    }
    return error;
}

cudaError_t runtime_allocate_again(size_t bytes, uint64_t address)
{
    const uint64_t words[] = {bytes, address};

    return runtime_ask(CLIENT_ALLOCATE, words, 2);
}

cudaError_t runtime_free(uint64_t address)
{
    return runtime_ask(CLIENT_FREE, &address, 1);
}
