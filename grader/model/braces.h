/* braces.h: texts of a rubric with names or expressions in braces: "-n {rows}", "{a + b}". */
#ifndef GPUGRADE_MODEL_BRACES_H
#define GPUGRADE_MODEL_BRACES_H

#include "base/arena.h"
#include "model/rubric.h"

/* What stands for the words of a pair of braces; NULL: they mean nothing. */
typedef const char *(*braces_value)(void *context, const char *words);

/* Puts values in the place of all pairs. NULL if one is not closed, or means nothing. */
const char *braces_fill(struct arena *arena, const char *text, braces_value value, void *context);

/* The same with the values of expressions over the parameters of a case. */
const char *braces_fill_case(struct arena *arena, const struct rubric *rubric,
                             const int64_t *parameters, const char *text);

#endif
