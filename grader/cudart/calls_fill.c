/* calls_fill.c: fills of memory. Like copies, they end when the call returns. */
#include "cudart/runtime.h"

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

/* The host waits for a fill of memory that it shares with the device, and for no other. */
cudaError_t runtime_fill_and_wait(const struct runtime_fill *fill)
{
    cudaError_t error = runtime_fill(fill);

    if (fill->target != NULL && mirror_find(fill->target) != NULL) {
        runtime_order(CLIENT_ORDER_HOST_WAITS, runtime_work_stream(), NULL, 0);
    }
    return error;
}

cudaError_t cudaMemset(void *target, int value, size_t bytes)
{
    struct runtime_fill fill = fill_of(target, bytes, value, bytes, 1);

    runtime_enter(RUNTIME_CALL_cudaMemset);
    return runtime_leave(runtime_fill_and_wait(&fill));
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
    return runtime_leave(runtime_fill_and_wait(&fill));
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
    return runtime_leave(runtime_fill_and_wait(&fill));
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
