/* hash_index.h: finds equal elements of a growing array in constant time each.
 *
 * The caller hashes its elements and compares them; the index knows numbers only:
 *
 *   size_t at = hash_index_first(&index, hash);
 *   while (at != HASH_INDEX_NONE && !is_same(&items[at], item)) {
 *       at = hash_index_next(&index, at);
 *   }
 */
#ifndef GPUGRADE_BASE_HASH_INDEX_H
#define GPUGRADE_BASE_HASH_INDEX_H

#include "base/arena.h"

#include <stddef.h>
#include <stdint.h>

#define HASH_INDEX_NONE SIZE_MAX
#define HASH_START UINT64_C(0xcbf29ce484222325)

struct hash_entry {
    uint64_t hash;
    size_t next; /* 1 plus the number of an earlier element in the same slot; 0: none */
};

/* Zeroed: empty; memory comes from the arena. */
struct hash_index {
    struct hash_entry *entries; /* [count] */
    size_t count, capacity;
    size_t *slots; /* [slot_count] 1 plus the number of the last element; 0: none */
    size_t slot_count;
};

/* Adds the next element: number 0, 1, 2 and so on. */
void hash_index_add(struct hash_index *index, struct arena *arena, uint64_t hash);

/* The elements of a hash, the latest first. */
size_t hash_index_first(const struct hash_index *index, uint64_t hash);
size_t hash_index_next(const struct hash_index *index, size_t number);

/* Adds a number, or a text with its end, to a hash that begins with HASH_START. */
uint64_t hash_number(uint64_t hash, uint64_t number);
uint64_t hash_text(uint64_t hash, const char *text);

#endif
