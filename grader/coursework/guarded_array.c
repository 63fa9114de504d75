/* guarded_array.c: see guarded_array.h. */
#include "coursework/guarded_array.h"

#include <string.h>

enum { GUARD_BYTES = 4096 };

static const unsigned char guard_bytes[] = {0xa5, 0x3c}; /* of each kind */

void *guarded_array_new(struct arena *arena, size_t count, size_t size)
{
    size_t guards = (2 * GUARD_BYTES + size - 1) / size; /* in elements, rounded up */
    char *all = arena_array(arena, count + guards, size);

    memset(all, guard_bytes[0], (count + guards) * size);
    return all + GUARD_BYTES;
}

void guarded_array_renew(void *array, size_t bytes, int kind)
{
    memset((char *)array - GUARD_BYTES, guard_bytes[kind], GUARD_BYTES);
    memset((char *)array + bytes, guard_bytes[kind], GUARD_BYTES);
}

bool guarded_array_is_whole(const void *array, size_t bytes)
{
    const unsigned char *before = (const unsigned char *)array - GUARD_BYTES;
    const unsigned char *behind = (const unsigned char *)array + bytes;
    unsigned char kind = before[0] == guard_bytes[1] ? guard_bytes[1] : guard_bytes[0];

    for (size_t i = 0; i < GUARD_BYTES; i++) {
        if (before[i] != kind || behind[i] != kind) {
            return false;
        }
    }
    return true;
}
