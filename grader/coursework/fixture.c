/* fixture.c: see fixture.h. */
#include "coursework/fixture.h"

#include "base/file.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { NOTE_BYTES_MAX = 64 << 10 };

/* What lies in a fixture's folder and is no file of the student. */
static const char *const notes[] = {"expect", "base", "rubric", "guilty"};

static bool is_note(const char *name)
{
    for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++) {
        if (strcmp(name, notes[i]) == 0) {
            return true;
        }
    }
    return false;
}

const char *coursework_root(struct arena *arena, const struct rubric *rubric)
{
    char *path = arena_strdup(arena, rubric->reference_folder);

    for (int i = 0; i < 2; i++) { /* reference/<coursework> */
        char *slash = strrchr(path, '/');
        if (slash == NULL) {
            return ".";
        }
        *slash = '\0';
    }
    return path[0] == '\0' ? "/" : path;
}

static const char *fixtures_folder(struct arena *arena, const struct rubric *rubric)
{
    return arena_printf(arena, "%s/tests/submissions/%s", coursework_root(arena, rubric),
                        rubric->id);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

struct names {
    const char **items; /* [count] */
    size_t count, capacity;
};

/* Adds the folders of a folder, with `before` in front of their names. */
static enum error add_names(struct arena *arena, const char *path, const char *before,
                            struct names *names, struct diagnostic *diagnostic)
{
    DIR *stream = opendir(path);
    struct dirent *entry;

    if (stream == NULL && errno == ENOENT) {
        return ERROR_NONE;
    }
    if (stream == NULL) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "the folder %s cannot be read: %s", path,
                       strerror(errno));
        return ERROR_IO;
    }
    while ((entry = readdir(stream)) != NULL) {
        if (entry->d_name[0] != '.' &&
            folder_exists(arena_printf(arena, "%s/%s", path, entry->d_name))) {
            arena_grow(arena, &names->items, &names->capacity, names->count + 1,
                       sizeof *names->items);
            names->items[names->count++] = arena_printf(arena, "%s%s", before, entry->d_name);
        }
    }
    closedir(stream);
    return ERROR_NONE;
}

enum error fixtures_list(struct arena *arena, const struct rubric *rubric,
                         const char *const **out_names, size_t *out_count,
                         struct diagnostic *diagnostic)
{
    const char *folder = fixtures_folder(arena, rubric);
    struct names names = {.count = 0};
    enum error error =
        add_names(arena, arena_printf(arena, "%s/right", folder), "right/", &names, diagnostic);

    if (error == ERROR_NONE) {
        error =
            add_names(arena, arena_printf(arena, "%s/wrong", folder), "wrong/", &names, diagnostic);
    }
    if (error != ERROR_NONE) {
        return error;
    }
    if (names.count > 0) {
        qsort(names.items, names.count, sizeof *names.items, compare_names);
    }
    *out_names = names.items;
    *out_count = names.count;
    return ERROR_NONE;
}

enum error fixtures_list_strays(struct arena *arena, const struct rubric *rubric,
                                const char *const **out_names, size_t *out_count,
                                struct diagnostic *diagnostic)
{
    struct names names = {.count = 0};
    enum error error = add_names(arena, fixtures_folder(arena, rubric), "", &names, diagnostic);
    size_t count = 0;

    if (error != ERROR_NONE) {
        return error;
    }
    for (size_t i = 0; i < names.count; i++) {
        if (strcmp(names.items[i], "right") != 0 && strcmp(names.items[i], "wrong") != 0) {
            names.items[count++] = names.items[i];
        }
    }
    if (count > 0) {
        qsort(names.items, count, sizeof *names.items, compare_names);
    }
    *out_names = names.items;
    *out_count = count;
    return ERROR_NONE;
}

/* The one word that a note holds, as a path below `root`; `otherwise` where there is no note. */
static enum error read_path(struct arena *arena, const char *note, const char *root,
                            const char *otherwise, const char **out_path,
                            struct diagnostic *diagnostic)
{
    char *bytes = NULL;
    size_t length = 0;

    if (!file_exists(note)) {
        *out_path = otherwise;
        return ERROR_NONE;
    }
    enum error error =
        file_read(arena, note, NOTE_BYTES_MAX, BLAME_RUBRIC, &bytes, &length, diagnostic);
    if (error == ERROR_NONE) {
        bytes[strcspn(bytes, " \t\r\n")] = '\0';
        *out_path = arena_printf(arena, "%s/%s", root, bytes);
    }
    return error;
}

static enum error read_files(struct arena *arena, const char *folder,
                             struct intake_files *out_files, struct diagnostic *diagnostic)
{
    const struct intake_source source = {.shown = folder, .path = folder};
    enum error error = ERROR_NOT_FOUND;

    if (folder_exists(folder)) {
        error = intake_read(arena, &source, out_files, diagnostic);
    } else {
        diagnostic_set(diagnostic, BLAME_RUBRIC, "there is no folder %s", folder);
    }
    if (error != ERROR_NONE && diagnostic != NULL) {
        diagnostic->blame = BLAME_RUBRIC;
    }
    return error;
}

static int compare_files(const void *a, const void *b)
{
    return strcmp(((const struct intake_file *)a)->name, ((const struct intake_file *)b)->name);
}

/* Puts a fixture's own files in the place of those of its base. */
static struct intake_files merge(struct arena *arena, const struct intake_files *base,
                                 const struct intake_files *own)
{
    struct intake_file *files = arena_array(arena, base->count + own->count, sizeof *files);
    struct intake_files merged = {.shown = own->shown, .files = files};

    for (size_t i = 0; i < base->count; i++) {
        if (!is_note(base->files[i].name) && intake_find(own, base->files[i].name) == NULL) {
            files[merged.count++] = base->files[i];
        }
    }
    for (size_t i = 0; i < own->count; i++) {
        if (!is_note(own->files[i].name)) {
            files[merged.count++] = own->files[i];
        }
    }
    if (merged.count > 0) {
        qsort(files, merged.count, sizeof *files, compare_files);
    }
    return merged;
}

static bool is_compiled(const struct rubric *rubric, const char *name)
{
    for (size_t i = 0; i < rubric->program_count; i++) {
        for (size_t j = 0; j < rubric->programs[i].source_count; j++) {
            if (strcmp(rubric->programs[i].sources[j], name) == 0) {
                return true;
            }
        }
    }
    return false;
}

/* True if another file holds the name, without its folder, as one that includes it does. */
static bool is_named(const struct intake_files *files, const struct intake_file *file)
{
    const char *slash = strrchr(file->name, '/');
    const char *name = slash == NULL ? file->name : slash + 1;

    for (size_t i = 0; i < files->count; i++) {
        const struct intake_file *other = &files->files[i];
        if (strcmp(other->name, file->name) != 0 &&
            memmem(other->bytes, other->length, name, strlen(name)) != NULL) {
            return true;
        }
    }
    return false;
}

const char *fixture_unused_file(const struct fixture *fixture, const struct rubric *rubric)
{
    for (size_t i = 0; i < fixture->own.count; i++) {
        const struct intake_file *file = &fixture->own.files[i];
        if (!is_note(file->name) && !is_compiled(rubric, file->name) &&
            !is_named(&fixture->files, file)) {
            return file->name;
        }
    }
    return NULL;
}

enum error fixture_read(struct arena *arena, const struct rubric *rubric, const char *name,
                        struct fixture *out_fixture, struct diagnostic *diagnostic)
{
    const char *folder = arena_printf(arena, "%s/%s", fixtures_folder(arena, rubric), name);
    const char *root = coursework_root(arena, rubric);
    const char *solution = arena_printf(arena, "%s/solution", rubric->reference_folder);
    const char *base_folder = NULL;
    struct intake_files base, own;
    struct fixture fixture = {.expect = NULL};
    char *expect = NULL;
    size_t length = 0;
    enum error error = file_read(arena, arena_printf(arena, "%s/expect", folder), NOTE_BYTES_MAX,
                                 BLAME_RUBRIC, &expect, &length, diagnostic);

    if (error == ERROR_NONE) {
        error = read_path(arena, arena_printf(arena, "%s/base", folder), root, solution,
                          &base_folder, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = read_path(arena, arena_printf(arena, "%s/rubric", folder), root, NULL,
                          &fixture.rubric_path, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = read_files(arena, base_folder, &base, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = read_files(arena, folder, &own, diagnostic);
    }
    if (error != ERROR_NONE) {
        return error;
    }
    fixture.expect = expect;
    fixture.files = merge(arena, &base, &own);
    fixture.own = own;
    *out_fixture = fixture;
    return ERROR_NONE;
}
