/* edit_place.h: the operand that a short change changes, and what kind of thing would be there
 * instead, without saying what.
 *
 *   sum += tile[ty][k] * other[tx][k];      another index, at the `tx`
 */
#ifndef GPUGRADE_DIAGNOSIS_FIXES_EDIT_PLACE_H
#define GPUGRADE_DIAGNOSIS_FIXES_EDIT_PLACE_H

#include "base/arena.h"
#include "model/line_fix.h"

#include <stdbool.h>

struct edit_place {
    const char *file;
    int line, column;    /* from 1; columns in bytes */
    const char *operand; /* as the source has it: "threadIdx.x"; "" if it is long */
    const char *kind;    /* "another index" */
    bool is_of_access;   /* it decides which element is used, or whether: it lies in brackets of an
                            index, or in the head of an if or a loop */
    bool is_of_start;    /* it is in the first part of the head of a loop, on which it may depend
                            too how often a value is added */
};

/* False if the change has no line with both a before and an after, or changes more than a few
 * tokens in more than one place. In the arena. */
bool edit_place_find(struct arena *arena, const struct line_fixes *change,
                     struct edit_place *out_place);

#endif
