/* source_tree.h: the files of a submission, and which of them a program may use.
 *
 * A file is reached if it is a source of the program, or if a source includes a file of its name,
 * directly or through others. Conditions, folders and macros are ignored, so more files may be
 * reached than a compiler reads, but never fewer: an #include without a literal name, or assembly
 * that reads a file, reaches everything.
 */
#ifndef GPUGRADE_TOOLCHAIN_SOURCE_TREE_H
#define GPUGRADE_TOOLCHAIN_SOURCE_TREE_H

#include "base/arena.h"
#include "base/diagnostic.h"
#include "model/rubric.h"

#include <stdbool.h>
#include <stddef.h>

struct source_tree_file {
    const char *name; /* relative to the folder */
    const char *text; /* [length], any bytes; NULL if the file is too long for a source */
    size_t length;
    bool is_reached;
};

struct source_tree {
    const char *folder;
    struct source_tree_file *files; /* [count], by name */
    size_t count;
    bool reads_beyond; /* a file is included by an absolute path or from above the folder */
};

/* Reads a submission's folder, which is in a private folder of the grader, and finds the files that
 * the program reaches. Everything lives in the arena. Errors: ERROR_ENVIRONMENT. */
enum error source_tree_read(struct arena *arena, const char *folder,
                            const struct rubric_program *program, struct source_tree *out_tree,
                            struct diagnostic *diagnostic);

#endif
