/* compiler_identity.h: which files decide what a compiler makes, for the names of what is kept. */
#ifndef GPUGRADE_TOOLCHAIN_COMPILER_IDENTITY_H
#define GPUGRADE_TOOLCHAIN_COMPILER_IDENTITY_H

#include "base/text.h"
#include "toolchain/toolchain.h"

/* Returns a text that changes whenever the compiler does. */
const char *compiler_identity(struct arena *arena, const char *path);

/* Appends a line for each file that decides what the compiler makes. */
void compiler_identities(const struct toolchain *toolchain, struct arena *arena, struct text *text);

/* Lists the files below a folder, such as our headers, in the order of their names and relative to
 * it; returns how many there are. */
size_t compiler_headers(const char *folder, struct arena *arena, const char ***out_names);

#endif
