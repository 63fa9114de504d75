/* export_moodle.c: Moodle's "Download all submissions", in folders or not.
 *
 *     Jane Doe_1234567_assignsubmission_file/lab.cu        a folder a student; older: file_
 *     Jane Doe_1234567_assignsubmission_file_lab.zip       files side by side
 *     Participant_1234567_assignsubmission_file_lab.zip    while grading blindly
 *     Jane Doe_1234567_assignsubmission_onlinetext/        what was typed in; left out
 *
 * The number is the participant's in this assignment: "Participant 1234567" in the grading
 * worksheet. Times are not told: those of the files are when Moodle packed them.
 */
#include "batch/class_exports.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static const char mark[] = "_assignsubmission_";
static const char file_mark[] = "_assignsubmission_file";

struct moodle_name {
    const struct class_item *item;
    const char *student; /* "Jane Doe_1234567" */
    const char *name;    /* "Jane Doe" */
    const char *number;  /* "1234567" */
    const char *file;    /* "lab.zip"; "" of a folder */
};

static bool parse(struct arena *arena, const struct class_item *item, struct moodle_name *out)
{
    const char *end = strstr(item->name, file_mark);
    const char *digits = end;

    if (end == NULL || item->kind == CLASS_ITEM_LINK || item->kind == CLASS_ITEM_RESULTS) {
        return false;
    }
    while (digits > item->name && digits[-1] >= '0' && digits[-1] <= '9') {
        digits--;
    }
    if (digits == end || digits <= item->name + 1 || digits[-1] != '_') {
        return false;
    }
    const char *file = end + sizeof file_mark - 1;
    *out = (struct moodle_name){
        .item = item,
        .student = arena_strndup(arena, item->name, (size_t)(end - item->name)),
        .name = arena_strndup(arena, item->name, (size_t)(digits - item->name) - 1),
        .number = arena_strndup(arena, digits, (size_t)(end - digits)),
        .file = file + (file[0] == '_'),
    };
    return item->kind == CLASS_ITEM_FOLDER || out->file[0] != '\0';
}

bool export_moodle_fits(const struct class_folder *folder)
{
    for (size_t i = 0; i < folder->count; i++) {
        if (strstr(folder->items[i].name, mark) != NULL) {
            return true;
        }
    }
    return false;
}

static int compare_names(const void *left, const void *right)
{
    const struct moodle_name *a = left;
    const struct moodle_name *b = right;
    int order = strcmp(a->student, b->student);

    return order != 0 ? order : strcmp(a->item->name, b->item->name);
}

static struct class_entry entry_of(struct class_draft *draft, const struct moodle_name *name)
{
    bool is_blind = strcmp(name->name, "Participant") == 0;

    return (struct class_entry){
        .student = class_draft_text(draft, name->student, strlen(name->student)),
        .name = is_blind ? "" : class_draft_text(draft, name->name, strlen(name->name)),
        .moodle_id = arena_printf(draft->arena, "Participant %s", name->number),
    };
}

static void add_student(struct class_draft *draft, const struct moodle_name *names, size_t count)
{
    const struct class_item **items = arena_array(draft->arena, count, sizeof *items);
    const char **files = arena_array(draft->arena, count, sizeof *files);
    size_t file_count = 0;
    struct class_entry entry = entry_of(draft, &names[0]);

    for (size_t i = 0; i < count; i++) {
        if (names[i].item->kind == CLASS_ITEM_FOLDER) {
            class_draft_item(draft, entry, names[i].item);
            continue;
        }
        items[file_count] = names[i].item;
        files[file_count++] = names[i].file;
    }
    if (file_count > 0) {
        entry.submission = entry.student;
        class_draft_files(draft, entry, items, files, file_count);
    }
}

enum error export_moodle_read(struct class_draft *draft, const struct class_folder *folder,
                              struct diagnostic *diagnostic)
{
    struct moodle_name *names = arena_array(draft->arena, folder->count, sizeof *names);
    size_t count = 0;

    (void)diagnostic;
    for (size_t i = 0; i < folder->count; i++) {
        const struct class_item *item = &folder->items[i];
        if (parse(draft->arena, item, &names[count])) {
            count++;
        } else {
            class_draft_left_out(
                draft, item,
                "a name given by Moodle, such as 'Jane Doe_123_assignsubmission_file'");
        }
    }
    qsort(names, count, sizeof *names, compare_names);
    for (size_t i = 0, first = 0; i < count; i++) {
        if (i + 1 == count || strcmp(names[i + 1].student, names[first].student) != 0) {
            add_student(draft, names + first, i + 1 - first);
            first = i + 1;
        }
    }
    return ERROR_NONE;
}
