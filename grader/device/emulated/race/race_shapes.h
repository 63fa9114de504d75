/* race_shapes.h: the distances between the lanes of requests, each kept once.
 *
 * A log entry (race_watch.h) names a shape by its number. Shapes belong to the log of one block; a
 * pattern of the memory handlers remembers the number, and for which log.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_RACE_RACE_SHAPES_H
#define GPUGRADE_DEVICE_EMULATED_RACE_RACE_SHAPES_H

#include "device/emulated/machine.h"

enum { RACE_SHAPES_MAX = 1 << 14 }; /* of one log */

struct race_shape {
    uint64_t key;         /* of the contents */
    uint32_t mask;        /* of lanes */
    int32_t delta[LANES]; /* offset of a lane minus that of the first one; 0 of others */
};

struct race_shapes {
    struct race_shape *shapes; /* [count]; [0] is not used */
    uint32_t *slots;           /* [slot_count] numbers, found by the key; 0: free */
    uint32_t count, slot_count;
};

/* Products of 64-bit numbers, folded: the step of all hashes of race detection. */
static inline uint64_t race_mix(uint64_t a, uint64_t b)
{
    __extension__ typedef unsigned __int128 product;
    product wide = (product)a * b;
    return (uint64_t)wide ^ (uint64_t)(wide >> 64);
}

/* The number of a shape, which is added if it is new; 0 if there is no room. Aborts without
 * memory. */
uint32_t race_shapes_find(struct race_shapes *shapes, const uint64_t secret[4], uint32_t mask,
                          const int32_t delta[LANES]);

void race_shapes_clear(struct race_shapes *shapes);
void race_shapes_release(struct race_shapes *shapes);

#endif
