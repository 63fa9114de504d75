/* class_list.h: who handed in what: a folder of submissions, or an export of a learning platform.
 *
 *     SUBMISSIONS --one of class_exports.def--> entries
 *     roster.csv  --roster.h----------------->  names, addresses, those who handed in nothing
 *     RESULTS     --class_known.h------------>  what these two do not say, as it was known before
 *
 * A shape is recognised by what lies in the folder; each shape is one file, export_NAME.c. Nothing
 * is unpacked or compiled here, and links are not followed.
 */
#ifndef GPUGRADE_BATCH_CLASS_LIST_H
#define GPUGRADE_BATCH_CLASS_LIST_H

#include "base/arena.h"
#include "base/diagnostic.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One thing that was handed in. */
struct class_entry {
    const char *student;   /* key: entries with the same one are attempts of one student */
    const char *name;      /* as the export tells it; "" where it does not */
    const char *email;     /* likewise */
    const char *canvas_id; /* likewise, and so on */
    const char *login;
    const char *moodle_id;
    const char *submission; /* below SUBMISSIONS, unique */
    const char *path; /* absolute: a folder or an archive; else loose files, see loose_files.h */
    bool is_folder;
    const char *stamp; /* [64 digits] hash of the names, sizes and times of its files: another one,
                          if a file was changed, added or removed */
    int64_t submitted; /* seconds since 1970; 0: not known */
};

/* A line of the roster. */
struct class_person {
    const char *student; /* the key that entries have: see roster_apply */
    const char *id;
    const char *name;
    const char *email;
    const char *canvas_id, *sis_id, *login, *section,
        *moodle_id;     /* "" where there is no such column */
    int64_t submitted;  /* when their submission came, seconds since 1970; 0: not said */
    const char *before; /* the key by which RESULTS know this person; NULL: by this one, or not */
};

/* What RESULTS know of a class already; see class_known.h. */
struct class_known;

struct class_list {
    const char *shape; /* "folders", "gradescope", "moodle", "canvas", "github-classroom" */
    const struct class_entry *entries; /* [entry_count] by student, then by time */
    size_t entry_count;
    const struct class_person *people; /* [person_count] of the roster, in its order */
    size_t person_count;
    const char *const *remarks; /* [remark_count] what was left out and why, for the user */
    size_t remark_count;
};

/* Reads the folder `path` (absolute). `roster_path` NULL: none; `known` NULL: nothing. Errors:
 * ERROR_NOT_FOUND, ERROR_IO, ERROR_SYNTAX, ERROR_RANGE (two students of one key), blaming usage; an
 * empty folder is one. */
enum error class_list_read(struct arena *arena, const char *path, const char *roster_path,
                           const struct class_known *known, struct class_list *out_list,
                           struct diagnostic *diagnostic);

#endif
