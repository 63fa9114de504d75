/* written_map.c: see written_map.h. */
#include "device/emulated/memory/written_map.h"

#include <stdlib.h>

struct written_map *written_map_new(uint64_t bytes)
{
    struct written_map *map = calloc(1, sizeof *map);
    if (map != NULL) {
        map->bits = calloc((size_t)(bytes / 8) + 1, 1);
    }
    if (map != NULL && map->bits == NULL) {
        free(map);
        return NULL;
    }
    return map;
}

void written_map_free(struct written_map *map)
{
    if (map != NULL) {
        chunk_copy_free(map->before);
        free(map->bits);
        free(map);
    }
}

void written_map_keep(struct written_map *map, uint64_t bytes)
{
    map->before = chunk_copy_new(map->bits, (size_t)(bytes / 8) + 1);
    if (map->before == NULL) {
        abort();
    }
}

void written_map_undo(struct written_map *map)
{
    chunk_copy_restore(map->before);
}

void written_map_forget(struct written_map *map)
{
    chunk_copy_free(map->before);
    map->before = NULL;
}

/* The bits of [offset, end) in the byte of the map that holds that of `offset`. */
static uint8_t bits_from(uint64_t offset, uint64_t end)
{
    uint64_t last = (offset | 7) + 1;
    unsigned above = end >= last ? 8 : (unsigned)(end % 8);
    return (uint8_t)((1u << above) - (1u << offset % 8));
}

static void mark_some(uint8_t *byte, uint8_t bits)
{
    if ((__atomic_load_n(byte, __ATOMIC_RELAXED) & bits) != bits) {
        __atomic_fetch_or(byte, bits, __ATOMIC_RELAXED);
    }
}

void written_map_mark(struct written_map *map, uint64_t offset, uint64_t bytes)
{
    uint64_t end = offset + bytes;
    if (map->before != NULL) {
        chunk_copy_before_write(map->before, offset / 8, (end - 1) / 8 - offset / 8 + 1);
    }
    while (offset < end) {
        uint8_t bits = bits_from(offset, end);
        if (bits == UINT8_MAX) {
            __atomic_store_n(&map->bits[offset / 8], bits, __ATOMIC_RELAXED);
        } else {
            mark_some(&map->bits[offset / 8], bits);
        }
        offset = (offset | 7) + 1;
    }
}

void written_map_extend(struct written_map *map, uint64_t offset, uint64_t bytes)
{
    written_map_mark(map, offset, bytes);
    if (offset <= map->prefix && offset + bytes > map->prefix) {
        map->prefix = offset + bytes;
    }
}

static uint8_t bits_at(const struct written_map *map, uint64_t offset)
{
    return __atomic_load_n(&map->bits[offset / 8], __ATOMIC_RELAXED);
}

/* Eight bytes of the map at once, those of 64 bytes of memory. */
typedef uint64_t __attribute__((may_alias)) map_word;

enum { WORD_SPAN = 64 };

/* The end of the whole words from `offset` on of which all is written; `offset` if it begins none.
 */
static uint64_t written_words(const struct written_map *map, uint64_t offset, uint64_t end)
{
    while (offset % WORD_SPAN == 0 && end - offset >= WORD_SPAN &&
           __atomic_load_n((const map_word *)(const void *)&map->bits[offset / 8],
                           __ATOMIC_RELAXED) == UINT64_MAX) {
        offset += WORD_SPAN;
    }
    return offset;
}

bool written_map_has_all(const struct written_map *map, uint64_t offset, uint64_t bytes)
{
    uint64_t end = offset + bytes;
    while (offset < end && end > map->prefix) {
        uint64_t known = written_words(map, offset, end);
        if (known > offset) {
            offset = known;
            continue;
        }
        uint8_t bits = bits_from(offset, end);
        if ((bits_at(map, offset) & bits) != bits) {
            return false;
        }
        offset = (offset | 7) + 1;
    }
    return true;
}

bool written_map_has_any(const struct written_map *map, uint64_t offset, uint64_t bytes)
{
    uint64_t end = offset + bytes;
    while (offset < end) {
        if ((bits_at(map, offset) & bits_from(offset, end)) != 0) {
            return true;
        }
        offset = (offset | 7) + 1;
    }
    return false;
}

/* Marks or clears one byte. */
static void set_byte(struct written_map *map, uint64_t offset, bool is_written)
{
    uint8_t bit = (uint8_t)(1u << offset % 8);
    uint8_t *byte = &map->bits[offset / 8];
    *byte = (uint8_t)(is_written ? *byte | bit : *byte & ~bit);
}

void written_map_copy(struct written_map *map, uint64_t offset, const struct written_map *other,
                      uint64_t from, uint64_t bytes)
{
    if (written_map_has_all(other, from, bytes)) {
        written_map_extend(map, offset, bytes);
        return;
    }
    map->prefix = offset < map->prefix ? offset : map->prefix;
    bool is_back = map == other && offset > from;
    for (uint64_t i = 0; i < bytes; i++) {
        uint64_t at = is_back ? bytes - 1 - i : i;
        set_byte(map, offset + at, (other->bits[(from + at) / 8] >> (from + at) % 8 & 1) != 0);
    }
}
