/* class_draft.h: a class while it is being read: entries and remarks, added by the readers of the
 * export formats.
 *
 * File names become text here: bytes that are not UTF-8 or not printable appear as \xNN.
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

/* The printable text of a name's first `length` bytes. */
const char *class_draft_text(const struct class_draft *draft, const char *name, size_t length);

void class_draft_remark(struct class_draft *draft, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds the remark that an item is skipped because it is not what the format has there, or because
 * it is a link. */
void class_draft_left_out(struct class_draft *draft, const struct class_item *item,
                          const char *expected);

/* Add an entry; `entry` says who, the rest is filled in: `submission` is the item's name if it is
 * NULL.
 *   item    a folder (or the archive in it, if it holds one archive and no source), or an archive
 *   files   [count] the files of one student in a folder with those of others, called names[i]: the
 *           sources, with any other files, or the archive if there is no source; of several
 *           archives the newest, which is the last */
void class_draft_item(struct class_draft *draft, struct class_entry entry,
                      const struct class_item *item);
void class_draft_files(struct class_draft *draft, struct class_entry entry,
                       const struct class_item *const *files, const char *const *names,
                       size_t count);

/* Adds a remark for entries of one student that have different addresses in the export: an id is
 * wrong, or belongs to someone else. Call it before a roster is applied, because a roster has one
 * address for each person. */
void class_draft_check_addresses(struct class_draft *draft);

/* Makes the `submission` of each entry unique, and sorts by it. */
void class_draft_name(struct class_draft *draft);

/* Replaces NULL by "", and sorts. Adds a remark for entries that the roster assigns to one person
 * although the platform has them as different people. */
void class_draft_finish(struct class_draft *draft);

#endif
