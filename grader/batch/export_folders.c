/* export_folders.c: the plain shape: each folder, archive or source is a student's submission.
 *
 *     anna/            anna
 *     ben.tar.gz       ben
 *     ben.zip          ben, a second attempt
 *     carla.cu         carla
 *     dora.ipynb       dora
 */
#include "batch/class_exports.h"

#include <string.h>

bool export_folders_fits(const struct class_folder *folder)
{
    (void)folder;
    return true;
}

enum error export_folders_read(struct class_draft *draft, const struct class_folder *folder,
                               struct diagnostic *diagnostic)
{
    (void)diagnostic;
    for (size_t i = 0; i < folder->count; i++) {
        const struct class_item *item = &folder->items[i];
        struct class_entry entry = {0};
        switch (item->kind) {
        case CLASS_ITEM_FOLDER:
            entry.student = class_draft_text(draft, item->name, strlen(item->name));
            class_draft_item(draft, entry, item);
            break;
        case CLASS_ITEM_ARCHIVE:
            entry.student = class_draft_text(draft, item->name, class_item_stem(item->name));
            class_draft_item(draft, entry, item);
            break;
        case CLASS_ITEM_SOURCE:
            entry.student = class_draft_text(draft, item->name, class_item_stem(item->name));
            entry.submission = class_draft_text(draft, item->name, strlen(item->name));
            class_draft_files(draft, entry, &item, &item->name, 1);
            break;
        case CLASS_ITEM_FILE:
        case CLASS_ITEM_LINK:
        case CLASS_ITEM_RESULTS:
            class_draft_left_out(draft, item, "a folder, an archive, a .cu file or a notebook");
            break;
        }
    }
    return ERROR_NONE;
}
