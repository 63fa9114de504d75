/* page_hash.c: four independent lanes of multiply and rotate, so that it runs at the speed of
 * memory; the constants are odd and have about as many ones as zeros. */
#include "wire/page_hash.h"

#include <string.h>

enum { LANES = 4 };

static const uint64_t factors[LANES] = {
    UINT64_C(0x9e3779b97f4a7c15),
    UINT64_C(0xc2b2ae3d27d4eb4f),
    UINT64_C(0x165667b19e3779f9),
    UINT64_C(0xd6e8feb86659fd93),
};

static uint64_t mix(uint64_t state, uint64_t word, uint64_t factor)
{
    uint64_t product = (state ^ word) * factor;

    return product << 29 | product >> 35;
}

uint64_t page_hash(const void *bytes, size_t length)
{
    uint64_t states[LANES] = {length, 1, 2, 3};
    const uint8_t *at = bytes;
    size_t left = length;

    for (; left >= sizeof(states); left -= sizeof(states), at += sizeof(states)) {
        uint64_t words[LANES];

        memcpy(words, at, sizeof(words));
        for (size_t i = 0; i < LANES; i++) {
            states[i] = mix(states[i], words[i], factors[i]);
        }
    }
    uint64_t rest[LANES] = {0};
    memcpy(rest, at, left);
    uint64_t hash = 0;
    for (size_t i = 0; i < LANES; i++) {
        hash = mix(hash, mix(states[i], rest[i], factors[i]), factors[LANES - 1 - i]);
    }
    hash ^= hash >> 32;
    return hash == 0 ? 1 : hash;
}
