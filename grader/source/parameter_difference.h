/* parameter_difference.h: which parameter keeps a definition from being the function that a linker
 * looks for. */
#ifndef GPUGRADE_SOURCE_PARAMETER_DIFFERENCE_H
#define GPUGRADE_SOURCE_PARAMETER_DIFFERENCE_H

#include "source/source_tokens.h"

/* "`d_A` is `float *` here, but `const float *` where it is called": compares the parameters after
 * the name at token `name` with those in a linker's message, "undefined reference to `f(float
 * const*, int)'". NULL if it is not certain which differ: a type that is not built in may be
 * another name for the same type. */
const char *parameter_difference(struct arena *arena, const char *message,
                                 const struct source_tokens *tokens, size_t name);

#endif
