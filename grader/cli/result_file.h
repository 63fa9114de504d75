/* result_file.h: a file named by --json or --html, or a folder for results. It is checked before
 * the work and written after it. */
#ifndef GPUGRADE_CLI_RESULT_FILE_H
#define GPUGRADE_CLI_RESULT_FILE_H

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/text.h"

#include <stdbool.h>

/* Checks, before the work starts, that the result can be written there; "-" is standard output.
 * `option` is the option that names it, without its dashes.
 * Errors, all of them usage: ERROR_RANGE (not the name of a file), ERROR_IO. */
enum error result_file_check(struct arena *arena, const char *option, const char *path,
                             struct diagnostic *diagnostic);

/* Writes the result completely or not at all; prints a message and returns false if it cannot.
 * Signals are blocked meanwhile, so that no temporary file remains. A device or a named pipe is
 * written directly. */
bool result_file_write(const char *path, const struct text *text);

/* Refuses a folder that is not empty, so that nothing is overwritten. A folder that does not exist
 * yet is fine. Errors, both of them usage: ERROR_RANGE (not empty), ERROR_IO. */
enum error result_folder_check(const char *folder, struct diagnostic *diagnostic);

#endif
