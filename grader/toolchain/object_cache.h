/* object_cache.h: builds harness objects once and keeps them.
 *
 * An object is named by the hash of everything that decides it: the contents of the coursework's
 * files that its program lists (harness and given), the flags and macros, the toolkit and the host
 * compiler. Files are written whole or not at all, so graders share a cache without locks.
 */
#ifndef GPUGRADE_TOOLCHAIN_OBJECT_CACHE_H
#define GPUGRADE_TOOLCHAIN_OBJECT_CACHE_H

#include "base/text.h"
#include "toolchain/toolchain.h"

/* Hashes what decides an object: `name` is the harness file, `command` [command_count] the
 * compiler's arguments without paths of one submission. Errors: ERROR_COURSEWORK (a file of the
 * coursework is missing). */
enum error object_cache_key(const struct toolchain *toolchain, const struct rubric *rubric,
                            const struct rubric_program *program, const char *name,
                            const char *const *command, char out_key[65],
                            struct diagnostic *diagnostic);

/* Appends a file's name and the hash of its contents to the text that a key is made from. Errors:
 * ERROR_COURSEWORK if a file of the coursework cannot be read (BLAME_RUBRIC), else
 * ERROR_ENVIRONMENT.
 */
enum error object_cache_add_file(struct text *text, struct arena *arena, const char *folder,
                                 const char *name, enum blame blame, struct diagnostic *diagnostic);

/* Copies the kept object to `path`; false if there is none. */
bool object_cache_take(const struct toolchain *toolchain, const char *key, const char *path);

/* Keeps an object. If the cache cannot be written, that only costs time later. */
void object_cache_keep(const struct toolchain *toolchain, const char *key, const char *path);

#endif
