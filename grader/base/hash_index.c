/* hash_index.c: see hash_index.h. */
#include "base/hash_index.h"

enum { SLOTS_FIRST = 16 };

static size_t slot_of(const struct hash_index *index, uint64_t hash)
{
    return (size_t)(hash >> 32 ^ hash) & (index->slot_count - 1);
}

static void put(struct hash_index *index, size_t number)
{
    size_t *slot = &index->slots[slot_of(index, index->entries[number].hash)];
    index->entries[number].next = *slot;
    *slot = number + 1;
}

void hash_index_add(struct hash_index *index, struct arena *arena, uint64_t hash)
{
    arena_grow(arena, &index->entries, &index->capacity, index->count + 1, sizeof *index->entries);
    index->entries[index->count].hash = hash;
    index->count++;
    if (index->count <= index->slot_count) {
        put(index, index->count - 1);
        return;
    }
    index->slot_count = index->slot_count == 0 ? SLOTS_FIRST : index->slot_count * 2;
    index->slots = arena_array(arena, index->slot_count, sizeof *index->slots);
    for (size_t i = 0; i < index->count; i++) {
        put(index, i);
    }
}

/* The first element of a hash from `at` on, which is 1 plus a number, or 0. */
static size_t find(const struct hash_index *index, size_t at, uint64_t hash)
{
    while (at != 0 && index->entries[at - 1].hash != hash) {
        at = index->entries[at - 1].next;
    }
    return at == 0 ? HASH_INDEX_NONE : at - 1;
}

size_t hash_index_first(const struct hash_index *index, uint64_t hash)
{
    return index->slot_count == 0 ? HASH_INDEX_NONE
                                  : find(index, index->slots[slot_of(index, hash)], hash);
}

size_t hash_index_next(const struct hash_index *index, size_t number)
{
    return find(index, index->entries[number].next, index->entries[number].hash);
}

uint64_t hash_number(uint64_t hash, uint64_t number)
{
    hash = (hash ^ number) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

uint64_t hash_text(uint64_t hash, const char *text)
{
    for (; *text != '\0'; text++) {
        hash = hash_number(hash, (unsigned char)*text);
    }
    return hash_number(hash, 256);
}
