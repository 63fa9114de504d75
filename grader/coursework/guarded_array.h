/* guarded_array.h: arrays that show whether code wrote outside them.
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

/* Fills the guards of an array of `bytes` again. Code that reads the guards reads other values with
 * another `kind` (0, 1). New arrays have kind 0. */
void guarded_array_renew(void *array, size_t bytes, int kind);

/* True if the guards of an array of `bytes` are unchanged, so nothing was written around it. */
bool guarded_array_is_whole(const void *array, size_t bytes);

#endif
