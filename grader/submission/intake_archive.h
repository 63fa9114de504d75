/* intake_archive.h: reads a student's archive.
 *
 *     archive --bytes--> gpugrade-unpack (libarchive; in the sandbox) --records--> intake_list
 *
 * The helper writes no file and is not trusted: every record is checked like the entry of a folder.
 */
#ifndef GPUGRADE_SUBMISSION_INTAKE_ARCHIVE_H
#define GPUGRADE_SUBMISSION_INTAKE_ARCHIVE_H

#include "sandbox/sandbox.h"
#include "submission/intake_list.h"

enum { INTAKE_ARCHIVE_BYTES_MAX = 80 << 20 };

/* Adds everything in the archive to the list. `helper_folder` holds gpugrade-unpack, `work_folder`
 * is a folder of the grader; the helper is copied there, because the sandbox's user can see no
 * other place. Links, pipes and devices are refused. Errors: ERROR_NOT_FOUND, ERROR_IO (both blame
 * usage), ERROR_UNSUPPORTED (not an archive, or an unsupported format), ERROR_LIMIT, ERROR_SYNTAX
 * (damaged, or refused by intake_list.h), ERROR_ENVIRONMENT. */
enum error intake_read_archive(struct intake_list *list, const struct sandbox *sandbox,
                               const char *helper_folder, const char *work_folder, const char *path,
                               struct diagnostic *diagnostic);

/* Adds the entries in a stream of records (unpack/unpack_stream.h). Errors: those of
 * intake_read_archive that concern the submission. */
enum error intake_read_stream(struct intake_list *list, const char *bytes, size_t length,
                              struct diagnostic *diagnostic);

#endif
