/* race_shapes.c: see race_shapes.h. */
#include "device/emulated/race/race_shapes.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS_FIRST = 64 };

static uint64_t key_of(const uint64_t secret[4], uint32_t mask, const int32_t delta[LANES])
{
    uint64_t sums[4] = {mask, 0, 0, 0};
    for (unsigned i = 0; i < LANES; i += 2) {
        uint64_t pair = (uint64_t)(uint32_t)delta[i] << 32 | (uint32_t)delta[i + 1];
        uint64_t *sum = &sums[i / 2 % 4];
        *sum = race_mix(*sum ^ pair ^ secret[0], secret[1] + i);
    }
    return race_mix(sums[0] ^ secret[2], sums[1] ^ secret[3]) ^
           race_mix(sums[2] ^ secret[3], sums[3] ^ secret[0]);
}

static void place(struct race_shapes *shapes, uint32_t number)
{
    uint32_t slot = (uint32_t)shapes->shapes[number].key & (shapes->slot_count - 1);
    while (shapes->slots[slot] != 0) {
        slot = (slot + 1) & (shapes->slot_count - 1);
    }
    shapes->slots[slot] = number;
}

/* Doubles the room; there are twice as many slots as shapes. */
static void grow(struct race_shapes *shapes)
{
    uint32_t slot_count = shapes->slot_count == 0 ? SLOTS_FIRST : shapes->slot_count * 2;
    uint32_t *slots = calloc(slot_count, sizeof *slots);
    struct race_shape *room =
        reallocarray(shapes->shapes, slot_count / 2 + 1, sizeof *shapes->shapes);
    if (slots == NULL || room == NULL) {
        abort();
    }
    free(shapes->slots);
    shapes->slots = slots;
    shapes->shapes = room;
    shapes->slot_count = slot_count;
    for (uint32_t i = 1; i < shapes->count; i++) {
        place(shapes, i);
    }
}

uint32_t race_shapes_find(struct race_shapes *shapes, const uint64_t secret[4], uint32_t mask,
                          const int32_t delta[LANES])
{
    uint64_t key = key_of(secret, mask, delta);
    for (uint32_t i = (uint32_t)key; shapes->slot_count != 0; i++) {
        uint32_t number = shapes->slots[i & (shapes->slot_count - 1)];
        if (number == 0) {
            break;
        }
        const struct race_shape *shape = &shapes->shapes[number];
        if (shape->key == key && shape->mask == mask &&
            memcmp(shape->delta, delta, sizeof shape->delta) == 0) {
            return number;
        }
    }
    if (shapes->count >= RACE_SHAPES_MAX) {
        return 0;
    }
    shapes->count += shapes->count == 0;
    if (shapes->count > shapes->slot_count / 2) {
        grow(shapes);
    }
    struct race_shape *shape = &shapes->shapes[shapes->count];
    shape->key = key;
    shape->mask = mask;
    memcpy(shape->delta, delta, sizeof shape->delta);
    place(shapes, shapes->count);
    return shapes->count++;
}

void race_shapes_clear(struct race_shapes *shapes)
{
    if (shapes->slots != NULL) {
        memset(shapes->slots, 0, shapes->slot_count * sizeof *shapes->slots);
    }
    shapes->count = 0;
}

void race_shapes_release(struct race_shapes *shapes)
{
    free(shapes->shapes);
    free(shapes->slots);
    *shapes = (struct race_shapes){0};
}
