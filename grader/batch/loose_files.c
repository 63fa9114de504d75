/* loose_files.c: see loose_files.h. */
#include "batch/loose_files.h"

#include "base/file.h"
#include "submission/intake_list.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* One file of a path, and how it is called in the end. */
struct loose_file {
    const char *name;
    const char *path;
    const char *target; /* NULL: not decided yet */
};

struct loose_files {
    struct loose_file *files; /* [count] */
    size_t count;
};

bool loose_files_is(const char *path)
{
    return path[0] != '/';
}

/* Names a file within a folder, and can stand in a line. */
static bool is_file_name(const char *name)
{
    return name[0] != '\0' && strcmp(name, ".") != 0 && strcmp(name, "..") != 0 &&
           strpbrk(name, "\t\n/") == NULL;
}

bool loose_files_append(struct text *path, const char *name, const char *file)
{
    if (!is_file_name(name) || strchr(file, '\n') != NULL) {
        return false;
    }
    text_printf(path, "%s\t%s\n", name, file);
    return true;
}

static struct loose_files parse(struct arena *arena, const char *path)
{
    struct loose_files list = {0};
    size_t capacity = 0;

    while (*path != '\0') {
        size_t line = strcspn(path, "\n");
        size_t name = strcspn(path, "\t\n");
        struct loose_file file = {.name = arena_strndup(arena, path, name)};
        if (name < line && is_file_name(file.name)) {
            file.path = arena_strndup(arena, path + name + 1, line - name - 1);
            arena_grow(arena, &list.files, &capacity, list.count + 1, sizeof *list.files);
            list.files[list.count++] = file;
        }
        path += line + (path[line] == '\n');
    }
    return list;
}

/* The digits behind the last mark, "-1" or " (1)", before the ending; the name without them is
 * appended. -1 if there are none. */
static long copy_number(const char *name, struct text *out_plain)
{
    const char *ending = strrchr(name, '.');
    const char *digits = ending;
    bool is_bracketed = ending != NULL && ending > name && ending[-1] == ')';

    if (ending == NULL) {
        return -1;
    }
    digits -= is_bracketed;
    const char *behind = digits;
    while (digits > name && isdigit((unsigned char)digits[-1])) {
        digits--;
    }
    size_t mark = is_bracketed ? 2 : 1;
    if (digits == behind || behind - digits > 6 || (size_t)(digits - name) <= mark ||
        memcmp(digits - mark, is_bracketed ? " (" : "-", mark) != 0) {
        return -1;
    }
    text_append_bytes(out_plain, name, (size_t)(digits - name) - mark);
    text_append(out_plain, ending);
    return strtol(digits, NULL, 10);
}

/* The file that is to be called `wanted`: the one of that name, else the last copy of it. */
static struct loose_file *find_wanted(const struct loose_files *list, const char *wanted)
{
    struct loose_file *best = NULL;
    long best_number = -1;
    struct text plain;

    text_init(&plain);
    for (size_t i = 0; i < list->count; i++) {
        struct loose_file *file = &list->files[i];
        if (strcmp(file->name, wanted) == 0) {
            best = file;
            break;
        }
        text_clear(&plain);
        long number = copy_number(file->name, &plain);
        if (number > best_number && strcmp(plain.bytes, wanted) == 0) {
            best = file;
            best_number = number;
        }
    }
    text_release(&plain);
    return best;
}

static void choose_targets(const struct loose_files *list, const char *const *wanted)
{
    size_t wanted_count = 0;

    for (; wanted[wanted_count] != NULL; wanted_count++) {
        struct loose_file *file = find_wanted(list, wanted[wanted_count]);
        if (file != NULL) {
            file->target = wanted[wanted_count];
        }
    }
    if (list->count == 1 && wanted_count == 1 && !text_ends_with(list->files[0].name, ".ipynb")) {
        list->files[0].target = wanted[0];
    }
}

static bool is_taken(const struct loose_files *list, size_t before, const char *name)
{
    for (size_t i = 0; i < list->count; i++) {
        const char *target = list->files[i].target;
        if (i != before && target != NULL && strcasecmp(target, name) == 0) {
            return true;
        }
    }
    return false;
}

enum error loose_files_place(struct arena *arena, const char *path, const char *folder,
                             const char *const *wanted, struct diagnostic *diagnostic)
{
    struct loose_files list = parse(arena, path);
    enum error error = ERROR_NONE;

    choose_targets(&list, wanted);
    for (size_t i = 0; i < list.count && error == ERROR_NONE; i++) {
        struct loose_file *file = &list.files[i];
        if (file->target == NULL && is_taken(&list, i, file->name)) {
            continue; /* an earlier copy of a file that is there */
        }
        file->target = file->target != NULL ? file->target : file->name;
        error = file_copy(file->path, arena_printf(arena, "%s/%s", folder, file->target), 0644,
                          INTAKE_FILE_BYTES_MAX, diagnostic);
    }
    return error;
}
