/* ir_rewrite.h: has LLVM keep what nvcc keeps, in a module's text form (see clang_passes.h):
 *
 *   internal   dropped from shared variables, which then have external linkage
 *   noundef    dropped from parameters, arguments and results
 */
#ifndef GPUGRADE_CLANG_IR_REWRITE_H
#define GPUGRADE_CLANG_IR_REWRITE_H

#include "base/arena.h"
#include "base/diagnostic.h"

#include <stddef.h>

/* Changes a module from file `from` to file `to`. Errors: ERROR_NOT_FOUND, ERROR_IO, ERROR_LIMIT (a
 * module of more than 256 MiB). */
enum error ir_rewrite_file(struct arena *arena, const char *from, const char *to,
                           struct diagnostic *diagnostic);

/* The same for a text [*length], in place; it never becomes longer. */
void ir_rewrite(char *text, size_t *length);

#endif
