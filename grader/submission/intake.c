/* intake.c: a submission comes in; see intake.h. */
#include "submission/intake.h"

#include "base/file.h"
#include "base/text.h"
#include "submission/entry_name.h"
#include "submission/intake_archive.h"
#include "submission/intake_folder.h"
#include "submission/intake_notebook.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SOURCE_TEXT_BYTES_MAX = 4 << 20, STRAYS_NAMED = 20 };

enum error intake_read(struct arena *arena, const struct intake_source *source,
                       struct intake_files *out_files, struct diagnostic *diagnostic)
{
    struct intake_list list;
    enum error error;

    intake_list_init(&list, arena, source->shown);
    if (folder_exists(source->path)) {
        error = intake_read_folder(&list, source->path, diagnostic);
    } else {
        error = intake_read_archive(&list, source->sandbox, source->helper_folder,
                                    source->work_folder, source->path, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = intake_notebooks_unpack(&list, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = intake_list_finish(&list, diagnostic);
    }
    if (error == ERROR_NONE) {
        *out_files = (struct intake_files){
            .shown = source->shown,
            .files = list.files,
            .count = list.file_count,
            .strays = list.strays,
            .stray_count = list.stray_count,
        };
    }
    return error;
}

static int compare_name(const void *name, const void *file)
{
    return strcmp(name, ((const struct intake_file *)file)->name);
}

const struct intake_file *intake_find(const struct intake_files *files, const char *name)
{
    return files->count == 0
               ? NULL
               : bsearch(name, files->files, files->count, sizeof *files->files, compare_name);
}

const char *intake_in_place_of(const struct intake_files *files, const char *name)
{
    size_t length = strlen(name);

    for (size_t i = 0; i < files->stray_count; i++) {
        if (strcmp(files->strays[i].name, name) == 0) {
            return files->strays[i].what;
        }
    }
    for (size_t i = 0; i < files->count; i++) {
        if (strncmp(files->files[i].name, name, length) == 0 &&
            files->files[i].name[length] == '/') {
            return "a folder";
        }
    }
    return "";
}

bool intake_enter(struct arena *arena, struct intake_files *files)
{
    size_t part = files->count == 0 ? 0 : strcspn(files->files[0].name, "/") + 1;

    for (size_t i = 0; i < files->count; i++) {
        if (strncmp(files->files[i].name, files->files[0].name, part) != 0 ||
            files->files[i].name[part - 1] != '/') {
            return false;
        }
    }
    if (files->count == 0) {
        return false;
    }
    struct intake_file *inner = arena_array(arena, files->count, sizeof *inner);
    struct intake_stray *strays = arena_array(arena, files->stray_count, sizeof *strays);
    size_t stray_count = 0;
    const char *folder = arena_strndup(arena, files->files[0].name, part);
    for (size_t i = 0; i < files->count; i++) {
        inner[i] = files->files[i];
        inner[i].name += part;
    }
    for (size_t i = 0; i < files->stray_count; i++) {
        if (text_starts_with(files->strays[i].name, folder)) {
            strays[stray_count] = files->strays[i];
            strays[stray_count++].name += part;
        }
    }
    bool ends_in_slash = text_ends_with(files->shown, "/");
    files->shown = arena_printf(arena, "%s%s%.*s", files->shown, ends_in_slash ? "" : "/",
                                (int)part - 1, folder);
    files->files = inner;
    files->strays = strays;
    files->stray_count = stray_count;
    return true;
}

/* The folder is new and nobody else's, and the names lead nowhere else. The sandbox's users can
 * read the file, whatever the umask. */
static enum error write_file(struct arena *arena, const char *target,
                             const struct intake_file *file, struct diagnostic *diagnostic)
{
    const char *path = arena_printf(arena, "%s/%s", target, file->name);
    const char *folder = arena_strndup(arena, path, (size_t)(strrchr(path, '/') - path));
    size_t done = 0;

    if (folder_make(folder, 0755, diagnostic) != ERROR_NONE) {
        return ERROR_ENVIRONMENT;
    }
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

    while (fd >= 0 && done < file->length) {
        ssize_t step = write(fd, file->bytes + done, file->length - done);
        if (step < 0 && errno != EINTR) {
            break;
        }
        done += step > 0 ? (size_t)step : 0;
    }
    bool good = fd >= 0 && done == file->length && fchmod(fd, 0644) == 0;
    int cause = errno;
    if (fd >= 0 && close(fd) != 0 && good) {
        good = false;
        cause = errno;
    }
    if (!good) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "%s cannot be written: %s", path,
                       strerror(cause));
        return ERROR_ENVIRONMENT;
    }
    return ERROR_NONE;
}

static enum error write_files(struct arena *arena, const struct intake_files *files,
                              const char *target, struct diagnostic *diagnostic)
{
    enum error error = ERROR_NONE;

    if (mkdir(target, 0700) != 0 || chmod(target, 0755) != 0) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "%s cannot be created: %s", target,
                       strerror(errno));
        return ERROR_ENVIRONMENT;
    }
    for (size_t i = 0; i < files->count && error == ERROR_NONE; i++) {
        error = write_file(arena, target, &files->files[i], diagnostic);
    }
    return error;
}

/* Hashes "name NUL hash of the contents" of each file, in order. Names are those that were handed
 * in, because a report speaks of them. */
void intake_hash(const struct intake_files *files, char out_hex[65])
{
    struct text all;

    text_init(&all);
    for (size_t i = 0; i < files->count; i++) {
        const struct intake_file *file = &files->files[i];
        char content[65];
        hash_bytes(file->bytes, file->length, content);
        const char *name = file->handed_in != NULL ? file->handed_in : file->name;
        text_append_bytes(&all, name, strlen(name) + 1);
        text_append(&all, content);
    }
    hash_bytes(all.bytes, all.length, out_hex);
    text_release(&all);
}

/* A text that can be shown, with a mark in place of each byte that is not ASCII: a compiler also
 * takes what is written in another encoding. */
static const char *without_other_bytes(struct arena *arena, const struct intake_file *file)
{
    char *text = arena_strndup(arena, file->bytes, file->length);

    for (size_t i = 0; i < file->length; i++) {
        text[i] = (unsigned char)text[i] < 0x80 ? text[i] : '?';
    }
    return text;
}

static void collect_sources(struct arena *arena, const struct intake_files *files,
                            struct intake *out_intake)
{
    struct source_file *sources = arena_array(arena, files->count, sizeof *sources);
    size_t count = 0;

    for (size_t i = 0; i < files->count; i++) {
        const struct intake_file *file = &files->files[i];
        if (file->length <= SOURCE_TEXT_BYTES_MAX) {
            const char *text = text_is_utf8(file->bytes, file->length)
                                   ? file->bytes
                                   : without_other_bytes(arena, file);
            sources[count++] = (struct source_file){file->name, text, file->length};
        }
    }
    out_intake->sources = sources;
    out_intake->source_count = count;
}

/* Equal but for blanks. */
static bool equal_without_blanks(const char *left, size_t left_length, const char *right,
                                 size_t right_length)
{
    size_t i = 0;
    size_t j = 0;

    for (;;) {
        while (i < left_length && isspace((unsigned char)left[i])) {
            i++;
        }
        while (j < right_length && isspace((unsigned char)right[j])) {
            j++;
        }
        if (i == left_length || j == right_length) {
            return i == left_length && j == right_length;
        }
        if (left[i++] != right[j++]) {
            return false;
        }
    }
}

static bool program_is_template(struct arena *arena, const struct intake_files *files,
                                const struct rubric *rubric, const struct rubric_program *program)
{
    for (size_t i = 0; i < program->source_count; i++) {
        const struct intake_file *file = intake_find(files, program->sources[i]);
        const char *path =
            arena_printf(arena, "%s/%s", rubric->template_folder, program->sources[i]);
        char *bytes = NULL;
        size_t length = 0;

        if (file == NULL ||
            file_read(arena, path, INTAKE_FILE_BYTES_MAX, BLAME_RUBRIC, &bytes, &length, NULL) !=
                ERROR_NONE ||
            !equal_without_blanks(file->bytes, file->length, bytes, length)) {
            return false;
        }
    }
    return program->source_count > 0;
}

/* Puts the coursework's own files over the student's. */
static enum error copy_given(struct arena *arena, const struct rubric *rubric, const char *target,
                             struct diagnostic *diagnostic)
{
    for (size_t i = 0; i < rubric->program_count; i++) {
        for (size_t j = 0; j < rubric->programs[i].given_count; j++) {
            const char *name = rubric->programs[i].given[j];
            const char *copy = arena_printf(arena, "%s/%s", target, name);
            folder_remove(copy); /* a student may have a folder of that name */
            enum error error =
                file_copy(arena_printf(arena, "%s/%s", rubric->template_folder, name), copy, 0644,
                          INTAKE_FILE_BYTES_MAX, diagnostic);
            if (error != ERROR_NONE) {
                return error;
            }
        }
    }
    return ERROR_NONE;
}

/* Fails if no source of the coursework is there, naming them all. */
static enum error require_some_source(const struct intake_files *files, const struct rubric *rubric,
                                      struct diagnostic *diagnostic)
{
    struct text names;
    bool found = false;

    text_init(&names);
    for (size_t i = 0; i < rubric->program_count; i++) {
        for (size_t j = 0; j < rubric->programs[i].source_count; j++) {
            found = found || intake_find(files, rubric->programs[i].sources[j]) != NULL;
            text_printf(&names, "%s%s", names.length == 0 ? "" : ", ",
                        rubric->programs[i].sources[j]);
        }
    }
    if (!found) {
        diagnostic_set(diagnostic, BLAME_USAGE,
                       "%s has none of the files that %s asks for; expected: %s", files->shown,
                       rubric->id, names.bytes);
    }
    text_release(&names);
    return found ? ERROR_NONE : ERROR_NOT_FOUND;
}

/* Says which files were taken under other names. */
static size_t remark_names(struct arena *arena, const struct intake_files *files,
                           struct remark *remarks)
{
    size_t count = 0;

    for (size_t i = 0; i < files->count; i++) {
        const struct intake_file *file = &files->files[i];
        struct text quoted;
        const char *from = file->notebook != NULL ? file->notebook : file->handed_in;
        if (from == NULL) {
            continue;
        }
        text_init(&quoted);
        entry_name_quote(from, strlen(from), &quoted);
        const char *message =
            file->notebook == NULL
                ? arena_printf(arena, "%s was taken for %s; name your file %s", quoted.bytes,
                               file->name, file->name)
                : arena_printf(arena, "%s comes from a cell of %s", file->name, quoted.bytes);
        remarks[count++] = (struct remark){.message = message, .file = ""};
        text_release(&quoted);
    }
    return count;
}

/* Says what was left out, and what was taken under another name. */
static void collect_remarks(struct arena *arena, const struct intake_files *files,
                            struct intake *out_intake)
{
    size_t named = files->stray_count < STRAYS_NAMED ? files->stray_count : STRAYS_NAMED;
    struct remark *all = arena_array(arena, files->count + named + 1, sizeof *all);
    size_t renamed = remark_names(arena, files, all);
    struct remark *remarks = all + renamed;
    size_t count = named;

    for (size_t i = 0; i < named; i++) {
        struct text quoted;
        text_init(&quoted);
        entry_name_quote(files->strays[i].name, strlen(files->strays[i].name), &quoted);
        remarks[i] = (struct remark){
            .message = arena_printf(arena,
                                    "%s is %s and was skipped; if your programs need it, put a "
                                    "file in its place",
                                    quoted.bytes, files->strays[i].what),
            .file = "",
        };
        text_release(&quoted);
    }
    if (named < files->stray_count) {
        remarks[count++] = (struct remark){
            .message = arena_printf(arena, "%zu more links or special files were skipped",
                                    files->stray_count - named),
            .file = "",
        };
    }
    out_intake->remarks = all;
    out_intake->remark_count = renamed + count;
}

enum error intake_place(struct arena *arena, const struct rubric *rubric,
                        const struct intake_files *files, const char *work_folder,
                        struct intake *out_intake, struct diagnostic *diagnostic)
{
    const char *target = arena_printf(arena, "%s/source", work_folder);
    enum error error = require_some_source(files, rubric, diagnostic);

    if (error == ERROR_NONE) {
        error = write_files(arena, files, target, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = copy_given(arena, rubric, target, diagnostic);
    }
    if (error != ERROR_NONE) {
        return error;
    }
    out_intake->folder = target;
    collect_sources(arena, files, out_intake);
    collect_remarks(arena, files, out_intake);
    intake_hash(files, out_intake->sha256);
    out_intake->is_template =
        arena_array(arena, rubric->program_count, sizeof *out_intake->is_template);
    for (size_t i = 0; i < rubric->program_count; i++) {
        out_intake->is_template[i] =
            program_is_template(arena, files, rubric, &rubric->programs[i]);
    }
    return ERROR_NONE;
}
