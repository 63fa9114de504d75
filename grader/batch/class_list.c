/* class_list.c: see class_list.h. */
#include "batch/class_list.h"

#include "batch/class_exports.h"
#include "batch/roster.h"

struct shape {
    const char *name;
    bool (*fits)(const struct class_folder *folder);
    enum error (*read)(struct class_draft *draft, const struct class_folder *folder,
                       struct diagnostic *diagnostic);
};

static const struct shape shapes[] = {
#define CLASS_EXPORT(shape, name) {name, export_##shape##_fits, export_##shape##_read},
#include "batch/class_exports.def"
#undef CLASS_EXPORT
};

enum { SHAPE_COUNT = sizeof shapes / sizeof shapes[0] };

/* The last one fits always. */
static size_t find_shape(const struct class_folder *folder)
{
    size_t i = 0;

    while (i + 1 < SHAPE_COUNT && !shapes[i].fits(folder)) {
        i++;
    }
    return i;
}

/* The only folder, if nothing else is there that could be a submission; NULL otherwise. */
static const struct class_item *only_folder(const struct class_folder *folder)
{
    const struct class_item *found = NULL;

    for (size_t i = 0; i < folder->count; i++) {
        enum class_item_kind kind = folder->items[i].kind;
        if (kind == CLASS_ITEM_ARCHIVE || kind == CLASS_ITEM_SOURCE ||
            (kind == CLASS_ITEM_FOLDER && found != NULL)) {
            return NULL;
        }
        found = kind == CLASS_ITEM_FOLDER ? &folder->items[i] : found;
    }
    return found;
}

/* An export is often unpacked into a folder of its own: if there is only one folder and it looks
 * like an export, it is entered. */
static enum error enter(struct arena *arena, struct class_folder *folder, size_t *shape,
                        struct diagnostic *diagnostic)
{
    const struct class_item *only = only_folder(folder);
    struct class_folder inner;

    *shape = find_shape(folder);
    if (*shape + 1 < SHAPE_COUNT || only == NULL) {
        return ERROR_NONE;
    }
    enum error error = class_folder_read(arena, only->path, &inner, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    size_t inner_shape = find_shape(&inner);
    if (inner_shape + 1 < SHAPE_COUNT) {
        *folder = inner;
        *shape = inner_shape;
    }
    return ERROR_NONE;
}

/* Says whose the entries are, by the roster and by what is known. */
static enum error find_owners(struct class_draft *draft, const struct roster_source *source,
                              const struct class_known *known, struct class_list *out_list,
                              struct diagnostic *diagnostic)
{
    struct roster roster = {.count = 0};
    enum error error =
        source == NULL ? ERROR_NONE : roster_read(draft->arena, source, &roster, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    roster_apply(&roster, known, draft);
    out_list->people = roster.people;
    out_list->person_count = roster.count;
    return ERROR_NONE;
}

enum error class_list_read(struct arena *arena, const char *path,
                           const struct roster_source *roster, const struct class_known *known,
                           struct class_list *out_list, struct diagnostic *diagnostic)
{
    struct class_draft draft;
    struct class_folder folder;
    struct class_list list = {0};
    size_t shape = 0;

    class_draft_init(&draft, arena);
    enum error error = class_folder_read(arena, path, &folder, diagnostic);
    if (error == ERROR_NONE) {
        error = enter(arena, &folder, &shape, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = shapes[shape].read(&draft, &folder, diagnostic);
    }
    if (error == ERROR_NONE && draft.entry_count == 0) {
        diagnostic_set(diagnostic, BLAME_USAGE,
                       "no submission in '%s': expected folders, archives or .cu files, or an "
                       "unpacked export of Gradescope, Moodle, Canvas or GitHub Classroom",
                       path);
        error = ERROR_NOT_FOUND;
    }
    if (error == ERROR_NONE) {
        class_draft_check_addresses(&draft);
    }
    if (error == ERROR_NONE) {
        class_draft_name(&draft);
        error = find_owners(&draft, roster, known, &list, diagnostic);
    }
    if (error != ERROR_NONE) {
        return error;
    }
    class_draft_finish(&draft);
    list.shape = shapes[shape].name;
    list.entries = draft.entries;
    list.entry_count = draft.entry_count;
    list.remarks = draft.remarks;
    list.remark_count = draft.remark_count;
    *out_list = list;
    return ERROR_NONE;
}
