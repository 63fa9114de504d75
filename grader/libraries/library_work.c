/* library_work.c: see library_work.h. */
#include "libraries/library_work.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Has the device say whether all of an area is there, and written if it is read. */
static cudaError_t ask_device(const struct library_area *area, uint64_t address, bool is_read)
{
    const bool is_whole = area->columns == 1 || area->stride == area->rows;
    const uint64_t rows = is_whole ? area->rows * area->columns : area->rows;
    const uint64_t words[] = {address,
                              area->stride * area->element_bytes,
                              rows * area->element_bytes,
                              is_whole ? 1 : area->columns,
                              area->element_bytes,
                              is_read && !area->is_part,
                              client_operand_pack(area->operand)};

    return runtime_ask(CLIENT_TOUCH, words, sizeof(words) / sizeof(words[0]));
}

/* The same of memory that exists twice, where everything counts as written: what is too small is
 * given its place on the device, which says so. */
static cudaError_t check_mirror(const struct library_area *area, struct mirror *mirror,
                                size_t extent)
{
    const uint64_t start = (uint64_t)(uintptr_t)area->address;
    const uint64_t host = (uint64_t)(uintptr_t)mirror->host;
    const bool is_host = start - host < mirror->bytes;
    const uint64_t offset = start - (is_host ? host : mirror->device);

    if (extent <= mirror->bytes - offset) {
        return runtime_ready();
    }
    const cudaError_t error = mirror_open(mirror);
    return error == cudaSuccess ? ask_device(area, mirror->device + offset, false) : error;
}

/* Checks that all of an area is there, before memory is taken for it; says how large it is. */
static cudaError_t check_area(const struct library_area *area, bool is_read, size_t *out_bytes)
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
        return check_mirror(area, mirror, extent);
    }
    if (mirror == NULL && !runtime_is_device_address(area->address)) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_HOST_ADDRESS);
    }
    return ask_device(area, (uint64_t)(uintptr_t)area->address, is_read);
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

static cudaError_t make_room(const struct library_area *area, bool is_read, void **out_bytes)
{
    size_t bytes = 0;
    cudaError_t error = check_area(area, is_read, &bytes);

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

cudaError_t library_room(const struct library_area *area, void **out_bytes)
{
    return make_room(area, false, out_bytes);
}

cudaError_t library_fetch(const struct library_area *area, void **out_bytes)
{
    struct runtime_copy copy = copy_of(area);
    void *room = NULL;
    cudaError_t error = make_room(area, true, &room);

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
