/* kernel_copies.h: a source in which each of several short changes has a kernel of its own.
 *
 *   __global__ void step(...) { ... }                      as the submission has it
 *   __global__ void step_gpugrade_variant_0(...) { ... }   with change 0
 *   __global__ void step_gpugrade_variant_1(...) { ... }   with change 1
 *
 * So one compilation makes all of them, and they share the variables of the source. Only changes
 * within one function of device code are taken. Functions that use it are copied too, and use its
 * copy: kernels that call it, and the host's functions that launch those, of which templates get
 * their instances.
 */
#ifndef GPUGRADE_DIAGNOSIS_FIXES_KERNEL_COPIES_H
#define GPUGRADE_DIAGNOSIS_FIXES_KERNEL_COPIES_H

#include "model/line_fix.h"
#include "source/source_index.h"

#include <stdbool.h>

/* Lines of the new text that belong to one change. */
struct copied_lines {
    size_t change; /* its index */
    int first, last;
};

struct kernel_copies {
    const char *text; /* [length] */
    size_t length;
    const struct copied_lines *lines; /* [line_count] */
    size_t line_count;
    size_t taken; /* how many changes have kernels */
};

/* The kernel or device function of a file that a change lies in; NULL: in none, or in more than
 * one, or in one that shares a line with other code. */
const struct source_function *kernel_copies_function(const struct program_file *file,
                                                     const struct line_fixes *change);

/* Makes the copies of the changes [count] of a file that `wanted` names; their names end with
 * `ending` and the number of the change. Changes that no kernel uses have none. In the arena. */
struct kernel_copies kernel_copies_make(struct arena *arena, const struct program_file *file,
                                        const struct line_fixes *changes, const bool *wanted,
                                        size_t count, const char *ending);

#endif
