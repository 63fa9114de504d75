/* printf_format.h: whether the format of a printf fits what it prints.
 *
 * Only what is certain without types is seen: how many values it wants, a % that starts nothing,
 * and a value whose type the line or its declaration says. nvcc warns of some of it, clang of all;
 * a submission gets this whoever compiled it.
 */
#ifndef GPUGRADE_SOURCE_PRINTF_FORMAT_H
#define GPUGRADE_SOURCE_PRINTF_FORMAT_H

#include "source/source_tokens.h"

#include <stdbool.h>

struct printf_mistake {
    const char *label; /* "`%d` prints an int, but a double is given" */
    const char *hint;
};

/* Looks at the string token `at`, the first argument of a printf. False if it is none, or nothing
 * is wrong. Time: linear in the length of the call and of what is before it. */
bool printf_mistake_find(struct arena *arena, const struct source_tokens *tokens, size_t at,
                         struct printf_mistake *out_mistake);

#endif
