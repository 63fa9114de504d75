/* intake_list.c: see intake_list.h. */
#include "submission/intake_list.h"

#include "base/text.h"
#include "submission/entry_name.h"

#include <stdlib.h>
#include <string.h>

enum { STRAYS_MAX = 1000 };

void intake_list_init(struct intake_list *list, struct arena *arena, const char *shown)
{
    *list = (struct intake_list){.arena = arena, .shown = shown};
}

void intake_list_refuse(const struct intake_list *list, const char *entry, size_t length,
                        const char *fault, const char *remedy, struct diagnostic *diagnostic)
{
    struct text quoted;

    text_init(&quoted);
    entry_name_quote(entry, length, &quoted);
    diagnostic_set_at(diagnostic, BLAME_STUDENT, list->shown, 0, 0, "%s %s; %s", quoted.bytes,
                      fault, remedy);
    text_release(&quoted);
}

enum error intake_list_name(struct intake_list *list, const char *raw, size_t length,
                            const char **out_name, struct diagnostic *diagnostic)
{
    struct text clean;
    enum error error = ERROR_NONE;

    text_init(&clean);
    entry_name_clean(raw, length, &clean);
    const char *fault = entry_name_fault(clean.bytes, clean.length);
    if (fault != NULL && strlen(clean.bytes) == clean.length &&
        entry_name_is_left_out(clean.bytes) && clean.bytes[0] != '/' &&
        strstr(clean.bytes, "..") == NULL) {
        fault = NULL; /* whatever hidden things are called */
    }
    if (fault != NULL) {
        intake_list_refuse(list, raw, length, fault,
                           "give it a plain name inside the submission's folder", diagnostic);
        error = ERROR_SYNTAX;
    } else if (clean.length == 0 || entry_name_is_left_out(clean.bytes)) {
        *out_name = NULL;
    } else {
        *out_name = arena_strdup(list->arena, clean.bytes);
    }
    text_release(&clean);
    return error;
}

enum error intake_list_fits(struct intake_list *list, const char *name, uint64_t bytes,
                            struct diagnostic *diagnostic)
{
    if (bytes > INTAKE_FILE_BYTES_MAX) {
        intake_list_refuse(list, name, strlen(name), "is too large: a file may have at most 16 MiB",
                           "send only the sources, not what is built or measured", diagnostic);
        return ERROR_LIMIT;
    }
    if (list->total_bytes + bytes > INTAKE_TREE_BYTES_MAX) {
        intake_list_refuse(list, name, strlen(name),
                           "makes the submission too large: it may have at most 64 MiB",
                           "send only the sources, not what is built or measured", diagnostic);
        return ERROR_LIMIT;
    }
    return ERROR_NONE;
}

enum error intake_list_file(struct intake_list *list, const char *name, const char *bytes,
                            size_t length, struct diagnostic *diagnostic)
{
    enum error error = intake_list_fits(list, name, length, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    if (list->file_count >= INTAKE_FILES_MAX) {
        intake_list_refuse(list, name, strlen(name),
                           "is one file too many: a submission may have at most 2000",
                           "name the folder with the sources, or send only these", diagnostic);
        return ERROR_LIMIT;
    }
    arena_grow(list->arena, &list->files, &list->file_capacity, list->file_count + 1,
               sizeof *list->files);
    list->files[list->file_count++] =
        (struct intake_file){.name = name, .bytes = bytes, .length = length};
    list->total_bytes += length;
    return ERROR_NONE;
}

enum error intake_list_folder(struct intake_list *list, const char *name,
                              struct diagnostic *diagnostic)
{
    if (list->folder_count >= INTAKE_FOLDERS_MAX) {
        intake_list_refuse(list, name, strlen(name),
                           "is one folder too many: a submission may have at most 2000",
                           "name the folder with the sources, or send only these", diagnostic);
        return ERROR_LIMIT;
    }
    arena_grow(list->arena, &list->folders, &list->folder_capacity, list->folder_count + 1,
               sizeof *list->folders);
    list->folders[list->folder_count++] = name;
    return ERROR_NONE;
}

void intake_list_stray(struct intake_list *list, const char *name, const char *what)
{
    if (list->stray_count >= STRAYS_MAX) {
        return;
    }
    arena_grow(list->arena, &list->strays, &list->stray_capacity, list->stray_count + 1,
               sizeof *list->strays);
    list->strays[list->stray_count++] = (struct intake_stray){name, what};
}

/* A name that is taken: by a file, by a folder, or by a folder that a file lies in. */
struct taken_name {
    const char *name;
    const char *key; /* [key_length] */
    size_t key_length;
    bool is_folder;
};

struct taken_names {
    struct arena *arena;
    struct taken_name *items;
    size_t count, capacity;
};

static void take_name(struct taken_names *names, const char *name, bool is_folder)
{
    struct text key;

    text_init(&key);
    entry_name_key(name, &key);
    arena_grow(names->arena, &names->items, &names->capacity, names->count + 1,
               sizeof *names->items);
    names->items[names->count++] = (struct taken_name){
        .name = name,
        .key = arena_strndup(names->arena, key.bytes, key.length),
        .key_length = key.length,
        .is_folder = is_folder,
    };
    text_release(&key);
}

/* The folders that a name lies in. */
static void take_parents(struct taken_names *names, const char *name)
{
    for (const char *slash = strchr(name, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        take_name(names, arena_strndup(names->arena, name, (size_t)(slash - name)), true);
    }
}

/* By key, then by name, files before folders. */
static int compare_taken(const void *left, const void *right)
{
    const struct taken_name *a = left;
    const struct taken_name *b = right;
    size_t common = a->key_length < b->key_length ? a->key_length : b->key_length;
    int order = memcmp(a->key, b->key, common);

    if (order == 0 && a->key_length != b->key_length) {
        order = a->key_length < b->key_length ? -1 : 1;
    }
    if (order == 0) {
        order = strcmp(a->name, b->name);
    }
    return order != 0 ? order : (int)a->is_folder - (int)b->is_folder;
}

/* Judges two neighbours with one key. */
static enum error judge_clash(const struct intake_list *list, const struct taken_name *first,
                              const struct taken_name *second, struct diagnostic *diagnostic)
{
    const char *fault = NULL;
    struct text message;

    if (strcmp(first->name, second->name) == 0) {
        if (first->is_folder && second->is_folder) {
            return ERROR_NONE;
        }
        fault = first->is_folder == second->is_folder ? "is there twice"
                                                      : "is there as a file and as a folder";
        intake_list_refuse(list, second->name, strlen(second->name), fault, "keep one of the two",
                           diagnostic);
        return ERROR_SYNTAX;
    }
    text_init(&message);
    text_append(&message, "and ");
    entry_name_quote(second->name, strlen(second->name), &message);
    text_append(&message, " are the same name on Windows or macOS");
    intake_list_refuse(list, first->name, strlen(first->name), message.bytes, "rename one of them",
                       diagnostic);
    text_release(&message);
    return ERROR_SYNTAX;
}

static int compare_files(const void *left, const void *right)
{
    return strcmp(((const struct intake_file *)left)->name,
                  ((const struct intake_file *)right)->name);
}

static int compare_strays(const void *left, const void *right)
{
    return strcmp(((const struct intake_stray *)left)->name,
                  ((const struct intake_stray *)right)->name);
}

enum error intake_list_finish(struct intake_list *list, struct diagnostic *diagnostic)
{
    struct taken_names names = {.arena = arena_new()};
    enum error error = ERROR_NONE;

    for (size_t i = 0; i < list->file_count; i++) {
        take_name(&names, list->files[i].name, false);
        take_parents(&names, list->files[i].name);
    }
    for (size_t i = 0; i < list->folder_count; i++) {
        take_name(&names, list->folders[i], true);
        take_parents(&names, list->folders[i]);
    }
    if (names.count > 0) {
        qsort(names.items, names.count, sizeof *names.items, compare_taken);
    }
    for (size_t i = 1; i < names.count && error == ERROR_NONE; i++) {
        const struct taken_name *pair = &names.items[i - 1];
        if (pair[0].key_length == pair[1].key_length &&
            memcmp(pair[0].key, pair[1].key, pair[0].key_length) == 0) {
            error = judge_clash(list, &pair[0], &pair[1], diagnostic);
        }
    }
    arena_free(names.arena);
    if (list->file_count > 0) {
        qsort(list->files, list->file_count, sizeof *list->files, compare_files);
    }
    if (list->stray_count > 0) {
        qsort(list->strays, list->stray_count, sizeof *list->strays, compare_strays);
    }
    return error;
}
