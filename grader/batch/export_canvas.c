/* export_canvas.c: Canvas' "Download Submissions": files side by side, named by Canvas.
 *
 *     doejane_12345_67890_lab.zip            Jane Doe, user 12345, attachment 67890
 *     doejane_LATE_12345_67891_lab-1.cu      late; "-1": a second upload of that name
 *     anon_aB3xY_67890_lab.zip               while grading anonymously
 *     LATE_anon_aB3xY_67890_lab.zip          likewise, late
 *
 * What stands before the attachment is one student's; of their files the newest attachment counts
 * (class_draft_files). How late a submission is does not stand there: times are not known.
 */
#include "batch/class_exports.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A file name taken apart. */
struct canvas_name {
    const struct class_item *item;
    const char *student; /* "doejane_12345" */
    const char *name;    /* "doejane"; "" if anonymous */
    const char *user;    /* "12345"; "" if anonymous */
    unsigned long long attachment;
    const char *file; /* "lab.zip" */
    bool is_late;
};

/* "_12345_" from `text` on: the digits; 0 if they are not there. */
static size_t numbered_part(const char *text)
{
    size_t digits = text[0] == '_' ? strspn(text + 1, "0123456789") : 0;

    return digits > 0 && digits < 19 && text[1 + digits] == '_' ? digits : 0;
}

static bool is_late_anonymous(const char *name)
{
    return strncmp(name, "LATE_anon_", strlen("LATE_anon_")) == 0;
}

/* Behind "anon_aB3xY"; NULL if the name is not anonymous. */
static const char *pass_anonymous(const char *name)
{
    static const char mark[] = "anon_";
    size_t length = 0;

    name += is_late_anonymous(name) ? strlen("LATE_") : 0;
    if (strncmp(name, mark, sizeof mark - 1) != 0) {
        return NULL;
    }
    name += sizeof mark - 1;
    while (isalnum((unsigned char)name[length])) {
        length++;
    }
    return length > 0 ? name + length : NULL;
}

/* Finds "_USER_ATTACHMENT_": where it begins, and the digits of the user; NULL if it is not there.
 */
static const char *find_numbers(const char *name, size_t *out_user)
{
    const char *anonymous = pass_anonymous(name);

    if (anonymous != NULL && numbered_part(anonymous) > 0) {
        *out_user = 0;
        return anonymous;
    }
    for (const char *at = strchr(name + 1, '_'); at != NULL; at = strchr(at + 1, '_')) {
        size_t user = numbered_part(at);
        if (user > 0 && numbered_part(at + 1 + user) > 0) {
            *out_user = user;
            return at;
        }
    }
    return NULL;
}

static bool parse(struct arena *arena, const struct class_item *item, struct canvas_name *out)
{
    static const char late[] = "_LATE";
    size_t user;
    const char *name = item->name;
    const char *numbers = name[0] == '\0' ? NULL : find_numbers(name, &user);

    if (numbers == NULL) {
        return false;
    }
    const char *attachment = user > 0 ? numbers + 1 + user : numbers;
    const char *file = attachment + 1 + numbered_part(attachment) + 1;
    size_t length = (size_t)(numbers - name);
    size_t mark = sizeof late - 1;
    bool is_late = length > mark && memcmp(numbers - mark, late, mark) == 0;
    length -= is_late ? mark : 0;
    if (user == 0 && is_late_anonymous(name)) {
        is_late = true;
        name += mark;
        length -= mark;
    }
    *out = (struct canvas_name){
        .item = item,
        .name = user > 0 ? arena_strndup(arena, name, length) : "",
        .user = arena_strndup(arena, numbers + 1, user),
        .attachment = strtoull(attachment + 1, NULL, 10),
        .file = file,
        .is_late = is_late,
    };
    out->student = user > 0 ? arena_printf(arena, "%s_%s", out->name, out->user)
                            : arena_strndup(arena, name, length);
    return file[0] != '\0';
}

/* Every archive and every source is named so, and there are no folders. */
bool export_canvas_fits(const struct class_folder *folder)
{
    struct arena *arena = arena_new();
    struct canvas_name name;
    size_t count = 0;
    bool fits = class_folder_count(folder, CLASS_ITEM_FOLDER) == 0;

    for (size_t i = 0; i < folder->count && fits; i++) {
        const struct class_item *item = &folder->items[i];
        bool counts = item->kind == CLASS_ITEM_ARCHIVE || item->kind == CLASS_ITEM_SOURCE;
        fits = !counts || parse(arena, item, &name);
        count += counts;
    }
    arena_free(arena);
    return fits && count > 0;
}

static int compare_names(const void *left, const void *right)
{
    const struct canvas_name *a = left;
    const struct canvas_name *b = right;
    int order = strcmp(a->student, b->student);

    return order != 0 ? order : (a->attachment > b->attachment) - (a->attachment < b->attachment);
}

static void add_student(struct class_draft *draft, const struct canvas_name *names, size_t count)
{
    const struct class_item **items = arena_array(draft->arena, count, sizeof *items);
    const char **files = arena_array(draft->arena, count, sizeof *files);
    const char *student = class_draft_text(draft, names[0].student, strlen(names[0].student));
    bool is_late = false;

    for (size_t i = 0; i < count; i++) {
        items[i] = names[i].item;
        files[i] = names[i].file;
        is_late |= names[i].is_late;
    }
    if (is_late) {
        class_draft_remark(draft,
                           "'%s' is marked LATE by Canvas, but Canvas does not say by how much; "
                           "add the time to the roster, in a column 'submitted'",
                           student);
    }
    const struct class_entry entry = {
        .student = student,
        .name = class_draft_text(draft, names[0].name, strlen(names[0].name)),
        .canvas_id = names[0].user,
        .submission = student,
    };
    class_draft_files(draft, entry, items, files, count);
}

enum error export_canvas_read(struct class_draft *draft, const struct class_folder *folder,
                              struct diagnostic *diagnostic)
{
    struct canvas_name *names = arena_array(draft->arena, folder->count, sizeof *names);
    size_t count = 0;

    (void)diagnostic;
    for (size_t i = 0; i < folder->count; i++) {
        const struct class_item *item = &folder->items[i];
        bool is_file = item->kind != CLASS_ITEM_LINK && item->kind != CLASS_ITEM_RESULTS &&
                       item->kind != CLASS_ITEM_FOLDER;
        if (is_file && parse(draft->arena, item, &names[count])) {
            count++;
        } else {
            class_draft_left_out(draft, item,
                                 "a file named by Canvas, such as doejane_12_34_lab.zip");
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
