/* class_folder.h: what a folder of an export contains: names and kinds; links are not followed. */
#ifndef GPUGRADE_BATCH_CLASS_FOLDER_H
#define GPUGRADE_BATCH_CLASS_FOLDER_H

#include "base/arena.h"
#include "base/diagnostic.h"

#include <stdbool.h>
#include <stddef.h>

enum class_item_kind {
    CLASS_ITEM_FOLDER,
    CLASS_ITEM_ARCHIVE, /* a file whose name ends like an archive's, also of kinds that gpugrade
                           does not accept: the student gets a message about it */
    CLASS_ITEM_SOURCE,  /* .cu, .ipynb */
    CLASS_ITEM_FILE,    /* any other file */
    CLASS_ITEM_LINK,    /* links, pipes, devices */
    CLASS_ITEM_RESULTS, /* a folder in which a batch keeps its store */
};

struct class_item {
    const char *name; /* the bytes of the file system */
    const char *path; /* absolute */
    enum class_item_kind kind;
};

struct class_folder {
    const char *path;
    const struct class_item *items; /* [count] by name; without hidden ones */
    size_t count;
};

/* Lists a folder. Errors: ERROR_NOT_FOUND, ERROR_IO, blaming usage. */
enum error class_folder_read(struct arena *arena, const char *path, struct class_folder *out_folder,
                             struct diagnostic *diagnostic);

/* The item of a name; NULL if there is none. */
const struct class_item *class_folder_find(const struct class_folder *folder, const char *name);

size_t class_folder_count(const struct class_folder *folder, enum class_item_kind kind);

/* Length of a file's name without the ending of its kind: 4 for "anna.tar.gz". */
size_t class_item_stem(const char *name);

/* The hash that class_entry.stamp describes, of a file or of everything in a folder except hidden
 * files. An unreadable file counts as unreadable. */
const char *class_item_stamp(struct arena *arena, const char *path);

#endif
