/* calls_fill.c: fills of memory. Like copies, they end when the call returns. */
#include "cudart/runtime.h"

#include <stdlib.h>
#include <string.h>

static void fill_row(uint8_t *row, const struct runtime_fill *fill)
{
    for (size_t i = 0; i < fill->width; i++) {
        row[i] = (uint8_t)(fill->value >> 8 * (i % fill->element_bytes));
    }
}

/* Fills memory that exists twice, on this side. */
static cudaError_t fill_mirror(struct mirror *mirror, const struct runtime_fill *fill)
{
    uint8_t *here = NULL;
    size_t extent;

    if (__builtin_mul_overflow(fill->pitch, fill->rows - 1, &extent) ||
        __builtin_add_overflow(extent, fill->width, &extent)) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE);
    }
    cudaError_t error = mirror_side(mirror, fill->target, extent, &here);
    for (size_t row = 0; row < fill->rows && error == cudaSuccess; row++) {
        fill_row(here + row * fill->pitch, fill);
    }
    return error == cudaSuccess ? runtime_synchronise() : error;
}

/* Fills device memory with elements whose bytes differ: one row here, copied to each there. */
static cudaError_t fill_elements(const struct runtime_fill *fill)
{
    uint8_t *row = malloc(fill->width);
    struct runtime_copy copy = {
        .target = fill->target,
        .target_pitch = fill->pitch,
        .source = row,
        .source_pitch = fill->width,
        .width = fill->width,
        .rows = 1,
        .kind = cudaMemcpyHostToDevice,
        .slices = fill->rows,
        .target_slice = fill->pitch,
    };

    if (row == NULL) {
        return runtime_refuse(cudaErrorMemoryAllocation, REFUSAL_HOST_MEMORY);
    }
    fill_row(row, fill);
    cudaError_t error = runtime_copy(&copy);
    free(row);
    return error;
}

static cudaError_t fill_rectangle(const struct runtime_fill *fill)
{
    struct runtime_fill bytes = *fill;
    uint8_t first = (uint8_t)fill->value;
    const uint64_t words[] = {(uint64_t)(uintptr_t)fill->target, fill->pitch, fill->width,
                              fill->rows, first};
    struct mirror *mirror = fill->target == NULL ? NULL : mirror_find(fill->target);

    if (mirror != NULL) {
        return fill_mirror(mirror, fill);
    }
    for (size_t i = 1; i < fill->element_bytes; i++) {
        if ((uint8_t)(fill->value >> 8 * i) != first) {
            return fill_elements(&bytes);
        }
    }
    return runtime_ask(CLIENT_FILL, words, 5);
}

cudaError_t runtime_fill(const struct runtime_fill *fill)
{
    struct runtime_fill slice = *fill;

    if (fill->width == 0 || fill->rows == 0) {
        return runtime_ready();
    }
    if (fill->rows > 1 && fill->pitch < fill->width) {
        return runtime_refuse(cudaErrorInvalidPitchValue, REFUSAL_PITCH);
    }
    cudaError_t error = fill_rectangle(&slice);
    for (size_t i = 1; i < fill->slices && error == cudaSuccess; i++) {
        slice.target = (uint8_t *)slice.target + fill->slice;
        error = fill_rectangle(&slice);
    }
    return error;
}

static struct runtime_fill fill_of(void *target, size_t pitch, int value, size_t width, size_t rows)
{
    return (struct runtime_fill){
        .target = target,
        .pitch = pitch,
        .value = (unsigned)value & 0xff,
        .element_bytes = 1,
        .width = width,
        .rows = rows,
    };
}

static cudaError_t submit_fill(cudaStream_t stream, const struct runtime_fill *fill)
{
    struct runtime_op op = {.kind = OP_FILL, .fill = *fill};

    return runtime_submit(stream, &op);
}

cudaError_t cudaMemset(void *target, int value, size_t bytes)
{
    struct runtime_fill fill = fill_of(target, bytes, value, bytes, 1);

    runtime_enter(RUNTIME_CALL_cudaMemset);
    return runtime_leave(runtime_fill(&fill));
}

cudaError_t cudaMemsetAsync(void *target, int value, size_t bytes, cudaStream_t stream)
{
    struct runtime_fill fill = fill_of(target, bytes, value, bytes, 1);

    runtime_enter(RUNTIME_CALL_cudaMemsetAsync);
    return runtime_leave(submit_fill(stream, &fill));
}

cudaError_t cudaMemset2D(void *target, size_t pitch, int value, size_t width, size_t rows)
{
    struct runtime_fill fill = fill_of(target, pitch, value, width, rows);

    runtime_enter(RUNTIME_CALL_cudaMemset2D);
    return runtime_leave(runtime_fill(&fill));
}

cudaError_t cudaMemset2DAsync(void *target, size_t pitch, int value, size_t width, size_t rows,
                              cudaStream_t stream)
{
    struct runtime_fill fill = fill_of(target, pitch, value, width, rows);

    runtime_enter(RUNTIME_CALL_cudaMemset2DAsync);
    return runtime_leave(submit_fill(stream, &fill));
}

/* The fill of a box; false if it is too large to be one. */
static bool box_of(const struct cudaPitchedPtr *pitched, int value, const struct cudaExtent *extent,
                   struct runtime_fill *out)
{
    *out = fill_of(pitched->ptr, pitched->pitch, value, extent->width, extent->height);
    out->slices = extent->depth;
    if (extent->depth == 0) {
        out->width = 0;
    }
    return !__builtin_mul_overflow(pitched->pitch, pitched->ysize, &out->slice);
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr pitched, int value, struct cudaExtent extent)
{
    struct runtime_fill fill;

    runtime_enter(RUNTIME_CALL_cudaMemset3D);
    if (!box_of(&pitched, value, &extent, &fill)) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE));
    }
    return runtime_leave(runtime_fill(&fill));
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pitched, int value, struct cudaExtent extent,
                              cudaStream_t stream)
{
    struct runtime_fill fill;

    runtime_enter(RUNTIME_CALL_cudaMemset3DAsync);
    if (!box_of(&pitched, value, &extent, &fill)) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE));
    }
    return runtime_leave(submit_fill(stream, &fill));
}
