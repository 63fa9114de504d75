/* intake.h: a private copy of a student's folder.
 *
 * Only regular files are taken, links are not followed, depth, number and size are bounded. Given
 * files of the coursework replace the student's files of the same name. Every file is opened
 * relative to its folder's descriptor, so nothing outside of the tree can be reached.
 */
#ifndef GPUGRADE_SUBMISSION_INTAKE_H
#define GPUGRADE_SUBMISSION_INTAKE_H

#include "base/arena.h"
#include "base/diagnostic.h"
#include "model/report.h"
#include "model/rubric.h"

struct intake {
    const char *folder;                /* the copy: <work>/source */
    const struct source_file *sources; /* [source_count] text files, by name */
    size_t source_count;
    char sha256[65];   /* over the names and contents of all copied files */
    bool *is_template; /* [program_count]: no source differs from the template's but
                          in blanks */
};

/* Copies `folder` to <work_folder>/source. Errors: ERROR_NOT_FOUND (the folder, or every source of
 * the coursework, is missing), ERROR_LIMIT (too many or too large files), ERROR_IO. They blame
 * usage. */
enum error intake_copy(struct arena *arena, const struct rubric *rubric, const char *folder,
                       const char *work_folder, struct intake *out_intake,
                       struct diagnostic *diagnostic);

#endif
