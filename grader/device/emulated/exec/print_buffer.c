/* print_buffer.c: see print_buffer.h. */
#include "device/emulated/exec/print_buffer.h"

#include <stdlib.h>
#include <string.h>

void print_buffer_release(struct print_buffer *buffer)
{
    text_release(&buffer->text);
    free(buffer->pieces);
    memset(buffer, 0, sizeof *buffer);
}

static void add_piece(struct print_buffer *buffer, struct print_piece piece)
{
    if (buffer->piece_count == buffer->piece_capacity) {
        size_t capacity = buffer->piece_capacity == 0 ? 16 : buffer->piece_capacity * 2;
        struct print_piece *pieces = reallocarray(buffer->pieces, capacity, sizeof *pieces);
        if (pieces == NULL) {
            abort();
        }
        buffer->pieces = pieces;
        buffer->piece_capacity = capacity;
    }
    buffer->pieces[buffer->piece_count++] = piece;
}

struct text *print_buffer_begin(struct print_buffer *buffer, uint64_t block)
{
    if (buffer->text.bytes == NULL) {
        text_init(&buffer->text);
    }
    if (buffer->piece_count == 0 || buffer->pieces[buffer->piece_count - 1].block != block) {
        add_piece(buffer, (struct print_piece){block, buffer->text.length, 0});
    }
    return &buffer->text;
}

/* Takes `bytes` off the beginning. */
static void forget(struct print_buffer *buffer, size_t bytes)
{
    size_t kept = 0;
    memmove(buffer->text.bytes, buffer->text.bytes + bytes, buffer->text.length - bytes + 1);
    buffer->text.length -= bytes;
    for (size_t i = 0; i < buffer->piece_count; i++) {
        struct print_piece piece = buffer->pieces[i];
        size_t end = piece.start + piece.bytes;
        if (end > bytes) {
            piece.start = piece.start > bytes ? piece.start - bytes : 0;
            piece.bytes = end - bytes - piece.start;
            buffer->pieces[kept++] = piece;
        }
    }
    buffer->piece_count = kept;
}

void print_buffer_end(struct print_buffer *buffer, uint64_t limit)
{
    struct print_piece *last = &buffer->pieces[buffer->piece_count - 1];
    last->bytes = buffer->text.length - last->start;
    if (last->bytes == 0) {
        buffer->piece_count--;
    }
    /* one byte more than the limit is kept: it tells whether the limit falls on a line's start */
    if (buffer->text.length / 2 > limit) {
        forget(buffer, buffer->text.length - limit - 1);
    }
}

void print_buffer_merge(struct print_buffer *buffer, const struct print_buffer *other)
{
    if (other->piece_count == 0) {
        return;
    }
    if (buffer->text.bytes == NULL) {
        text_init(&buffer->text);
    }
    size_t before = buffer->text.length;
    text_append_bytes(&buffer->text, other->text.bytes, other->text.length);
    for (size_t i = 0; i < other->piece_count; i++) {
        struct print_piece piece = other->pieces[i];
        piece.start += before;
        add_piece(buffer, piece);
    }
}

static int compare_pieces(const void *left, const void *right)
{
    const struct print_piece *a = left;
    const struct print_piece *b = right;
    if (a->block != b->block) {
        return a->block < b->block ? -1 : 1;
    }
    return a->start < b->start ? -1 : a->start > b->start;
}

void print_buffer_join(const struct print_buffer *buffer, uint64_t limit, struct text *out)
{
    struct text whole;
    text_init(&whole);
    if (buffer->piece_count > 0) {
        qsort(buffer->pieces, buffer->piece_count, sizeof *buffer->pieces, compare_pieces);
    }
    for (size_t i = 0; i < buffer->piece_count; i++) {
        const struct print_piece *piece = &buffer->pieces[i];
        text_append_bytes(&whole, buffer->text.bytes + piece->start, piece->bytes);
    }
    size_t first = whole.length > limit ? whole.length - limit : 0;
    const char *line =
        first == 0 ? NULL : memchr(whole.bytes + first - 1, '\n', whole.length - first);
    first = line == NULL ? first : (size_t)(line + 1 - whole.bytes);
    text_append_bytes(out, whole.bytes + first, whole.length - first);
    text_release(&whole);
}
