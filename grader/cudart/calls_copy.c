/* calls_copy.c: copies; see runtime_copy.c. */
#include "cudart/runtime.h"

static struct runtime_copy plain_copy(void *target, const void *source, size_t bytes,
                                      enum cudaMemcpyKind kind)
{
    return (struct runtime_copy){.target = target,
                                 .target_pitch = bytes,
                                 .source = source,
                                 .source_pitch = bytes,
                                 .width = bytes,
                                 .rows = 1,
                                 .kind = kind};
}

static cudaError_t submit_copy(cudaStream_t stream, const struct runtime_copy *copy)
{
    struct runtime_op op = {.kind = OP_COPY, .copy = *copy};

    return runtime_submit(stream, &op);
}

cudaError_t cudaMemcpy(void *target, const void *source, size_t bytes, enum cudaMemcpyKind kind)
{
    struct runtime_copy copy = plain_copy(target, source, bytes, kind);

    runtime_enter(RUNTIME_CALL_cudaMemcpy);
    return runtime_leave(runtime_copy_and_wait(&copy));
}

cudaError_t cudaMemcpyAsync(void *target, const void *source, size_t bytes,
                            enum cudaMemcpyKind kind, cudaStream_t stream)
{
    struct runtime_copy copy = plain_copy(target, source, bytes, kind);

    runtime_enter(RUNTIME_CALL_cudaMemcpyAsync);
    return runtime_leave(submit_copy(stream, &copy));
}

cudaError_t cudaMemcpy2D(void *target, size_t target_pitch, const void *source, size_t source_pitch,
                         size_t width, size_t rows, enum cudaMemcpyKind kind)
{
    struct runtime_copy copy = {.target = target,
                                .target_pitch = target_pitch,
                                .source = source,
                                .source_pitch = source_pitch,
                                .width = width,
                                .rows = rows,
                                .kind = kind};

    runtime_enter(RUNTIME_CALL_cudaMemcpy2D);
    return runtime_leave(runtime_copy_and_wait(&copy));
}

cudaError_t cudaMemcpy2DAsync(void *target, size_t target_pitch, const void *source,
                              size_t source_pitch, size_t width, size_t rows,
                              enum cudaMemcpyKind kind, cudaStream_t stream)
{
    struct runtime_copy copy = {.target = target,
                                .target_pitch = target_pitch,
                                .source = source,
                                .source_pitch = source_pitch,
                                .width = width,
                                .rows = rows,
                                .kind = kind};

    runtime_enter(RUNTIME_CALL_cudaMemcpy2DAsync);
    return runtime_leave(submit_copy(stream, &copy));
}

/* Finds `bytes` at `offset` in a symbol. */
static cudaError_t symbol_range(const void *symbol, size_t bytes, size_t offset, void **out_start)
{
    uint64_t address = 0;
    size_t symbol_bytes = 0;
    cudaError_t error = runtime_symbol(symbol, &address, &symbol_bytes);

    if (error != cudaSuccess) {
        return error;
    }
    if (offset > symbol_bytes || bytes > symbol_bytes - offset) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_SYMBOL_RANGE);
    }
    *out_start = (void *)(uintptr_t)(address + offset);
    return cudaSuccess;
}

static cudaError_t to_symbol(const void *symbol, const void *source, size_t bytes, size_t offset,
                             enum cudaMemcpyKind kind, struct runtime_copy *out)
{
    void *start = NULL;
    cudaError_t error = symbol_range(symbol, bytes, offset, &start);

    *out = plain_copy(start, source, bytes, kind);
    return error;
}

static cudaError_t from_symbol(void *target, const void *symbol, size_t bytes, size_t offset,
                               enum cudaMemcpyKind kind, struct runtime_copy *out)
{
    void *start = NULL;
    cudaError_t error = symbol_range(symbol, bytes, offset, &start);

    *out = plain_copy(target, start, bytes, kind);
    return error;
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *source, size_t bytes, size_t offset,
                               enum cudaMemcpyKind kind)
{
    struct runtime_copy copy;

    runtime_enter(RUNTIME_CALL_cudaMemcpyToSymbol);
    cudaError_t error = to_symbol(symbol, source, bytes, offset, kind, &copy);
    return runtime_leave(error == cudaSuccess ? runtime_copy_and_wait(&copy) : error);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *source, size_t bytes,
                                    size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    struct runtime_copy copy;

    runtime_enter(RUNTIME_CALL_cudaMemcpyToSymbolAsync);
    cudaError_t error = to_symbol(symbol, source, bytes, offset, kind, &copy);
    return runtime_leave(error == cudaSuccess ? submit_copy(stream, &copy) : error);
}

cudaError_t cudaMemcpyFromSymbol(void *target, const void *symbol, size_t bytes, size_t offset,
                                 enum cudaMemcpyKind kind)
{
    struct runtime_copy copy;

    runtime_enter(RUNTIME_CALL_cudaMemcpyFromSymbol);
    cudaError_t error = from_symbol(target, symbol, bytes, offset, kind, &copy);
    return runtime_leave(error == cudaSuccess ? runtime_copy_and_wait(&copy) : error);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *target, const void *symbol, size_t bytes, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream)
{
    struct runtime_copy copy;

    runtime_enter(RUNTIME_CALL_cudaMemcpyFromSymbolAsync);
    cudaError_t error = from_symbol(target, symbol, bytes, offset, kind, &copy);
    return runtime_leave(error == cudaSuccess ? submit_copy(stream, &copy) : error);
}

cudaError_t cudaMemcpyPeer(void *target, int target_device, const void *source, int source_device,
                           size_t bytes)
{
    struct runtime_copy copy = plain_copy(target, source, bytes, cudaMemcpyDefault);

    runtime_enter(RUNTIME_CALL_cudaMemcpyPeer);
    if (target_device != 0 || source_device != 0) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidDevice, REFUSAL_NO_DEVICE));
    }
    return runtime_leave(runtime_copy_and_wait(&copy));
}

cudaError_t cudaMemcpyPeerAsync(void *target, int target_device, const void *source,
                                int source_device, size_t bytes, cudaStream_t stream)
{
    struct runtime_copy copy = plain_copy(target, source, bytes, cudaMemcpyDefault);

    runtime_enter(RUNTIME_CALL_cudaMemcpyPeerAsync);
    if (target_device != 0 || source_device != 0) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidDevice, REFUSAL_NO_DEVICE));
    }
    return runtime_leave(submit_copy(stream, &copy));
}

cudaError_t cudaGetSymbolAddress(void **pointer, const void *symbol)
{
    uint64_t address = 0;
    size_t bytes = 0;

    runtime_enter(RUNTIME_CALL_cudaGetSymbolAddress);
    if (pointer == NULL) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER));
    }
    cudaError_t error = runtime_symbol(symbol, &address, &bytes);
    if (error == cudaSuccess) {
        *pointer = (void *)(uintptr_t)address;
    }
    return runtime_leave(error);
}

cudaError_t cudaGetSymbolSize(size_t *out_bytes, const void *symbol)
{
    uint64_t address = 0;
    size_t bytes = 0;

    runtime_enter(RUNTIME_CALL_cudaGetSymbolSize);
    if (out_bytes == NULL) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER));
    }
    cudaError_t error = runtime_symbol(symbol, &address, &bytes);
    if (error == cudaSuccess) {
        *out_bytes = bytes;
    }
    return runtime_leave(error);
}
