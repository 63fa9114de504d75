/* calls_copy.c: copies.
 *
 * Every copy is one of a rectangle; a plain one has one row. The direction comes from the kind, and
 * for cudaMemcpyDefault from the addresses; memory that exists twice (runtime_mirrors.c) takes part
 * with its contents here, whatever the kind says. Copies end when the call returns, also the
 * asynchronous ones: the device executes in order.
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

/* Reads a byte of each page of some rows, so that host memory that is not there faults here, as it
 * does in a real copy, and not in the middle of a message. */
static void touch_rows(const uint8_t *bytes, size_t pitch, size_t width, size_t rows)
{
    enum { STEP = 4096 };

    for (size_t row = 0; row < rows; row++) {
        const volatile uint8_t *start = bytes + row * pitch;

        for (size_t at = 0; at < width; at += STEP) {
            (void)start[at];
        }
        (void)start[width - 1];
    }
}

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

    touch_rows(bytes, pitch, area->width, area->rows);
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
    mirrors_notice(request.payload, request.payload_bytes);
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

static cudaError_t move(const struct runtime_copy *copy, const struct end *target,
                        const struct end *source)
{
    struct runtime_area area = {.width = copy->width, .rows = copy->rows};
    uint8_t *to = (uint8_t *)(uintptr_t)target->address;
    const uint8_t *from = (const uint8_t *)(uintptr_t)source->address;

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

cudaError_t runtime_copy_and_wait(const struct runtime_copy *copy)
{
    runtime_show_printed();
    cudaError_t error = runtime_copy(copy);

    return error == cudaSuccess ? mirrors_pull() : error;
}

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
