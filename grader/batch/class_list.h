/* class_list.h: who handed in what: a folder of submissions, or an export of a learning platform.
 *
 *     SUBMISSIONS --one of class_exports.def--> entries
 *     roster.csv  --roster.h----------------->  names, addresses, those who handed in nothing
 *     RESULTS     --class_known.h------------>  what was known before, if these two do not say it
 *
 * The format (shape) is recognised by what the folder contains; each has a file, export_NAME.c.
 * Nothing is unpacked or compiled here, and links are not followed.
 */
#ifndef GPUGRADE_BATCH_CLASS_LIST_H
#define GPUGRADE_BATCH_CLASS_LIST_H

#include "base/arena.h"
#include "base/date.h"
#include "base/diagnostic.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One thing that was handed in. */
struct class_entry {
    const char *student;   /* key: entries with the same key are attempts of one student */
    const char *name;      /* from the export; "" if it has none */
    const char *email;     /* likewise */
    const char *canvas_id; /* likewise; also the next two */
    const char *login;
    const char *moodle_id;
    const char *submission; /* below SUBMISSIONS, unique */
    const char *path; /* absolute: a folder or an archive; else loose files, see loose_files.h */
    bool is_folder;
    const char *stamp; /* [64 digits] hash of the names, sizes and times of its files: it changes if
                          a file is changed, added or removed */
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
    int64_t submitted;  /* time of their submission, seconds since 1970; 0: not given */
    const char *before; /* the key of this person in RESULTS; NULL: the same key, or not known */
};

/* What RESULTS already know about a class; see class_known.h. */
struct class_known;

struct class_list {
    const char *shape; /* "folders", "gradescope", "moodle", "canvas", "github-classroom" */
    const struct class_entry *entries; /* [entry_count] by student, then by time */
    size_t entry_count;
    const struct class_person *people; /* [person_count] of the roster, in its order */
    size_t person_count;
    const char *const *remarks; /* [remark_count] what was skipped and why, for the user */
    size_t remark_count;
};

/* Where a roster is. */
struct roster_source {
    const char *path;
    const struct date_zone *zone; /* of times without a zone; NULL: they cannot be read */
};

/* Reads the folder `path` (absolute). `roster` NULL: no roster; `known` NULL: nothing is
 * known. Errors: ERROR_NOT_FOUND (also for an empty folder), ERROR_IO, ERROR_SYNTAX, ERROR_RANGE
 * (two students with one key); they blame usage. */
enum error class_list_read(struct arena *arena, const char *path,
                           const struct roster_source *roster, const struct class_known *known,
                           struct class_list *out_list, struct diagnostic *diagnostic);

#endif
