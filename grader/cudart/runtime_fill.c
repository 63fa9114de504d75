/* runtime_fill.c: does fills of memory. */
#include "cudart/runtime.h"

#include <stdlib.h>

/* Tells what a fill does to memory from an address on. */
static void tell_work(const struct runtime_fill *fill, const void *target)
{
    const uint64_t words[] = {0,           0,           (uint64_t)(uintptr_t)target,
                              fill->pitch, fill->width, fill->rows};

    runtime_order(CLIENT_ORDER_WORK, runtime_work_stream(), words, 6);
}

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
    if (error == cudaSuccess) {
        tell_work(fill, here);
    }
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

    if (mirror != NULL && !mirror->is_lent) {
        return fill_mirror(mirror, fill);
    }
    for (size_t i = 1; i < fill->element_bytes; i++) {
        if ((uint8_t)(fill->value >> 8 * i) != first) {
            return fill_elements(&bytes);
        }
    }
    tell_work(fill, fill->target);
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
