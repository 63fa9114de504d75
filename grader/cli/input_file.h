/* input_file.h: reads a file named on the command line, or standard input. */
#ifndef GPUGRADE_CLI_INPUT_FILE_H
#define GPUGRADE_CLI_INPUT_FILE_H

#include "base/arena.h"
#include "base/diagnostic.h"

#include <stddef.h>

/* Reads a regular file of at most `limit_bytes`, or all of standard input for "-"; a NUL follows
 * the bytes, which live in the arena. Errors, all of them usage: those of file_read. */
enum error input_file_read(struct arena *arena, const char *path, size_t limit_bytes,
                           char **out_bytes, size_t *out_length, struct diagnostic *diagnostic);

/* Its name in messages: the path, or "standard input". */
const char *input_file_name(const char *path);

#endif
