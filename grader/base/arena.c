/* arena.c: a list of growing chunks; see arena.h.
 *
 *   arena -> chunk (newest) -> chunk -> chunk (oldest)
 *            [used | free]     [full]   [full]
 *
 * A request that does not fit the newest chunk gets a new one. New chunks double from 16 KiB to
 * 4 MiB, so small arenas stay small, and an arena of n bytes has at most 9 chunks and one more for
 * every 4 MiB. A larger request gets a chunk of its own size.
 */
#include "base/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 16, FIRST_CHUNK_BYTES = 16 * 1024, LARGEST_CHUNK_BYTES = 4 * 1024 * 1024 };

struct chunk {
    struct chunk *next;
    size_t capacity;
    size_t used;
    size_t padding; /* keeps the bytes that follow aligned to 16 */
};

struct arena {
    struct chunk *newest;
    size_t next_chunk_bytes;
    size_t asked_bytes;
};

struct arena *arena_new(void)
{
    struct arena *arena = calloc(1, sizeof *arena);

    if (arena == NULL) {
        abort();
    }
    arena->next_chunk_bytes = FIRST_CHUNK_BYTES;
    return arena;
}

void arena_free(struct arena *arena)
{
    if (arena == NULL) {
        return;
    }
    struct chunk *chunk = arena->newest;
    while (chunk != NULL) {
        struct chunk *next = chunk->next;
        free(chunk);
        chunk = next;
    }
    free(arena);
}

static struct chunk *chunk_add(struct arena *arena, size_t bytes)
{
    size_t capacity = arena->next_chunk_bytes;

    if (bytes > SIZE_MAX - sizeof(struct chunk)) {
        abort();
    }
    if (capacity < LARGEST_CHUNK_BYTES) {
        arena->next_chunk_bytes = capacity * 2;
    }
    if (bytes > capacity) {
        capacity = bytes;
    }
    struct chunk *chunk = calloc(1, sizeof *chunk + capacity);
    if (chunk == NULL) {
        abort();
    }
    chunk->capacity = capacity;
    chunk->next = arena->newest;
    arena->newest = chunk;
    return chunk;
}

void *arena_alloc(struct arena *arena, size_t bytes)
{
    if (bytes > SIZE_MAX - ALIGNMENT) {
        abort();
    }
    size_t rounded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (rounded == 0) {
        rounded = ALIGNMENT;
    }
    struct chunk *chunk = arena->newest;
    if (chunk == NULL || chunk->capacity - chunk->used < rounded) {
        chunk = chunk_add(arena, rounded);
    }
    void *memory = (char *)(chunk + 1) + chunk->used;
    chunk->used += rounded;
    arena->asked_bytes += bytes;
    return memory;
}

void *arena_array(struct arena *arena, size_t count, size_t element_bytes)
{
    size_t bytes;

    if (__builtin_mul_overflow(count, element_bytes, &bytes)) {
        abort();
    }
    return arena_alloc(arena, bytes);
}

void arena_grow(struct arena *arena, void *items, size_t *capacity, size_t needed,
                size_t element_bytes)
{
    void *old;

    if (needed <= *capacity) {
        return;
    }
    size_t larger = *capacity < 8 ? 8 : *capacity * 2;
    if (larger < needed) {
        larger = needed;
    }
    memcpy(&old, items, sizeof old);
    void *array = arena_array(arena, larger, element_bytes);
    if (*capacity > 0) {
        memcpy(array, old, *capacity * element_bytes);
    }
    memcpy(items, &array, sizeof array);
    *capacity = larger;
}

char *arena_strndup(struct arena *arena, const char *text, size_t length)
{
    char *copy = arena_alloc(arena, length + 1);

    memcpy(copy, text, length);
    return copy;
}

char *arena_strdup(struct arena *arena, const char *text)
{
    return arena_strndup(arena, text, strlen(text));
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0) {
        abort();
    }
    char *text = arena_alloc(arena, (size_t)length + 1);
    va_start(arguments, format);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return text;
}

void arena_adopt(struct arena *arena, struct arena *child)
{
    if (child == NULL) {
        return;
    }
    struct chunk **oldest = &arena->newest;
    while (*oldest != NULL) {
        oldest = &(*oldest)->next;
    }
    *oldest = child->newest;
    arena->asked_bytes += child->asked_bytes;
    free(child);
}

size_t arena_bytes(const struct arena *arena)
{
    return arena->asked_bytes;
}
