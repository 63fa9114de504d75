/* calls_copy.c: copies and fills.
 *
 * Every copy is one of a rectangle; a plain one has one row. The direction comes from the kind, and
 * for managed memory and cudaMemcpyDefault from the addresses. Copies end when the call returns,
 * also the asynchronous ones: the device executes in order.
 */
#include "cudart/runtime.h"

#include <stdlib.h>
#include <string.h>

/* One end of a copy. */
struct end {
    uint64_t address;
    size_t pitch;
    bool on_device;
};

/* A copy as a call asks for it. */
struct copy {
    void *target;
    size_t target_pitch;
    const void *source;
    size_t source_pitch;
    size_t width, rows;
    enum cudaMemcpyKind kind;
};

/* Sends one piece of an area, from host rows `pitch` apart. */
static cudaError_t upload_piece(const struct runtime_area *area, const uint8_t *bytes, size_t pitch)
{
    struct message reply, request = {
                              .type = CLIENT_UPLOAD,
                              .words = {0, area->address, area->pitch, area->width, area->rows},
                              .payload = bytes,
                              .payload_bytes = area->width * area->rows,
                          };
    uint8_t *gathered = NULL;

    if (pitch != area->width && area->rows > 1) {
        gathered = malloc(request.payload_bytes);
        if (gathered == NULL) {
            return runtime_refuse(cudaErrorMemoryAllocation, REFUSAL_HOST_MEMORY);
        }
        for (size_t row = 0; row < area->rows; row++) {
            memcpy(gathered + row * area->width, bytes + row * pitch, area->width);
        }
        request.payload = gathered;
    }
    cudaError_t error = runtime_request(&request, &reply);
    free(gathered);
    return error;
}

static cudaError_t download_piece(const struct runtime_area *area, uint8_t *out_bytes, size_t pitch)
{
    struct message reply, request = {
                              .type = CLIENT_DOWNLOAD,
                              .words = {0, area->address, area->pitch, area->width, area->rows},
                          };
    cudaError_t error = runtime_request(&request, &reply);

    if (error != cudaSuccess) {
        return error;
    }
    if (reply.payload_bytes != area->width * area->rows) {
        return cudaErrorUnknown;
    }
    for (size_t row = 0; row < area->rows; row++) {
        memcpy(out_bytes + row * pitch, (const uint8_t *)reply.payload + row * area->width,
               area->width);
    }
    return cudaSuccess;
}

/* Cuts the next piece off an area: whole rows, or part of one row that is larger than a piece.
 * `row` and `column` are where it starts; they move on. */
static struct runtime_area next_piece(const struct runtime_area *area, size_t *row, size_t *column)
{
    struct runtime_area piece = {
        .address = area->address + *row * area->pitch + *column,
        .pitch = area->pitch,
        .width = area->width - *column,
        .rows = 1,
    };

    if (piece.width > CLIENT_PIECE_BYTES) {
        piece.width = CLIENT_PIECE_BYTES;
        *column += piece.width;
        return piece;
    }
    if (*column == 0) {
        size_t most = CLIENT_PIECE_BYTES / area->width;

        piece.rows = area->rows - *row < most ? area->rows - *row : most;
    }
    *column = 0;
    *row += piece.rows;
    return piece;
}

/* A copy of several pieces is checked as a whole first, so that it fails before anything moves. */
static cudaError_t check_area(const struct runtime_area *area)
{
    uint64_t words[] = {area->address, 0};

    if (area->width * area->rows <= CLIENT_PIECE_BYTES) {
        return cudaSuccess;
    }
    words[1] = area->pitch * (area->rows - 1) + area->width;
    return runtime_ask(CLIENT_RANGE, words, 2);
}

cudaError_t runtime_upload(const struct runtime_area *area, const void *bytes, size_t pitch)
{
    cudaError_t error = check_area(area);
    size_t row = 0, column = 0;

    while (error == cudaSuccess && row < area->rows) {
        const uint8_t *start = (const uint8_t *)bytes + row * pitch + column;
        struct runtime_area piece = next_piece(area, &row, &column);

        error = upload_piece(&piece, start, pitch);
    }
    return error;
}

cudaError_t runtime_download(const struct runtime_area *area, void *out_bytes, size_t pitch)
{
    cudaError_t error = check_area(area);
    size_t row = 0, column = 0;

    while (error == cudaSuccess && row < area->rows) {
        uint8_t *start = (uint8_t *)out_bytes + row * pitch + column;
        struct runtime_area piece = next_piece(area, &row, &column);

        error = download_piece(&piece, start, pitch);
    }
    return error;
}

/* Decides on which side an end lies. `side` is 1 device, 0 host, -1 as its address says. */
static cudaError_t choose_side(const void *pointer, size_t pitch, int side, struct end *out_end)
{
    bool is_device = runtime_is_device_address(pointer);

    if (pointer == NULL) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER);
    }
    if (side == 0 && is_device && !runtime_is_managed(pointer)) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_DIRECTION);
    }
    *out_end = (struct end){
        .address = (uint64_t)(uintptr_t)pointer,
        .pitch = pitch,
        .on_device = is_device || side == 1,
    };
    return cudaSuccess;
}

static cudaError_t move(const struct copy *copy, const struct end *target, const struct end *source)
{
    struct runtime_area area = {.width = copy->width, .rows = copy->rows};

    if (target->on_device && source->on_device) {
        const uint64_t words[] = {target->address, target->pitch, source->address,
                                  source->pitch,   copy->width,   copy->rows};
        return runtime_ask(CLIENT_COPY, words, 6);
    }
    if (target->on_device) {
        area.address = target->address;
        area.pitch = target->pitch;
        return runtime_upload(&area, copy->source, copy->source_pitch);
    }
    if (source->on_device) {
        area.address = source->address;
        area.pitch = source->pitch;
        return runtime_download(&area, copy->target, copy->target_pitch);
    }
    for (size_t row = 0; row < copy->rows; row++) {
        memmove((uint8_t *)copy->target + row * copy->target_pitch,
                (const uint8_t *)copy->source + row * copy->source_pitch, copy->width);
    }
    return runtime_synchronise();
}

/* Does what touches managed memory between a push and, unless a launch is under way, a pull. */
static cudaError_t move_managed(const struct copy *copy, const struct end *target,
                                const struct end *source)
{
    bool was_on_device = runtime_managed_is_on_device();
    bool is_managed = runtime_is_managed(copy->target) || runtime_is_managed(copy->source);
    cudaError_t error = is_managed ? runtime_managed_push() : cudaSuccess;

    if (error == cudaSuccess) {
        error = move(copy, target, source);
    }
    if (is_managed && !was_on_device && error == cudaSuccess) {
        error = runtime_managed_pull();
    }
    return error;
}

static cudaError_t run_copy(const struct copy *copy)
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
        return runtime_connect();
    }
    if (copy->rows > 1 && (copy->target_pitch < copy->width || copy->source_pitch < copy->width)) {
        return runtime_refuse(cudaErrorInvalidPitchValue, REFUSAL_PITCH);
    }
    size_t pitch =
        copy->target_pitch > copy->source_pitch ? copy->target_pitch : copy->source_pitch;
    if (__builtin_mul_overflow(pitch, copy->rows, &extent)) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE);
    }
    cudaError_t error =
        choose_side(copy->target, copy->target_pitch, sides[copy->kind][0], &target);
    if (error == cudaSuccess) {
        error = choose_side(copy->source, copy->source_pitch, sides[copy->kind][1], &source);
    }
    return error == cudaSuccess ? move_managed(copy, &target, &source) : error;
}

static struct copy plain_copy(void *target, const void *source, size_t bytes,
                              enum cudaMemcpyKind kind)
{
    return (struct copy){target, bytes, source, bytes, bytes, 1, kind};
}

static cudaError_t no_stream(void)
{
    return runtime_refuse(cudaErrorInvalidResourceHandle, REFUSAL_NO_STREAM);
}

cudaError_t cudaMemcpy(void *target, const void *source, size_t bytes, enum cudaMemcpyKind kind)
{
    struct copy copy = plain_copy(target, source, bytes, kind);

    runtime_enter(RUNTIME_CALL_cudaMemcpy);
    return runtime_leave(run_copy(&copy));
}

cudaError_t cudaMemcpyAsync(void *target, const void *source, size_t bytes,
                            enum cudaMemcpyKind kind, cudaStream_t stream)
{
    struct copy copy = plain_copy(target, source, bytes, kind);

    runtime_enter(RUNTIME_CALL_cudaMemcpyAsync);
    return runtime_leave(runtime_stream_exists(stream) ? run_copy(&copy) : no_stream());
}

cudaError_t cudaMemcpy2D(void *target, size_t target_pitch, const void *source, size_t source_pitch,
                         size_t width, size_t rows, enum cudaMemcpyKind kind)
{
    struct copy copy = {target, target_pitch, source, source_pitch, width, rows, kind};

    runtime_enter(RUNTIME_CALL_cudaMemcpy2D);
    return runtime_leave(run_copy(&copy));
}

cudaError_t cudaMemcpy2DAsync(void *target, size_t target_pitch, const void *source,
                              size_t source_pitch, size_t width, size_t rows,
                              enum cudaMemcpyKind kind, cudaStream_t stream)
{
    struct copy copy = {target, target_pitch, source, source_pitch, width, rows, kind};

    runtime_enter(RUNTIME_CALL_cudaMemcpy2DAsync);
    return runtime_leave(runtime_stream_exists(stream) ? run_copy(&copy) : no_stream());
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

static cudaError_t copy_to_symbol(const void *symbol, const void *source, size_t bytes,
                                  size_t offset, enum cudaMemcpyKind kind)
{
    void *start = NULL;
    cudaError_t error = symbol_range(symbol, bytes, offset, &start);
    struct copy copy = plain_copy(start, source, bytes, kind);

    return error == cudaSuccess ? run_copy(&copy) : error;
}

static cudaError_t copy_from_symbol(void *target, const void *symbol, size_t bytes, size_t offset,
                                    enum cudaMemcpyKind kind)
{
    void *start = NULL;
    cudaError_t error = symbol_range(symbol, bytes, offset, &start);
    struct copy copy = plain_copy(target, start, bytes, kind);

    return error == cudaSuccess ? run_copy(&copy) : error;
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *source, size_t bytes, size_t offset,
                               enum cudaMemcpyKind kind)
{
    runtime_enter(RUNTIME_CALL_cudaMemcpyToSymbol);
    return runtime_leave(copy_to_symbol(symbol, source, bytes, offset, kind));
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *source, size_t bytes,
                                    size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    runtime_enter(RUNTIME_CALL_cudaMemcpyToSymbolAsync);
    return runtime_leave(runtime_stream_exists(stream)
                             ? copy_to_symbol(symbol, source, bytes, offset, kind)
                             : no_stream());
}

cudaError_t cudaMemcpyFromSymbol(void *target, const void *symbol, size_t bytes, size_t offset,
                                 enum cudaMemcpyKind kind)
{
    runtime_enter(RUNTIME_CALL_cudaMemcpyFromSymbol);
    return runtime_leave(copy_from_symbol(target, symbol, bytes, offset, kind));
}

cudaError_t cudaMemcpyFromSymbolAsync(void *target, const void *symbol, size_t bytes, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream)
{
    runtime_enter(RUNTIME_CALL_cudaMemcpyFromSymbolAsync);
    return runtime_leave(runtime_stream_exists(stream)
                             ? copy_from_symbol(target, symbol, bytes, offset, kind)
                             : no_stream());
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

/* Fills a rectangle of device or managed memory with one byte. */
static cudaError_t fill(void *target, size_t pitch, int value, size_t width, size_t rows)
{
    const uint64_t words[] = {(uint64_t)(uintptr_t)target, pitch, width, rows, value & 0xff};
    bool was_on_device = runtime_managed_is_on_device();
    bool is_managed = runtime_is_managed(target);
    cudaError_t error = cudaSuccess;

    if (width == 0 || rows == 0) {
        return runtime_connect();
    }
    if (rows > 1 && pitch < width) {
        return runtime_refuse(cudaErrorInvalidPitchValue, REFUSAL_PITCH);
    }
    if (is_managed) {
        error = runtime_managed_push();
    }
    if (error == cudaSuccess) {
        error = runtime_ask(CLIENT_FILL, words, 5);
    }
    if (is_managed && !was_on_device && error == cudaSuccess) {
        error = runtime_managed_pull();
    }
    return error;
}

cudaError_t cudaMemset(void *target, int value, size_t bytes)
{
    runtime_enter(RUNTIME_CALL_cudaMemset);
    return runtime_leave(fill(target, bytes, value, bytes, 1));
}

cudaError_t cudaMemsetAsync(void *target, int value, size_t bytes, cudaStream_t stream)
{
    runtime_enter(RUNTIME_CALL_cudaMemsetAsync);
    return runtime_leave(runtime_stream_exists(stream) ? fill(target, bytes, value, bytes, 1)
                                                       : no_stream());
}

cudaError_t cudaMemset2D(void *target, size_t pitch, int value, size_t width, size_t rows)
{
    runtime_enter(RUNTIME_CALL_cudaMemset2D);
    return runtime_leave(fill(target, pitch, value, width, rows));
}

cudaError_t cudaMemset2DAsync(void *target, size_t pitch, int value, size_t width, size_t rows,
                              cudaStream_t stream)
{
    runtime_enter(RUNTIME_CALL_cudaMemset2DAsync);
    return runtime_leave(runtime_stream_exists(stream) ? fill(target, pitch, value, width, rows)
                                                       : no_stream());
}
