/* ptx_names.c: scoped names; see ptx_names.h. Entries are pushed and popped in order only, so the
 * newest entry of a bucket is always its head. */
#include "ptx/ptx_names.h"

#include <string.h>

enum { FIRST_BUCKETS = 256 };

/* FNV-1a, 64 bit, with its high half folded in. */
static uint64_t hash_name(const char *text, size_t length)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    }
    return hash ^ hash >> 32;
}

void ptx_names_init(struct ptx_names *names, struct arena *arena)
{
    *names = (struct ptx_names){.arena = arena, .bucket_count = FIRST_BUCKETS};
    names->buckets = arena_array(arena, FIRST_BUCKETS, sizeof *names->buckets);
}

static void enter(struct ptx_names *names, size_t index)
{
    struct ptx_name *name = &names->stack[index];
    uint32_t *head = &names->buckets[name->hash & (names->bucket_count - 1)];

    name->older = *head;
    *head = (uint32_t)index + 1;
}

static void rebuild(struct ptx_names *names)
{
    names->bucket_count *= 4;
    names->buckets = arena_array(names->arena, names->bucket_count, sizeof *names->buckets);
    for (size_t i = 0; i < names->count; i++) {
        enter(names, i);
    }
}

void ptx_names_add(struct ptx_names *names, const char *text, size_t length,
                   enum ptx_name_kind kind, size_t index)
{
    arena_grow(names->arena, &names->stack, &names->capacity, names->count + 1,
               sizeof *names->stack);
    names->stack[names->count] = (struct ptx_name){.text = text,
                                                   .length = length,
                                                   .hash = hash_name(text, length),
                                                   .kind = kind,
                                                   .index = (uint32_t)index};
    enter(names, names->count);
    names->count++;
    if (names->count > names->bucket_count) {
        rebuild(names);
    }
}

const struct ptx_name *ptx_names_find(const struct ptx_names *names, const char *text,
                                      size_t length)
{
    uint64_t hash = hash_name(text, length);
    uint32_t next = names->buckets[hash & (names->bucket_count - 1)];

    while (next != 0) {
        const struct ptx_name *name = &names->stack[next - 1];

        if (name->hash == hash && name->length == length && memcmp(name->text, text, length) == 0) {
            return name;
        }
        next = name->older;
    }
    return NULL;
}

void ptx_names_drop(struct ptx_names *names, size_t height)
{
    while (names->count > height) {
        names->count--;
        struct ptx_name *name = &names->stack[names->count];
        names->buckets[name->hash & (names->bucket_count - 1)] = name->older;
    }
}
