/* result_file.h: a file that --json or --html names, or a folder for results: checked before the
 * work, written after it. */
#ifndef GPUGRADE_CLI_RESULT_FILE_H
#define GPUGRADE_CLI_RESULT_FILE_H

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/text.h"

#include <stdbool.h>

/* Finds out before the work starts that the result will have a place; "-" is standard output.
 * `option` is the option that names it, without its dashes.
 * Errors, all of them usage: ERROR_RANGE (no name of a file), ERROR_IO. */
enum error result_file_check(struct arena *arena, const char *option, const char *path,
                             struct diagnostic *diagnostic);

/* Writes the result whole or not at all, and complains where it cannot. Signals wait meanwhile, so
 * that no temporary file stays. A device or a named pipe is written in its place. */
bool result_file_write(const char *path, const struct text *text);

/* Refuses a folder that holds something: nothing of it is ever written over. One that is not there
 * yet is fine. Errors, both of them usage: ERROR_RANGE (not empty), ERROR_IO. */
enum error result_folder_check(const char *folder, struct diagnostic *diagnostic);

#endif
