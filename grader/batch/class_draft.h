/* class_draft.h: a class while it is read: entries and remarks, to which the shapes of exports add.
 *
 * Names of files become text here: what is no UTF-8 or cannot be shown appears as \xNN.
 */
#ifndef GPUGRADE_BATCH_CLASS_DRAFT_H
#define GPUGRADE_BATCH_CLASS_DRAFT_H

#include "batch/class_folder.h"
#include "batch/class_list.h"

struct class_draft {
    struct arena *arena;
    struct class_entry *entries;
    size_t entry_count, entry_capacity;
    const char **remarks;
    size_t remark_count, remark_capacity;
};

void class_draft_init(struct class_draft *draft, struct arena *arena);

/* The text for a name, or for its first `length` bytes. */
const char *class_draft_text(const struct class_draft *draft, const char *name, size_t length);

void class_draft_remark(struct class_draft *draft, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Says that an item is left out because it is not what the shape has there; links say so. */
void class_draft_left_out(struct class_draft *draft, const struct class_item *item,
                          const char *expected);

/* Add an entry; `entry` says who, the rest is filled in: `submission` is the item's name if it is
 * NULL.
 *   item    a folder (if a lone archive and no source lies in it, that archive), or an archive
 *   files   [count] what a student has handed in among the files of others, called names[i]: the
 *           sources, with what else is there, or the archive if there is no source; the newest,
 *           that is the last, of several */
void class_draft_item(struct class_draft *draft, struct class_entry entry,
                      const struct class_item *item);
void class_draft_files(struct class_draft *draft, struct class_entry entry,
                       const struct class_item *const *files, const char *const *names,
                       size_t count);

/* Remarks entries of one student that an export has with different addresses: an id that is wrong,
 * or somebody else's. Before a roster is applied, which has one address for each person. */
void class_draft_check_addresses(struct class_draft *draft);

/* Gives each entry a `submission` of its own, and sorts by it. */
void class_draft_name(struct class_draft *draft);

/* "" for what is NULL, and sorts. Remarks entries that a roster has given to one person, though the
 * platform knows them as different ones. */
void class_draft_finish(struct class_draft *draft);

#endif
