/* library_work.c: see library_work.h. */
#include "libraries/library_work.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Checks that all of an area is there, before memory is taken for it; says how large it is. */
static cudaError_t check_area(const struct library_area *area, size_t *out_bytes)
{
    size_t bytes, extent;

    if (__builtin_mul_overflow(area->rows, area->columns, &bytes) ||
        __builtin_mul_overflow(bytes, area->element_bytes, &bytes) ||
        __builtin_mul_overflow(area->columns > 0 ? area->columns - 1 : 0, area->stride, &extent) ||
        __builtin_add_overflow(extent, area->rows, &extent) ||
        __builtin_mul_overflow(extent, area->element_bytes, &extent)) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_SIZE);
    }
    *out_bytes = bytes;
    if (bytes == 0) {
        return runtime_ready();
    }
    if (area->address == NULL) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER);
    }
    struct mirror *mirror = mirror_find(area->address);
    if (mirror != NULL && !mirror->is_lent) {
        uint8_t *here;
        return mirror_side(mirror, area->address, extent, &here);
    }
    if (mirror == NULL && !runtime_is_device_address(area->address)) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_HOST_ADDRESS);
    }
    const uint64_t words[] = {(uint64_t)(uintptr_t)area->address, extent};
    return runtime_ask(CLIENT_RANGE, words, 2);
}

/* The copy between an area and a buffer. */
static struct runtime_copy copy_of(const struct library_area *area)
{
    const bool is_whole = area->columns == 1 || area->stride == area->rows;
    const size_t width = area->rows * area->element_bytes;

    return (struct runtime_copy){
        .is_of_library = true,
        .width = is_whole ? width * area->columns : width,
        .rows = is_whole ? 1 : area->columns,
        .kind = cudaMemcpyDefault,
    };
}

cudaError_t library_room(const struct library_area *area, void **out_bytes)
{
    size_t bytes = 0;
    cudaError_t error = check_area(area, &bytes);

    if (error != cudaSuccess) {
        return error;
    }
    void *room = malloc(bytes + 1);
    if (room == NULL) {
        return runtime_refuse(cudaErrorMemoryAllocation, REFUSAL_HOST_MEMORY);
    }
    *out_bytes = room;
    return cudaSuccess;
}

cudaError_t library_fetch(const struct library_area *area, void **out_bytes)
{
    struct runtime_copy copy = copy_of(area);
    void *room = NULL;
    cudaError_t error = library_room(area, &room);

    if (error != cudaSuccess) {
        return error;
    }
    copy.target = room;
    copy.target_pitch = copy.width;
    copy.source = area->address;
    copy.source_pitch = area->stride * area->element_bytes;
    error = runtime_copy(&copy);
    if (error != cudaSuccess) {
        free(room);
        return error;
    }
    *out_bytes = room;
    return cudaSuccess;
}

cudaError_t library_store(const struct library_area *area, const void *bytes)
{
    struct runtime_copy copy = copy_of(area);

    copy.target = (void *)(uintptr_t)area->address;
    copy.target_pitch = area->stride * area->element_bytes;
    copy.source = bytes;
    copy.source_pitch = copy.width;
    return runtime_copy(&copy);
}

cudaError_t library_submit(cudaStream_t stream, cudaError_t (*work)(const void *request),
                           const void *request, size_t bytes)
{
    struct runtime_op op = {.kind = OP_LIBRARY, .library = {.work = work}};

    assert(bytes <= sizeof(op.library.request));
    memcpy(op.library.request, request, bytes);
    return runtime_submit(stream, &op);
}

void library_wait(cudaStream_t stream)
{
    const uint32_t before = runtime_set_work_stream(runtime_stream_number(stream));

    runtime_order(CLIENT_ORDER_HOST_WAITS, runtime_work_stream(), NULL, 0);
    runtime_set_work_stream(before);
}
