/* compiler_find.h: which compiler there is. */
#ifndef GPUGRADE_TOOLCHAIN_COMPILER_FIND_H
#define GPUGRADE_TOOLCHAIN_COMPILER_FIND_H

#include "toolchain/toolchain.h"

/* Finds the compiler that a setup wants. What it learns by running one is kept in `cache_folder`.
 * Errors: ERROR_ENVIRONMENT with what to install. */
enum error compiler_find(const struct toolchain_setup *setup, const char *cache_folder,
                         struct compiler *out_compiler, struct diagnostic *diagnostic);

#endif
