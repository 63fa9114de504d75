/* file.h: whole files, whole folders, no half-written results.
 *
 * All descriptors are opened with O_CLOEXEC. Paths come from the grader unless a function says
 * that it is made for a student's tree.
 */
#ifndef GPUGRADE_BASE_FILE_H
#define GPUGRADE_BASE_FILE_H

#include "base/arena.h"
#include "base/diagnostic.h"

#include <stdbool.h>
#include <stddef.h>

/* Reads a regular file of at most `limit_bytes` into the arena; a NUL follows the bytes. Errors:
 * ERROR_NOT_FOUND, ERROR_IO (also if it is not a regular file), ERROR_LIMIT. The diagnostic blames
 * `blame`. */
enum error file_read(struct arena *arena, const char *path, size_t limit_bytes, enum blame blame,
                     char **out_bytes, size_t *out_length, struct diagnostic *diagnostic);

/* Writes a file so that a reader sees the old one or the whole new one: a temporary file next to
 * it, fsync, rename. Nothing remains on failure. It gets the permissions of any new file of the
 * user (0666 without the umask): for files that a user asked for. */
enum error file_write_atomic(const char *path, const void *bytes, size_t length,
                             struct diagnostic *diagnostic);

/* The same for a file of the grader's own: it gets `mode`, whatever the umask. */
enum error file_write_mode(const char *path, unsigned mode, const void *bytes, size_t length,
                           struct diagnostic *diagnostic);

/* Copies a regular file; the new one gets `mode`. The source is opened with O_NOFOLLOW and refused
 * when it is larger than `limit_bytes`: made for a student's tree. That, or not being a regular
 * file, is blamed on the student, everything else on the environment. */
enum error file_copy(const char *from, const char *to, unsigned mode, size_t limit_bytes,
                     struct diagnostic *diagnostic);

/* Makes a new folder, mode 0700, under $TMPDIR or /tmp; the name starts with "gpugrade-". The path
 * lives in the arena. */
enum error folder_make_temporary(struct arena *arena, char **out_path,
                                 struct diagnostic *diagnostic);

/* Makes a folder and its parents; an existing one is fine. New ones get `mode`, whatever the umask:
 * for the grader's own folders, which the users of the sandbox must, or must not, be able to
 * enter. */
enum error folder_make(const char *path, unsigned mode, struct diagnostic *diagnostic);

/* The same with the permissions of any new folder of the user (0777 without the umask): for folders
 * that a user asked for. */
enum error folder_make_usual(const char *path, struct diagnostic *diagnostic);

/* Removes a tree without following links and without recursion on its depth; false if something
 * is left. A path that does not exist is fine. */
bool folder_remove(const char *path);

bool file_exists(const char *path);   /* a regular file */
bool folder_exists(const char *path); /* a folder */

/* The last component of a path. */
const char *path_name(const char *path);

/* SHA-256 (FIPS 180-4, from libmd) of bytes as 64 hexadecimal digits and a NUL. */
void hash_bytes(const void *bytes, size_t length, char out_hex[65]);

#endif
