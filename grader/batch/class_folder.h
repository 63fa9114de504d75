/* class_folder.h: what lies in a folder of an export: names and kinds, no link followed. */
#ifndef GPUGRADE_BATCH_CLASS_FOLDER_H
#define GPUGRADE_BATCH_CLASS_FOLDER_H

#include "base/arena.h"
#include "base/diagnostic.h"

#include <stdbool.h>
#include <stddef.h>

enum class_item_kind {
    CLASS_ITEM_FOLDER,
    CLASS_ITEM_ARCHIVE, /* a file whose name ends as those of archives do, also of kinds that are
                           not taken: whoever sent one is told so */
    CLASS_ITEM_SOURCE,  /* .cu */
    CLASS_ITEM_FILE,    /* any other file */
    CLASS_ITEM_LINK,    /* links, pipes, devices */
    CLASS_ITEM_RESULTS, /* a folder in which a batch keeps its store */
};

struct class_item {
    const char *name; /* as the file system has it */
    const char *path; /* absolute */
    enum class_item_kind kind;
};

struct class_folder {
    const char *path;
    const struct class_item *items; /* [count] by name; hidden ones are left out */
    size_t count;
};

/* Lists a folder. Errors: ERROR_NOT_FOUND, ERROR_IO, blaming usage. */
enum error class_folder_read(struct arena *arena, const char *path, struct class_folder *out_folder,
                             struct diagnostic *diagnostic);

/* The item of a name; NULL if there is none. */
const struct class_item *class_folder_find(const struct class_folder *folder, const char *name);

size_t class_folder_count(const struct class_folder *folder, enum class_item_kind kind);

/* Length of a file's name without what tells its kind: "anna.tar.gz" has 4. */
size_t class_item_stem(const char *name);

/* The hash that class_entry.stamp describes, of a file or of everything in a folder but hidden
 * files. What cannot be looked at counts as such. */
const char *class_item_stamp(struct arena *arena, const char *path);

#endif
