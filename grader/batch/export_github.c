/* export_github.c: repositories of GitHub Classroom, cloned with `gh classroom clone
 * student-repos`.
 *
 *     lab-6-submissions/lab-6-janedoe/.git      assignment "lab-6", login "janedoe"
 *     lab-6-submissions/lab-6-jim-beam/.git
 *
 * The assignment's name is that of the folder, else what the names have in common up to a hyphen.
 * `.git` itself is neither read nor graded: git would act on what a student may have put there, and
 * a commit's time is whatever its author says. Classroom's grades.csv as a roster tells times.
 */
#include "batch/class_exports.h"

#include "base/file.h"

#include <string.h>
#include <sys/stat.h>

static bool is_repository(struct arena *arena, const struct class_item *item)
{
    struct stat status;

    return item->kind == CLASS_ITEM_FOLDER &&
           lstat(arena_printf(arena, "%s/.git", item->path), &status) == 0;
}

bool export_github_fits(const struct class_folder *folder)
{
    struct arena *arena = arena_new();
    size_t repositories = 0;

    for (size_t i = 0; i < folder->count; i++) {
        repositories += is_repository(arena, &folder->items[i]);
    }
    arena_free(arena);
    return repositories > 0 && repositories == class_folder_count(folder, CLASS_ITEM_FOLDER);
}

/* Length of what all names begin with, up to and with a hyphen. */
static size_t common_length(const struct class_folder *folder)
{
    const char *first = NULL;
    size_t length = 0;
    size_t count = 0;

    for (size_t i = 0; i < folder->count; i++) {
        const char *name = folder->items[i].name;
        if (folder->items[i].kind != CLASS_ITEM_FOLDER) {
            continue;
        }
        first = first == NULL ? name : first;
        length = count++ == 0 ? strlen(name) : length;
        size_t same = 0;
        while (same < length && name[same] == first[same]) {
            same++;
        }
        length = same;
    }
    while (count > 1 && length > 0 && first[length - 1] != '-') {
        length--;
    }
    return count > 1 ? length : 0;
}

/* Length of the assignment's name and a hyphen. */
static size_t assignment_length(struct arena *arena, const struct class_folder *folder)
{
    static const char ending[] = "-submissions";
    const char *name = path_name(folder->path);
    size_t length = strlen(name);

    if (length > sizeof ending - 1 && strcmp(name + length - (sizeof ending - 1), ending) == 0) {
        size_t prefix = length - (sizeof ending - 1);
        const char *wanted = arena_printf(arena, "%.*s-", (int)prefix, name);
        bool all = true;
        for (size_t i = 0; i < folder->count; i++) {
            all &= folder->items[i].kind != CLASS_ITEM_FOLDER ||
                   strncmp(folder->items[i].name, wanted, prefix + 1) == 0;
        }
        if (all) {
            return prefix + 1;
        }
    }
    return common_length(folder);
}

enum error export_github_read(struct class_draft *draft, const struct class_folder *folder,
                              struct diagnostic *diagnostic)
{
    size_t prefix = assignment_length(draft->arena, folder);

    (void)diagnostic;
    for (size_t i = 0; i < folder->count; i++) {
        const struct class_item *item = &folder->items[i];
        if (item->kind != CLASS_ITEM_FOLDER) {
            class_draft_left_out(draft, item, "a student's repository");
            continue;
        }
        size_t length = strlen(item->name);
        size_t skipped = prefix < length ? prefix : 0;
        const char *login = class_draft_text(draft, item->name + skipped, length - skipped);
        const struct class_entry entry = {.student = login, .login = login};
        class_draft_item(draft, entry, item);
    }
    return ERROR_NONE;
}
