/* chunk_copy.c: see chunk_copy.h. */
#include "device/emulated/memory/chunk_copy.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static size_t chunk_count(const struct chunk_copy *copy)
{
    return (copy->bytes >> CHUNK_SHIFT) + 1;
}

/* A program may own very many blocks, most of them smaller than a page. */
enum { SMALL_BYTES = 1 << 16 };

static uint8_t *saved_new(size_t bytes)
{
    if (bytes < SMALL_BYTES) {
        return malloc(bytes);
    }
    void *saved = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return saved == MAP_FAILED ? NULL : saved;
}

static void saved_free(uint8_t *saved, size_t bytes)
{
    if (bytes < SMALL_BYTES) {
        free(saved);
    } else if (saved != NULL) {
        munmap(saved, bytes);
    }
}

struct chunk_copy *chunk_copy_new(uint8_t *live, size_t bytes)
{
    struct chunk_copy *copy = calloc(1, sizeof *copy);
    if (copy == NULL) {
        return NULL;
    }
    copy->live = live;
    copy->bytes = bytes;
    copy->flags = calloc(chunk_count(copy), 1);
    copy->saved = saved_new(bytes);
    if (copy->flags == NULL || copy->saved == NULL || pthread_mutex_init(&copy->lock, NULL) != 0) {
        free(copy->flags);
        saved_free(copy->saved, bytes);
        free(copy);
        return NULL;
    }
    return copy;
}

void chunk_copy_free(struct chunk_copy *copy)
{
    if (copy != NULL) {
        saved_free(copy->saved, copy->bytes);
        free(copy->flags);
        pthread_mutex_destroy(&copy->lock);
        free(copy);
    }
}

static size_t chunk_bytes(const struct chunk_copy *copy, size_t chunk)
{
    size_t left = copy->bytes - (chunk << CHUNK_SHIFT);
    return left < CHUNK_BYTES ? left : CHUNK_BYTES;
}

void chunk_copy_keep(struct chunk_copy *copy, size_t offset, size_t bytes)
{
    size_t first = offset >> CHUNK_SHIFT;
    size_t last = (offset + bytes - 1) >> CHUNK_SHIFT;
    for (size_t chunk = first; chunk <= last; chunk++) {
        if (__atomic_load_n(&copy->flags[chunk], __ATOMIC_ACQUIRE)) {
            continue;
        }
        pthread_mutex_lock(&copy->lock);
        if (!copy->flags[chunk]) {
            memcpy(copy->saved + (chunk << CHUNK_SHIFT), copy->live + (chunk << CHUNK_SHIFT),
                   chunk_bytes(copy, chunk));
            __atomic_store_n(&copy->flags[chunk], 1, __ATOMIC_RELEASE);
        }
        pthread_mutex_unlock(&copy->lock);
    }
}

bool chunk_copy_is_same(const struct chunk_copy *copy)
{
    for (size_t chunk = 0; chunk < chunk_count(copy); chunk++) {
        if (copy->flags[chunk] &&
            memcmp(copy->live + (chunk << CHUNK_SHIFT), copy->saved + (chunk << CHUNK_SHIFT),
                   chunk_bytes(copy, chunk)) != 0) {
            return false;
        }
    }
    return true;
}

void chunk_copy_restore(struct chunk_copy *copy)
{
    for (size_t chunk = 0; chunk < chunk_count(copy); chunk++) {
        if (copy->flags[chunk]) {
            memcpy(copy->live + (chunk << CHUNK_SHIFT), copy->saved + (chunk << CHUNK_SHIFT),
                   chunk_bytes(copy, chunk));
            copy->flags[chunk] = 0;
        }
    }
}
