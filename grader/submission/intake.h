/* intake.h: takes a submission in: reads it into memory, then writes it to a private folder.
 *
 *   folder   --intake_folder-->                 \
 *                                                intake_files --intake_place--> <work>/source
 *   archive  --gpugrade-unpack--> records -->   /
 *
 * Notebooks are replaced by the files that their cells write (intake_notebook.h).
 * Between the two steps the coursework is recognised by the file names, and files whose names are
 * nearly right get the right ones (intake_names.h). The copy is what is judged,
 * hashed and compiled, so changes of the original meanwhile do not matter. The same files have the
 * same hash, in a folder or in an archive. Given files of the coursework replace the student's
 * files of the same name.
 *
 * Checks of the source read the text that is compiled; bytes that are not UTF-8 become replacement
 * characters in it. A file above 4 MiB that a source may include is refused, like such a source
 * (build_job.h).
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

/* All files of a submission. */
struct intake_files {
    const char *shown;               /* the user's name for it, with the folder that was entered */
    const struct intake_file *files; /* [count], by name */
    size_t count;
    const struct intake_stray *strays; /* [stray_count], by name: links and the like, skipped */
    size_t stray_count;
};

/* Where a submission is. Members that only an archive needs may be NULL for a folder. */
struct intake_source {
    const char *shown; /* its name as the user gave it */
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
    bool *is_template;            /* [program_count]: all sources are the template's, apart
                                     from white space */
    const struct remark *remarks; /* [remark_count] what was skipped, or taken under another name */
    size_t remark_count;
};

/* Reads a submission into the arena. Errors: those of intake_folder.h and intake_archive.h. */
enum error intake_read(struct arena *arena, const struct intake_source *source,
                       struct intake_files *out_files, struct diagnostic *diagnostic);

/* Finds a file; NULL if there is none of that name. */
const struct intake_file *intake_find(const struct intake_files *files, const char *name);

/* Says what else has the name of a file that is missing: "a symbolic link", "a folder"; "" if
 * nothing has. */
const char *intake_in_place_of(const struct intake_files *files, const char *name);

/* If all files are in one folder, makes that folder the submission: an archive often holds the
 * folder and not the files alone. False if they are not. */
bool intake_enter(struct arena *arena, struct intake_files *files);

/* Hashes the names and contents of all files; intake_place computes the same hash. */
void intake_hash(const struct intake_files *files, char out_hex[65]);

/* Writes the files to <work_folder>/source, a folder that does not exist yet. Errors:
 * ERROR_NOT_FOUND (every source of the coursework is missing; blames usage), ERROR_ENVIRONMENT. */
enum error intake_place(struct arena *arena, const struct rubric *rubric,
                        const struct intake_files *files, const char *work_folder,
                        struct intake *out_intake, struct diagnostic *diagnostic);

#endif
