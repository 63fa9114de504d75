/* intake.c: copying a student's tree; see intake.h. */
#include "submission/intake.h"

#include "base/file.h"
#include "base/text.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    DEPTH_MAX = 8,
    FILES_MAX = 2000,
    FILE_BYTES_MAX = 16 * 1024 * 1024,
    TREE_BYTES_MAX = 64 * 1024 * 1024,
    SOURCE_TEXT_BYTES_MAX = 4 * 1024 * 1024,
};

struct copied_file {
    const char *name; /* relative to the folder */
    const char *bytes;
    size_t length;
};

struct copier {
    struct arena *arena;
    const char *target; /* <work>/source */
    struct copied_file *files;
    size_t file_count;
    size_t file_capacity;
    size_t total_bytes;
    /* Folders that are still to be visited: names relative to the root, "" for the root itself. */
    const char **pending;
    size_t pending_count;
    size_t pending_capacity;
    size_t folder_count;
};

static enum error read_descriptor(struct copier *copier, int fd, size_t length,
                                  struct copied_file *out_file, struct diagnostic *diagnostic)
{
    char *bytes = arena_alloc(copier->arena, length + 1);
    size_t done = 0;

    while (done < length) {
        ssize_t step = read(fd, bytes + done, length - done);
        if (step < 0 && errno == EINTR) {
            continue;
        }
        if (step < 0) {
            diagnostic_set(diagnostic, BLAME_USAGE, "%s cannot be read: %s", out_file->name,
                           strerror(errno));
            return ERROR_IO;
        }
        if (step == 0) {
            break; /* it became shorter while it was read */
        }
        done += (size_t)step;
    }
    out_file->bytes = bytes;
    out_file->length = done;
    return ERROR_NONE;
}

static enum error write_copy(struct copier *copier, const struct copied_file *file,
                             struct diagnostic *diagnostic)
{
    const char *path = arena_printf(copier->arena, "%s/%s", copier->target, file->name);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);
    size_t done = 0;

    while (fd >= 0 && done < file->length) {
        ssize_t step = write(fd, file->bytes + done, file->length - done);
        if (step < 0 && errno != EINTR) {
            break;
        }
        done += step > 0 ? (size_t)step : 0;
    }
    bool complete = fd >= 0 && done == file->length && close(fd) == 0;
    if (!complete) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "%s cannot be written: %s", path,
                       strerror(errno));
        return ERROR_ENVIRONMENT;
    }
    return ERROR_NONE;
}

static enum error copy_file(struct copier *copier, int folder_fd, const char *entry,
                            const char *name, struct diagnostic *diagnostic)
{
    struct stat status;
    struct copied_file file = {.name = name};
    int fd = openat(folder_fd, entry, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    enum error error = ERROR_NONE;

    if (fd < 0 || fstat(fd, &status) != 0) {
        diagnostic_set(diagnostic, BLAME_USAGE, "%s cannot be read: %s", name, strerror(errno));
        error = ERROR_IO;
    } else if (!S_ISREG(status.st_mode)) {
        close(fd);
        return ERROR_NONE;
    } else if (status.st_size > FILE_BYTES_MAX ||
               copier->total_bytes + (size_t)status.st_size > TREE_BYTES_MAX) {
        diagnostic_set(diagnostic, BLAME_USAGE,
                       "%s is too large: a submission has at most %d MiB, a file %d MiB", name,
                       TREE_BYTES_MAX >> 20, FILE_BYTES_MAX >> 20);
        error = ERROR_LIMIT;
    } else {
        error = read_descriptor(copier, fd, (size_t)status.st_size, &file, diagnostic);
    }
    if (fd >= 0) {
        close(fd);
    }
    if (error != ERROR_NONE) {
        return error;
    }
    if (copier->file_count >= FILES_MAX) {
        diagnostic_set(diagnostic, BLAME_USAGE, "more than %d files; is this the right folder?",
                       FILES_MAX);
        return ERROR_LIMIT;
    }
    copier->total_bytes += file.length;
    arena_grow(copier->arena, &copier->files, &copier->file_capacity, copier->file_count + 1,
               sizeof *copier->files);
    copier->files[copier->file_count++] = file;
    return write_copy(copier, &file, diagnostic);
}

static size_t path_depth(const char *name)
{
    size_t depth = name[0] == '\0' ? 0 : 1;

    for (const char *c = name; *c != '\0'; c++) {
        depth += *c == '/' ? 1 : 0;
    }
    return depth;
}

static enum error add_folder(struct copier *copier, const char *name, struct diagnostic *diagnostic)
{
    if (path_depth(name) > DEPTH_MAX) {
        diagnostic_set(diagnostic, BLAME_USAGE, "%s: folders may be nested %d deep", name,
                       DEPTH_MAX);
        return ERROR_LIMIT;
    }
    if (copier->folder_count++ >= FILES_MAX) {
        diagnostic_set(diagnostic, BLAME_USAGE, "more than %d folders; is this the right folder?",
                       FILES_MAX);
        return ERROR_LIMIT;
    }
    const char *path = arena_printf(copier->arena, "%s/%s", copier->target, name);
    if (mkdir(path, 0755) != 0 && errno != EEXIST) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "%s cannot be made: %s", path,
                       strerror(errno));
        return ERROR_ENVIRONMENT;
    }
    arena_grow(copier->arena, &copier->pending, &copier->pending_capacity,
               copier->pending_count + 1, sizeof *copier->pending);
    copier->pending[copier->pending_count++] = name;
    return ERROR_NONE;
}

static enum error copy_entry(struct copier *copier, int folder_fd, const char *folder,
                             const char *entry, struct diagnostic *diagnostic)
{
    struct stat status;
    const char *name = folder[0] == '\0' ? arena_strdup(copier->arena, entry)
                                         : arena_printf(copier->arena, "%s/%s", folder, entry);

    if (fstatat(folder_fd, entry, &status, AT_SYMLINK_NOFOLLOW) != 0) {
        return ERROR_NONE; /* it went away while the folder was read */
    }
    if (S_ISDIR(status.st_mode)) {
        return add_folder(copier, name, diagnostic);
    }
    return S_ISREG(status.st_mode) ? copy_file(copier, folder_fd, entry, name, diagnostic)
                                   : ERROR_NONE;
}

/* Opens a folder below the root, component by component, following no link. */
static int open_below(int root_fd, const char *name)
{
    int fd = openat(root_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    while (fd >= 0 && *name != '\0') {
        char component[NAME_MAX + 1];
        size_t length = strcspn(name, "/");
        if (length > NAME_MAX) {
            close(fd);
            return -1;
        }
        memcpy(component, name, length);
        component[length] = '\0';
        int next = openat(fd, component, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        close(fd);
        fd = next;
        name += length + (name[length] == '/' ? 1 : 0);
    }
    return fd;
}

static enum error copy_folder(struct copier *copier, int root_fd, const char *folder,
                              struct diagnostic *diagnostic)
{
    int fd = open_below(root_fd, folder);
    DIR *stream = fd < 0 ? NULL : fdopendir(fd);
    enum error error = ERROR_NONE;
    struct dirent *entry;

    if (stream == NULL) {
        diagnostic_set(diagnostic, BLAME_USAGE, "%s cannot be read: %s",
                       folder[0] == '\0' ? "the folder" : folder, strerror(errno));
        if (fd >= 0) {
            close(fd);
        }
        return ERROR_IO;
    }
    while (error == ERROR_NONE && (entry = readdir(stream)) != NULL) {
        if (entry->d_name[0] != '.') { /* hidden files are no sources; "." and ".." neither */
            error = copy_entry(copier, fd, folder, entry->d_name, diagnostic);
        }
    }
    closedir(stream);
    return error;
}

static int compare_files(const void *left, const void *right)
{
    return strcmp(((const struct copied_file *)left)->name,
                  ((const struct copied_file *)right)->name);
}

/* Hashes "name NUL length NUL contents" of each file, in order. */
static void hash_files(const struct copier *copier, char out_hex[65])
{
    struct text all;

    text_init(&all);
    for (size_t i = 0; i < copier->file_count; i++) {
        const struct copied_file *file = &copier->files[i];
        char content[65];
        hash_bytes(file->bytes, file->length, content);
        text_append_bytes(&all, file->name, strlen(file->name) + 1);
        text_append(&all, content);
    }
    hash_bytes(all.bytes, all.length, out_hex);
    text_release(&all);
}

static const struct copied_file *find_file(const struct copier *copier, const char *name)
{
    for (size_t i = 0; i < copier->file_count; i++) {
        if (strcmp(copier->files[i].name, name) == 0) {
            return &copier->files[i];
        }
    }
    return NULL;
}

static void collect_sources(const struct copier *copier, struct intake *out_intake)
{
    struct source_file *sources = arena_array(copier->arena, copier->file_count, sizeof *sources);
    size_t count = 0;

    for (size_t i = 0; i < copier->file_count; i++) {
        const struct copied_file *file = &copier->files[i];
        if (file->length <= SOURCE_TEXT_BYTES_MAX && text_is_utf8(file->bytes, file->length)) {
            sources[count++] = (struct source_file){file->name, file->bytes, file->length};
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

static bool program_is_template(const struct copier *copier, const struct rubric *rubric,
                                const struct rubric_program *program)
{
    for (size_t i = 0; i < program->source_count; i++) {
        const struct copied_file *file = find_file(copier, program->sources[i]);
        const char *path =
            arena_printf(copier->arena, "%s/%s", rubric->template_folder, program->sources[i]);
        char *bytes = NULL;
        size_t length = 0;

        if (file == NULL ||
            file_read(copier->arena, path, FILE_BYTES_MAX, BLAME_RUBRIC, &bytes, &length, NULL) !=
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
                          FILE_BYTES_MAX, diagnostic);
            if (error != ERROR_NONE) {
                return error;
            }
        }
    }
    return ERROR_NONE;
}

/* Fails if no source of the coursework is there, naming them all. */
static enum error require_some_source(const struct copier *copier, const struct rubric *rubric,
                                      const char *folder, struct diagnostic *diagnostic)
{
    struct text names;
    bool found = false;

    text_init(&names);
    for (size_t i = 0; i < rubric->program_count; i++) {
        for (size_t j = 0; j < rubric->programs[i].source_count; j++) {
            found = found || find_file(copier, rubric->programs[i].sources[j]) != NULL;
            text_printf(&names, "%s%s", names.length == 0 ? "" : ", ",
                        rubric->programs[i].sources[j]);
        }
    }
    if (!found) {
        diagnostic_set(diagnostic, BLAME_USAGE, "%s holds none of the files of %s; expected: %s",
                       folder, rubric->id, names.bytes);
    }
    text_release(&names);
    return found ? ERROR_NONE : ERROR_NOT_FOUND;
}

enum error intake_copy(struct arena *arena, const struct rubric *rubric, const char *folder,
                       const char *work_folder, struct intake *out_intake,
                       struct diagnostic *diagnostic)
{
    struct copier copier = {.arena = arena,
                            .target = arena_printf(arena, "%s/source", work_folder)};
    int root_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (root_fd < 0) {
        diagnostic_set(diagnostic, BLAME_USAGE, "%s cannot be opened: %s", folder, strerror(errno));
        return errno == ENOENT ? ERROR_NOT_FOUND : ERROR_IO;
    }
    enum error error = add_folder(&copier, "", diagnostic);
    while (error == ERROR_NONE && copier.pending_count > 0) {
        error = copy_folder(&copier, root_fd, copier.pending[--copier.pending_count], diagnostic);
    }
    close(root_fd);
    if (error == ERROR_NONE) {
        error = require_some_source(&copier, rubric, folder, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = copy_given(arena, rubric, copier.target, diagnostic);
    }
    if (error != ERROR_NONE) {
        return error;
    }
    if (copier.file_count > 0) {
        qsort(copier.files, copier.file_count, sizeof *copier.files, compare_files);
    }
    out_intake->folder = copier.target;
    collect_sources(&copier, out_intake);
    hash_files(&copier, out_intake->sha256);
    out_intake->is_template =
        arena_array(arena, rubric->program_count, sizeof *out_intake->is_template);
    for (size_t i = 0; i < rubric->program_count; i++) {
        out_intake->is_template[i] = program_is_template(&copier, rubric, &rubric->programs[i]);
    }
    return ERROR_NONE;
}
