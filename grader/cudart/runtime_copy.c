/* runtime_copy.c: does copies.
 *
 * Every copy is one of a rectangle; a plain one has one row. The direction comes from the kind, and
 * for cudaMemcpyDefault from the addresses; memory that exists twice (runtime_mirrors.c) takes part
 * with its contents here, whatever the kind says. Copies end when the call returns, also the
 * asynchronous ones: the device executes in order.
 */
#include "cudart/runtime_array.h"

#include <string.h>

/* One end of a copy. */
struct end {
    uint64_t address;
    size_t pitch;
    bool on_device;
};

/* The bytes from the first one of some rows to the last one. */
static size_t extent_of(size_t pitch, size_t width, size_t rows)
{
    return pitch * (rows - 1) + width;
}

cudaError_t mirror_side(struct mirror *mirror, const void *pointer, size_t extent,
                        uint8_t **out_here)
{
    uint64_t host = (uint64_t)(uintptr_t)mirror->host, address = (uint64_t)(uintptr_t)pointer;
    uint64_t offset = address - host < mirror->bytes ? address - host : address - mirror->device;

    if (extent > mirror->bytes - offset) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_RANGE);
    }
    *out_here = mirror->host + offset;
    guard_open(mirror);
    return mirror_pull(mirror);
}

/* Decides on which side an end lies. `side` is 1 device, 0 host, -1 as its address says. */
static cudaError_t choose_side(const void *pointer, size_t pitch, int side, size_t extent,
                               struct end *out_end)
{
    bool is_device = runtime_is_device_address(pointer);
    struct mirror *mirror = pointer == NULL ? NULL : mirror_find(pointer);

    if (pointer == NULL) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER);
    }
    *out_end = (struct end){
        .address = (uint64_t)(uintptr_t)pointer,
        .pitch = pitch,
        .on_device = is_device || side == 1,
    };
    if (mirror != NULL && mirror->is_lent) {
        out_end->on_device = true;
        return cudaSuccess;
    }
    if (mirror != NULL) {
        uint8_t *here = NULL;
        cudaError_t error = mirror_side(mirror, pointer, extent, &here);

        out_end->address = (uint64_t)(uintptr_t)here;
        out_end->on_device = false;
        return error;
    }
    return side == 0 && is_device ? runtime_refuse(cudaErrorInvalidValue, REFUSAL_DIRECTION)
                                  : cudaSuccess;
}

/* The address of one end as work of a stream: 0 for host memory that the program may use again when
 * the call returns. */
static uint64_t work_address(const struct end *end)
{
    bool is_seen = end->on_device || mirror_find((const void *)(uintptr_t)end->address) != NULL;

    return is_seen ? end->address : 0;
}

static void tell_work(const struct runtime_copy *copy, const struct end *target,
                      const struct end *source)
{
    const uint64_t words[] = {work_address(source), source->pitch, work_address(target),
                              target->pitch,        copy->width,   copy->rows};

    runtime_order(CLIENT_ORDER_WORK, runtime_work_stream(), words, 6);
    /* A copy to pageable memory is complete when the call returns. */
    if (words[2] == 0 && !copy->is_of_library) {
        runtime_order(CLIENT_ORDER_HOST_WAITS, runtime_work_stream(), NULL, 0);
    }
}

static cudaError_t move(const struct runtime_copy *copy, const struct end *target,
                        const struct end *source)
{
    struct runtime_area area = {.width = copy->width, .rows = copy->rows};
    uint8_t *to = (uint8_t *)(uintptr_t)target->address;
    const uint8_t *from = (const uint8_t *)(uintptr_t)source->address;

    tell_work(copy, target, source);
    if (target->on_device && source->on_device) {
        const uint64_t words[] = {target->address, target->pitch, source->address,
                                  source->pitch,   copy->width,   copy->rows};
        return runtime_ask(CLIENT_COPY, words, 6);
    }
    if (target->on_device) {
        area.address = target->address;
        area.pitch = target->pitch;
        return runtime_upload(&area, from, source->pitch);
    }
    if (source->on_device) {
        area.address = source->address;
        area.pitch = source->pitch;
        return runtime_download(&area, to, target->pitch);
    }
    for (size_t row = 0; row < copy->rows; row++) {
        memmove(to + row * target->pitch, from + row * source->pitch, copy->width);
    }
    return runtime_synchronise();
}

static cudaError_t copy_rectangle(const struct runtime_copy *copy)
{
    /* By kind: the sides of target and source. */
    static const int sides[][2] = {
        [cudaMemcpyHostToHost] = {0, 0},   [cudaMemcpyHostToDevice] = {1, 0},
        [cudaMemcpyDeviceToHost] = {0, 1}, [cudaMemcpyDeviceToDevice] = {1, 1},
        [cudaMemcpyDefault] = {-1, -1},
    };
    struct end target = {0}, source = {0};
    size_t extent;

    if ((size_t)copy->kind >= sizeof(sides) / sizeof(sides[0])) {
        return runtime_refuse(cudaErrorInvalidMemcpyDirection, REFUSAL_DIRECTION);
    }
    if (copy->width == 0 || copy->rows == 0) {
        return runtime_ready();
    }
    if (copy->rows > 1 && (copy->target_pitch < copy->width || copy->source_pitch < copy->width)) {
        return runtime_refuse(cudaErrorInvalidPitchValue, REFUSAL_PITCH);
    }
    size_t pitch =
        copy->target_pitch > copy->source_pitch ? copy->target_pitch : copy->source_pitch;
    if (__builtin_mul_overflow(pitch, copy->rows, &extent) ||
        __builtin_add_overflow(extent, copy->width, &extent)) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE);
    }
    cudaError_t error =
        choose_side(copy->target, copy->target_pitch, sides[copy->kind][0],
                    extent_of(copy->target_pitch, copy->width, copy->rows), &target);
    if (error == cudaSuccess) {
        error = choose_side(copy->source, copy->source_pitch, sides[copy->kind][1],
                            extent_of(copy->source_pitch, copy->width, copy->rows), &source);
    }
    return error == cudaSuccess ? move(copy, &target, &source) : error;
}

cudaError_t runtime_copy(const struct runtime_copy *copy)
{
    struct runtime_copy slice = *copy;
    cudaError_t error = copy_rectangle(&slice);

    for (size_t i = 1; i < copy->slices && error == cudaSuccess; i++) {
        slice.target = (uint8_t *)slice.target + copy->target_slice;
        slice.source = (const uint8_t *)slice.source + copy->source_slice;
        error = copy_rectangle(&slice);
    }
    return error;
}

cudaError_t runtime_decide(uint64_t address, uint32_t highest, uint32_t *out_value)
{
    const uint64_t work[] = {address, sizeof(*out_value), 0, 0, sizeof(*out_value), 1};
    struct message reply, request = {.type = CLIENT_DECIDE, .words = {0, address, highest}};

    runtime_order(CLIENT_ORDER_WORK, runtime_work_stream(), work, 6);
    cudaError_t error = runtime_request(&request, &reply);

    *out_value = error == cudaSuccess ? (uint32_t)reply.words[0] : 0;
    return error;
}

/* True for memory that exists here, too. */
static bool is_on_host(const void *pointer)
{
    return !runtime_is_device_address(pointer) || mirror_find(pointer) != NULL;
}

cudaError_t runtime_copy_and_wait(const struct runtime_copy *copy)
{
    runtime_show_printed();
    cudaError_t error = runtime_copy(copy);

    if (is_on_host(copy->target) || is_on_host(copy->source)) {
        runtime_order(CLIENT_ORDER_HOST_WAITS, runtime_work_stream(), NULL, 0);
    }
    return error == cudaSuccess ? mirrors_pull() : error;
}

/* The first byte of a position in pitched memory, and the bytes from slice to slice; false if they
 * do not fit into numbers. */
static bool locate(const struct cudaPitchedPtr *pitched, const struct cudaPos *position,
                   uint8_t **out_start, size_t *out_slice)
{
    size_t rows, offset;

    if (__builtin_mul_overflow(pitched->pitch, pitched->ysize, out_slice) ||
        __builtin_mul_overflow(*out_slice, position->z, &offset) ||
        __builtin_mul_overflow(pitched->pitch, position->y, &rows) ||
        __builtin_add_overflow(offset, rows, &offset) ||
        __builtin_add_overflow(offset, position->x, &offset)) {
        return false;
    }
    *out_start = (uint8_t *)pitched->ptr + offset;
    return true;
}

/* Makes an array's end of a box one of pitched memory: its position counts texels. */
static cudaError_t open_array(cudaArray_t array, const struct cudaExtent *box,
                              struct cudaPos *position, struct cudaPitchedPtr *out_pitched)
{
    if (array == NULL) {
        return cudaSuccess;
    }
    if (!runtime_array_exists(array) || out_pitched->ptr != NULL) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_NO_ARRAY);
    }
    const struct texture_record *texels = &array->texels;
    if (position->x > texels->width || box->width > texels->width - position->x ||
        position->y > texels->height || box->height > texels->height - position->y ||
        position->z > texels->depth || box->depth > texels->depth - position->z) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_RANGE);
    }
    position->x *= texture_texel_bytes(texels);
    *out_pitched = (struct cudaPitchedPtr){
        .ptr = (void *)(uintptr_t)texels->address,
        .pitch = texels->pitch,
        .xsize = texels->pitch,
        .ysize = texels->height,
    };
    return cudaSuccess;
}

/* The same for both ends. Where there is an array, the width of the box counts texels too. */
static cudaError_t open_arrays(struct cudaMemcpy3DParms *copy)
{
    cudaArray_const_t array = copy->dstArray != NULL ? copy->dstArray : copy->srcArray;
    cudaError_t error = open_array(copy->dstArray, &copy->extent, &copy->dstPos, &copy->dstPtr);

    if (error == cudaSuccess) {
        error = open_array(copy->srcArray, &copy->extent, &copy->srcPos, &copy->srcPtr);
    }
    if (error != cudaSuccess || array == NULL) {
        return error;
    }
    const uint32_t texel_bytes = texture_texel_bytes(&array->texels);
    if (copy->srcArray != NULL && texture_texel_bytes(&copy->srcArray->texels) != texel_bytes) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE);
    }
    copy->extent.width *= texel_bytes;
    return cudaSuccess;
}

cudaError_t runtime_volume_copy(const struct cudaMemcpy3DParms *asked, struct runtime_copy *out)
{
    struct cudaMemcpy3DParms opened = *asked;
    const struct cudaMemcpy3DParms *from = &opened;
    cudaError_t error = open_arrays(&opened);

    uint8_t *target = NULL, *source = NULL;
    struct runtime_copy copy = {
        .target_pitch = from->dstPtr.pitch,
        .source_pitch = from->srcPtr.pitch,
        .width = from->extent.depth == 0 ? 0 : from->extent.width,
        .rows = from->extent.height,
        .slices = from->extent.depth,
        .kind = from->kind,
    };

    if (error != cudaSuccess) {
        return error;
    }
    if (from->srcPtr.ptr == NULL || from->dstPtr.ptr == NULL) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER);
    }
    if (!locate(&from->dstPtr, &from->dstPos, &target, &copy.target_slice) ||
        !locate(&from->srcPtr, &from->srcPos, &source, &copy.source_slice)) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE);
    }
    copy.target = target;
    copy.source = source;
    *out = copy;
    return cudaSuccess;
}
