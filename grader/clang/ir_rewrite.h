/* ir_rewrite.h: tells LLVM of a module, in its text form, what nvcc knows or keeps.
 *
 *   Shared variables have external linkage. Internal ones are the module's alone, so LLVM leaves
 *   out stores that are never read, and reads of what is never stored: a race or an access past the
 *   end would vanish with them. PTX has only letters of ASCII in names, and LLVM replaces others
 *   in internal names alone, so they are replaced here.
 *
 *   Parameters, arguments and results need not have a value. In C++ they must, so LLVM takes
 *   `if (lane == 0) x = f(); y = shuffle(x, 0);` for proof that each lane is 0, and calls f always.
 *
 *   Pointers that a kernel is given point into global memory, so a store to shared memory changes
 *   nothing there. LLVM makes use of it from 17 on.
 *
 *   A vector is loaded and stored at once, though a program may use a part of it only: what is
 *   coalesced and what is aligned depends on it.
 *
 * The last two are for modules with opaque pointers, of clang 15 and newer.
 */
#ifndef GPUGRADE_CLANG_IR_REWRITE_H
#define GPUGRADE_CLANG_IR_REWRITE_H

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/text.h"

#include <stddef.h>

/* Changes a module from file `from` to file `to`. Errors: ERROR_NOT_FOUND, ERROR_IO, ERROR_LIMIT (a
 * module of more than 256 MiB). */
enum error ir_rewrite_file(struct arena *arena, const char *from, const char *to,
                           struct diagnostic *diagnostic);

/* Adds a module [length], changed, to *out. Names in the module are changed in place. */
void ir_rewrite(char *module, size_t length, struct text *out);

#endif
