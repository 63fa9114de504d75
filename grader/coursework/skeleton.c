/* skeleton.c: see skeleton.h. */
#include "coursework/skeleton.h"

#include "base/file.h"
#include "base/text.h"
#include "submission/intake.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char small[] = "abcdefghijklmnopqrstuvwxyz";
static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789_";

/* What stands for the id in the skeleton, in small and in large letters. */
static const char small_word[] = "skeleton";
static const char large_word[] = "SKELETON";

enum error skeleton_check_id(const char *id, struct diagnostic *diagnostic)
{
    /* reference/common/ is shared; main.cu and rubric.json lie beside a student's files. */
    static const char *const taken[] = {"common", "main", "rubric"};

    if (id[0] == '\0' || strchr(small, id[0]) == NULL || id[strspn(id, allowed)] != '\0' ||
        strlen(id) > COURSEWORK_ID_BYTES_MAX) {
        diagnostic_set(diagnostic, BLAME_USAGE,
                       "expected the id of a coursework: a lowercase letter, then lowercase "
                       "letters, digits and '_', at most %d, got '%s'; try vector_add",
                       COURSEWORK_ID_BYTES_MAX, id);
        return ERROR_RANGE;
    }
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
        if (strcmp(id, taken[i]) == 0) {
            diagnostic_set(diagnostic, BLAME_USAGE,
                           "a coursework cannot be called '%s': files of that name have another "
                           "purpose; choose another id",
                           id);
            return ERROR_RANGE;
        }
    }
    return ERROR_NONE;
}

static void append_large(struct text *out, const char *id)
{
    for (const char *at = id; *at != '\0'; at++) {
        const char *letter = strchr(small, *at);
        text_append_char(out, letter == NULL ? *at : (char)(*at - 'a' + 'A'));
    }
}

/* Copies bytes with the id in the place of the words. */
static const char *rename_words(struct arena *arena, const char *bytes, size_t length,
                                const char *id, size_t *out_length)
{
    const size_t word = sizeof small_word - 1;
    struct text text;
    size_t i = 0;

    text_init(&text);
    while (i < length) {
        if (length - i >= word && memcmp(bytes + i, small_word, word) == 0) {
            text_append(&text, id);
            i += word;
        } else if (length - i >= word && memcmp(bytes + i, large_word, word) == 0) {
            append_large(&text, id);
            i += word;
        } else {
            text_append_char(&text, bytes[i++]);
        }
    }
    const char *renamed = arena_strndup(arena, text.bytes, text.length);
    *out_length = text.length;
    text_release(&text);
    return renamed;
}

static enum error read_folder(struct arena *arena, const char *folder,
                              struct intake_files *out_read, struct diagnostic *diagnostic)
{
    const struct intake_source source = {.shown = folder, .path = folder};

    if (!folder_exists(folder)) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "%s is missing: it is part of gpugrade; install gpugrade again", folder);
        return ERROR_NOT_FOUND;
    }
    return intake_read(arena, &source, out_read, diagnostic);
}

/* Appends the files that are not among the first `*count`, under the id. */
static void add_files(struct arena *arena, const struct intake_files *read, const char *id,
                      struct intake_file *files, size_t *count)
{
    const size_t before = *count;

    for (size_t i = 0; i < read->count; i++) {
        const struct intake_file *from = &read->files[i];
        struct intake_file *to = &files[*count];
        size_t name_length;
        size_t same = 0;
        to->name = rename_words(arena, from->name, strlen(from->name), id, &name_length);
        while (same < before && strcmp(files[same].name, to->name) != 0) {
            same++;
        }
        if (same == before) {
            to->bytes = rename_words(arena, from->bytes, from->length, id, &to->length);
            *count += 1;
        }
    }
}

enum error skeleton_read(struct arena *arena, const char *folder, const char *base, const char *id,
                         const struct intake_file **out_files, size_t *out_count,
                         struct diagnostic *diagnostic)
{
    struct intake_files own = {0};
    struct intake_files lacking = {0};
    size_t count = 0;

    enum error error = read_folder(arena, folder, &own, diagnostic);
    if (error == ERROR_NONE && base != NULL) {
        error = read_folder(arena, base, &lacking, diagnostic);
    }
    if (error != ERROR_NONE) {
        return error;
    }
    struct intake_file *files = arena_array(arena, own.count + lacking.count, sizeof *files);
    add_files(arena, &own, id, files, &count);
    add_files(arena, &lacking, id, files, &count);
    *out_files = files;
    *out_count = count;
    return ERROR_NONE;
}

/* The path of a file, and the folder that it lies in. */
static const char *path_of(struct arena *arena, const char *root, const struct intake_file *file,
                           const char **out_folder)
{
    const char *path = arena_printf(arena, "%s/%s", root, file->name);

    *out_folder = arena_strndup(arena, path, (size_t)(strrchr(path, '/') - path));
    return path;
}

static enum error write_one(struct arena *arena, const char *root, const struct intake_file *file,
                            struct diagnostic *diagnostic)
{
    const char *folder;
    const char *path = path_of(arena, root, file, &folder);
    enum error error = folder_make_usual(folder, diagnostic);

    if (error == ERROR_NONE) {
        error = file_write_atomic(path, file->bytes, file->length, diagnostic);
    }
    if (error != ERROR_NONE && diagnostic != NULL) {
        diagnostic->blame = BLAME_USAGE;
    }
    return error;
}

enum error skeleton_write(struct arena *arena, const char *root, const struct intake_file *files,
                          size_t count, struct diagnostic *diagnostic)
{
    enum error error = ERROR_NONE;
    const char *folder;
    struct stat status;
    size_t written = 0;

    for (size_t i = 0; i < count; i++) {
        const char *path = path_of(arena, root, &files[i], &folder);
        if (lstat(path, &status) == 0) {
            diagnostic_set(diagnostic, BLAME_USAGE,
                           "%s already exists, and gpugrade overwrites nothing; choose another id "
                           "or another folder",
                           path);
            return ERROR_EXISTS;
        }
    }
    while (error == ERROR_NONE && written < count) {
        error = write_one(arena, root, &files[written], diagnostic);
        written += error == ERROR_NONE ? 1 : 0;
    }
    for (size_t i = 0; error != ERROR_NONE && i < written; i++) {
        unlink(path_of(arena, root, &files[i], &folder));
    }
    return error;
}
