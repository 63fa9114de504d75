/* entry_variant.h: kernels that are variants of others, by their names.
 *
 * A variant has the name of its kernel in the source, then ENTRY_VARIANT and a number, so
 * _Z26step_gpugrade_variant_12Pfi is variant 12 of _Z4stepPfi. */
#ifndef GPUGRADE_PTX_ENTRY_VARIANT_H
#define GPUGRADE_PTX_ENTRY_VARIANT_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

#define ENTRY_VARIANT "_gpugrade_variant_"

/* The name of the kernel that a kernel is a variant of, both as PTX has them; NULL: it is none. In
 * the arena. */
const char *entry_variant_of(struct arena *arena, const char *name, unsigned *out_number);

/* True if a PTX text [length] has a kernel of that name. */
bool entry_is_in(const char *text, size_t length, const char *name);

#endif
