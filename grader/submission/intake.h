/* intake.h: a submission comes in: read into memory, then put into a private folder.
 *
 *   folder   --intake_folder-->                 \
 *                                                intake_files --intake_place--> <work>/source
 *   archive  --gpugrade-unpack--> records -->   /
 *
 * Between the two the coursework is recognised by the names. What is judged, hashed and compiled is
 * the copy, so nothing that happens to the original meanwhile matters; and the same files have the
 * same hash, however they came. Given files of the coursework replace the student's of that name.
 *
 * Checks of the source read what is compiled: bytes that are not UTF-8 stand as marks. A file above
 * 4 MiB that a source may include is refused, as such a source is (build_job.h).
 */
#ifndef GPUGRADE_SUBMISSION_INTAKE_H
#define GPUGRADE_SUBMISSION_INTAKE_H

#include "base/arena.h"
#include "base/diagnostic.h"
#include "model/report.h"
#include "model/rubric.h"
#include "sandbox/sandbox.h"
#include "submission/intake_list.h"

#include <stdbool.h>

/* Everything that a submission holds. */
struct intake_files {
    const char *shown;               /* what the user called it, with the folder that was entered */
    const struct intake_file *files; /* [count], by name */
    size_t count;
    const struct intake_stray *strays; /* [stray_count], by name: links and the like, left out */
    size_t stray_count;
};

/* Where a submission is. What only an archive needs may be NULL for a folder. */
struct intake_source {
    const char *shown; /* what the user called it */
    const char *path;  /* absolute: a folder or an archive */
    const struct sandbox *sandbox;
    const char *helper_folder; /* holds gpugrade-unpack */
    const char *work_folder;   /* of the grader's own */
};

struct intake {
    const char *folder;                /* the copy: <work>/source */
    const struct source_file *sources; /* [source_count] text files, by name */
    size_t source_count;
    char sha256[65];              /* over the names and contents of all files */
    bool *is_template;            /* [program_count]: no source differs from the template's but
                                     in blanks */
    const struct remark *remarks; /* [remark_count] what was left out */
    size_t remark_count;
};

/* Reads a submission into the arena. Errors: those of intake_folder.h and intake_archive.h. */
enum error intake_read(struct arena *arena, const struct intake_source *source,
                       struct intake_files *out_files, struct diagnostic *diagnostic);

/* Finds a file; NULL if there is none of that name. */
const struct intake_file *intake_find(const struct intake_files *files, const char *name);

/* Says what stands in the place of a file that is not there: "a symbolic link", "a folder"; "" if
 * nothing does. */
const char *intake_in_place_of(const struct intake_files *files, const char *name);

/* If all files lie in one folder, takes what is in that folder for the submission: an archive is
 * often made of the folder, not of the files in it. False if they do not. */
bool intake_enter(struct arena *arena, struct intake_files *files);

/* Hashes the names and contents of all files; what intake_place finds for the same files. */
void intake_hash(const struct intake_files *files, char out_hex[65]);

/* Writes the files to <work_folder>/source, a folder that does not exist yet. Errors:
 * ERROR_NOT_FOUND (every source of the coursework is missing; blames usage), ERROR_ENVIRONMENT. */
enum error intake_place(struct arena *arena, const struct rubric *rubric,
                        const struct intake_files *files, const char *work_folder,
                        struct intake *out_intake, struct diagnostic *diagnostic);

#endif
