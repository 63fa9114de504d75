/* guarded_array.h: arrays for foreign code that tell whether it left them.
 *
 *     | guard | array | guard |
 */
#ifndef GPUGRADE_COURSEWORK_GUARDED_ARRAY_H
#define GPUGRADE_COURSEWORK_GUARDED_ARRAY_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

/* Makes an array [count] of elements of `size` bytes, which are not zeroed. */
void *guarded_array_new(struct arena *arena, size_t count, size_t size);

/* Fills the guards of an array of `bytes` anew: with another `kind` (0, 1), what reads them reads
 * other values. They are made with kind 0. */
void guarded_array_renew(void *array, size_t bytes, int kind);

/* True if nothing was written around an array of `bytes`, as far as its guards reach. */
bool guarded_array_is_whole(const void *array, size_t bytes);

#endif
