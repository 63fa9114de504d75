/* intake_list.h: the list of a submission's files while a folder or an archive is read.
 *
 * Both add each entry here, so both obey the same rules and give the same list:
 *
 *   name    good by the rules of entry_name.h; entries that it leaves out are dropped
 *   number  at most 2000 files and 2000 folders
 *   bytes   at most 16 MiB each, 64 MiB together
 *   clash   no two entries with the same name, or with names that are the same on Windows or macOS;
 *           no file that is also a folder
 *
 * Every refusal names the entry and blames the submission.
 */
#ifndef GPUGRADE_SUBMISSION_INTAKE_LIST_H
#define GPUGRADE_SUBMISSION_INTAKE_LIST_H

#include "base/arena.h"
#include "base/diagnostic.h"

#include <stddef.h>
#include <stdint.h>

enum {
    INTAKE_FILES_MAX = 2000,
    INTAKE_FOLDERS_MAX = 2000,
    INTAKE_FILE_BYTES_MAX = 16 << 20,
    INTAKE_TREE_BYTES_MAX = 64 << 20,
};

/* One file: its name relative to the submission, and its contents. */
struct intake_file {
    const char *name;
    const char *bytes; /* [length], and a NUL */
    size_t length;
    const char *handed_in; /* the name that it had, if it was taken under another one
                              (intake_names.h); else NULL */
    const char *notebook;  /* whose cell wrote it (intake_notebook.h); NULL: a file by itself */
};

/* Something that is neither a file nor a folder. */
struct intake_stray {
    const char *name;
    const char *what; /* "a symbolic link" */
};

struct intake_list {
    struct arena *arena;
    const char *shown; /* the submission's name as the user gave it, for messages */
    struct intake_file *files;
    size_t file_count, file_capacity;
    const char **folders; /* every folder that has an entry of its own */
    size_t folder_count, folder_capacity;
    struct intake_stray *strays;
    size_t stray_count, stray_capacity;
    size_t total_bytes;
};

/* Starts an empty list, which lives in the arena. */
void intake_list_init(struct intake_list *list, struct arena *arena, const char *shown);

/* Cleans and checks a name: *out_name is NULL for an entry that is left out, and for the submission
 * itself. Errors: ERROR_SYNTAX. */
enum error intake_list_name(struct intake_list *list, const char *raw, size_t length,
                            const char **out_name, struct diagnostic *diagnostic);

/* Refuses a size that is too large, before the bytes are read. Errors: ERROR_LIMIT. */
enum error intake_list_fits(struct intake_list *list, const char *name, uint64_t bytes,
                            struct diagnostic *diagnostic);

/* Adds a file with a name from intake_list_name(); the bytes are not copied. Errors: ERROR_LIMIT.
 */
enum error intake_list_file(struct intake_list *list, const char *name, const char *bytes,
                            size_t length, struct diagnostic *diagnostic);

/* Adds a folder, likewise. Errors: ERROR_LIMIT. */
enum error intake_list_folder(struct intake_list *list, const char *name,
                              struct diagnostic *diagnostic);

/* Notes an entry that is skipped. */
void intake_list_stray(struct intake_list *list, const char *name, const char *what);

/* Sorts everything by name and refuses names that clash. Errors: ERROR_SYNTAX. */
enum error intake_list_finish(struct intake_list *list, struct diagnostic *diagnostic);

/* Fills a diagnostic about one entry: "'<entry>' <fault>; <remedy>". */
void intake_list_refuse(const struct intake_list *list, const char *entry, size_t length,
                        const char *fault, const char *remedy, struct diagnostic *diagnostic);

#endif
