/* compiler_find.h: which compiler there is. */
#ifndef GPUGRADE_TOOLCHAIN_COMPILER_FIND_H
#define GPUGRADE_TOOLCHAIN_COMPILER_FIND_H

#include "toolchain/toolchain.h"

/* Finds the compiler that a setup wants. What it learns by running one is kept in `cache_folder`.
 * Errors: ERROR_ENVIRONMENT with what to install. */
enum error compiler_find(const struct toolchain_setup *setup, const char *cache_folder,
                         struct compiler *out_compiler, struct diagnostic *diagnostic);

/* True if gpugrade's parts for clang are there, which are noted; nothing is started. */
bool compiler_find_parts(const struct toolchain_setup *setup, struct compiler *compiler);

/* Finds the newest clang on PATH; compiler->clang stays empty if there is none. Starts it to ask
 * for its version, unless the cache has it. */
bool compiler_find_clang(const char *cache_folder, struct compiler *compiler);

#endif
