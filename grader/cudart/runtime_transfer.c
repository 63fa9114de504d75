/* runtime_transfer.c: uploads and downloads, piece by piece. */
#include "cudart/runtime.h"

#include <stdlib.h>
#include <string.h>

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
