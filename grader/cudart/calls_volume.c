/* calls_volume.c: copies of boxes. A box is slices of rows; arrays, which only textures use, are
 * refused. */
#include "cudart/runtime.h"

#include <string.h>

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

cudaError_t runtime_volume_copy(const struct cudaMemcpy3DParms *from, struct runtime_copy *out)
{
    uint8_t *target = NULL, *source = NULL;
    struct runtime_copy copy = {
        .target_pitch = from->dstPtr.pitch,
        .source_pitch = from->srcPtr.pitch,
        .width = from->extent.depth == 0 ? 0 : from->extent.width,
        .rows = from->extent.height,
        .slices = from->extent.depth,
        .kind = from->kind,
    };

    if (from->srcArray != NULL || from->dstArray != NULL) {
        return runtime_refuse(cudaErrorNotSupported, REFUSAL_UNSUPPORTED);
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

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *parameters)
{
    struct runtime_copy copy;

    runtime_enter(RUNTIME_CALL_cudaMemcpy3D);
    if (parameters == NULL) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER));
    }
    cudaError_t error = runtime_volume_copy(parameters, &copy);
    return runtime_leave(error == cudaSuccess ? runtime_copy_and_wait(&copy) : error);
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *parameters, cudaStream_t stream)
{
    struct runtime_op op = {.kind = OP_COPY};

    runtime_enter(RUNTIME_CALL_cudaMemcpy3DAsync);
    if (parameters == NULL) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER));
    }
    cudaError_t error = runtime_volume_copy(parameters, &op.copy);
    return runtime_leave(error == cudaSuccess ? runtime_submit(stream, &op) : error);
}
