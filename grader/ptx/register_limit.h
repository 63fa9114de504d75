/* register_limit.h: nvcc's -maxrregcount as a part of the PTX. Private to ptx/.
 *
 * nvcc does not write the limit into PTX: it stands with the options of an entry of a fat binary
 * (fat_binary.h), for who assembles the text. With a directive in the text itself, all who read the
 * text know the limit.
 */
#ifndef GPUGRADE_PTX_REGISTER_LIMIT_H
#define GPUGRADE_PTX_REGISTER_LIMIT_H

#include "base/text.h"

#include <stddef.h>
#include <stdint.h>

/* Appends PTX [length] in which each kernel has .maxnreg but those whose head says how many
 * threads, blocks or registers there may be: ptxas ignores the option for these. Lines keep their
 * numbers. The text may be anything. */
void register_limit_write(const char *ptx, size_t length, uint32_t registers, struct text *out);

#endif
