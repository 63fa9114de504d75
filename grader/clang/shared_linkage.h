/* shared_linkage.h: gives the shared variables of a module external linkage; see clang_passes.h. */
#ifndef GPUGRADE_CLANG_SHARED_LINKAGE_H
#define GPUGRADE_CLANG_SHARED_LINKAGE_H

#include "base/arena.h"
#include "base/diagnostic.h"

#include <stddef.h>

/* Changes a module in the text form of LLVM's IR, from file `from` to file `to`. Errors:
 * ERROR_NOT_FOUND, ERROR_IO, ERROR_LIMIT (a module of more than 256 MiB). */
enum error shared_linkage_externalize(struct arena *arena, const char *from, const char *to,
                                      struct diagnostic *diagnostic);

/* The same for a text [*length], in place; it never becomes longer. */
void shared_linkage_rewrite(char *text, size_t *length);

#endif
