/* slurm_chunks.c: see slurm_chunks.h. chunk.txt is written last: a folder without it was never
 * finished, and is no chunk. */
#include "batch/slurm_chunks.h"

#include "base/file.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FOLDER_MODE = 0700, SUBMITS_MAX = 1000000 };

static const char list_name[] = "chunk.txt";
static const char taken_name[] = "taken";

static bool holds(const char *folder, const char *name)
{
    struct text path;

    text_init(&path);
    text_printf(&path, "%s/%s", folder, name);
    bool is_there = file_exists(path.bytes);
    text_release(&path);
    return is_there;
}

bool slurm_is_chunk(const char *folder)
{
    return holds(folder, list_name);
}

/* The folder of a new submit, absolute. */
static enum error make_submit(const char *results, struct arena *arena, const char **out_folder,
                              struct diagnostic *diagnostic)
{
    const char *parent = arena_printf(arena, "%s/slurm", results);
    int cause = EEXIST;

    enum error error = folder_make(parent, FOLDER_MODE, diagnostic);
    char *absolute = error == ERROR_NONE ? realpath(parent, NULL) : NULL;
    if (absolute != NULL) {
        for (size_t i = 1; i < SUBMITS_MAX && cause == EEXIST; i++) {
            *out_folder = arena_printf(arena, "%s/%zu", absolute, i);
            cause = mkdir(*out_folder, FOLDER_MODE) == 0 ? 0 : errno;
        }
    } else if (error == ERROR_NONE) {
        cause = errno;
    }
    free(absolute);
    if (error == ERROR_NONE && cause != 0) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "cannot create a folder in %s: %s", parent,
                       strerror(cause));
        error = ERROR_ENVIRONMENT;
    }
    return error;
}

/* What a chunk's store has from that of the class. */
struct origin {
    struct store_settings settings;
    struct store_rubric rubric;
};

/* Names of students stay where they are. */
static struct class_list list_of(const struct store_task *tasks, size_t count, struct arena *arena)
{
    struct class_entry *entries = arena_array(arena, count, sizeof *entries);

    for (size_t i = 0; i < count; i++) {
        entries[i] = (struct class_entry){
            .student = tasks[i].submission,
            .name = "",
            .email = "",
            .canvas_id = "",
            .login = "",
            .moodle_id = "",
            .submission = tasks[i].submission,
            .path = tasks[i].path,
            .is_folder = tasks[i].is_folder,
            .stamp = tasks[i].stamp,
        };
    }
    return (struct class_list){.shape = "folders", .entries = entries, .entry_count = count};
}

static enum error make_store(const char *folder, const struct origin *origin,
                             const struct class_list *list, struct diagnostic *diagnostic)
{
    struct store *chunk = NULL;
    enum error error = store_open(folder, STORE_CREATE | STORE_ALONE, &chunk, diagnostic);

    if (error == ERROR_NONE) {
        error = store_put_rubric(chunk, &origin->rubric, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = store_put_settings(chunk, &origin->settings, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = store_put_class(chunk, list, diagnostic);
    }
    store_close(chunk);
    return error;
}

/* The list is for people: what grades reads the store. */
static enum error write_list(const char *folder, const struct class_list *list,
                             struct diagnostic *diagnostic)
{
    struct text path, text;

    text_init(&path);
    text_init(&text);
    text_printf(&path, "%s/%s", folder, list_name);
    text_printf(
        &text,
        "# The %zu submissions of this chunk. Their results go into gpugrade.sqlite in this\n"
        "# folder. This list is for people; no program reads it.\n",
        list->entry_count);
    for (size_t i = 0; i < list->entry_count; i++) {
        const char *name = list->entries[i].submission;
        text_append_printable(&text, name, strlen(name), false);
        text_append_char(&text, '\n');
    }
    enum error error = file_write_atomic(path.bytes, text.bytes, text.length, diagnostic);
    text_release(&text);
    text_release(&path);
    return error;
}

static enum error read_origin(struct store *store, struct arena *arena, struct origin *out_origin,
                              struct diagnostic *diagnostic)
{
    enum error error = store_settings(store, arena, &out_origin->settings, diagnostic);

    if (error == ERROR_NONE) {
        error = store_rubric(store, arena, &out_origin->rubric, diagnostic);
    }
    return error;
}

enum error slurm_chunks_write(struct store *store, const char *results,
                              const struct store_task *tasks, size_t count, size_t size,
                              struct arena *arena, struct slurm_chunks *out_chunks,
                              struct diagnostic *diagnostic)
{
    struct slurm_chunks chunks = {.folder = NULL};
    struct origin origin = {.rubric = {.text = NULL}};

    enum error error = read_origin(store, arena, &origin, diagnostic);
    if (error == ERROR_NONE) {
        error = make_submit(results, arena, &chunks.folder, diagnostic);
    }
    for (size_t at = 0; error == ERROR_NONE && at < count; at += size) {
        size_t length = count - at < size ? count - at : size;
        struct class_list list = list_of(tasks + at, length, arena);
        const char *folder = arena_printf(arena, "%s/chunk-%zu", chunks.folder, ++chunks.count);
        error = make_store(folder, &origin, &list, diagnostic);
        if (error == ERROR_NONE) {
            error = write_list(folder, &list, diagnostic);
        }
        if (count - at <= size) {
            break;
        }
    }
    if (error == ERROR_NONE) {
        *out_chunks = chunks;
    }
    return error;
}

/* Chunks of all submits that were not taken over. */
struct found {
    const char **folders;
    size_t count, capacity;
};

/* Only names that this part gives: "1", "chunk-1". Adds the folders in the order of their numbers.
 */
static void list_numbered(struct arena *arena, const char *parent, const char *prefix,
                          struct found *found)
{
    DIR *stream = opendir(parent);
    long long *numbers = NULL;
    size_t count = 0, capacity = 0;
    struct dirent *entry;

    while (stream != NULL && (entry = readdir(stream)) != NULL) {
        long long number;
        if (text_starts_with(entry->d_name, prefix) &&
            text_to_integer(entry->d_name + strlen(prefix), 1, INT_MAX, &number)) {
            arena_grow(arena, &numbers, &capacity, count + 1, sizeof *numbers);
            size_t place = count++;
            for (; place > 0 && numbers[place - 1] > number; place--) {
                numbers[place] = numbers[place - 1];
            }
            numbers[place] = number;
        }
    }
    if (stream != NULL) {
        closedir(stream);
    }
    for (size_t i = 0; i < count; i++) {
        arena_grow(arena, &found->folders, &found->capacity, found->count + 1,
                   sizeof *found->folders);
        found->folders[found->count++] =
            arena_printf(arena, "%s/%s%lld", parent, prefix, numbers[i]);
    }
}

static struct found find_chunks(struct arena *arena, const char *results)
{
    struct found submits = {.count = 0}, all = {.count = 0}, found = {.count = 0};

    list_numbered(arena, arena_printf(arena, "%s/slurm", results), "", &submits);
    for (size_t i = 0; i < submits.count; i++) {
        list_numbered(arena, submits.folders[i], "chunk-", &all);
    }
    for (size_t i = 0; i < all.count; i++) {
        if (slurm_is_chunk(all.folders[i]) && !holds(all.folders[i], taken_name)) {
            arena_grow(arena, &found.folders, &found.capacity, found.count + 1,
                       sizeof *found.folders);
            found.folders[found.count++] = all.folders[i];
        }
    }
    return found;
}

/* A chunk that is being taken over. */
struct taking {
    const char *folder;
    bool closes;
    bool is_done; /* nothing is left to do in it */
};

/* Closes the chunk if it is to be closed, and finds out what is left to do. */
static enum error look(struct taking *taking, struct diagnostic *diagnostic)
{
    const struct class_list nobody = {.shape = "folders"};
    const struct store_task *tasks;
    struct store *chunk = NULL;
    size_t count = 0;

    enum error error = store_open(taking->folder, STORE_WRITE | STORE_ALONE, &chunk, diagnostic);
    if (error == ERROR_NONE && taking->closes) {
        error = store_put_class(chunk, &nobody, diagnostic);
    }
    if (error == ERROR_NONE) {
        struct arena *arena = arena_new();
        error = store_tasks(chunk, arena, STORE_PENDING, &tasks, &count, diagnostic);
        arena_free(arena);
    }
    store_close(chunk);
    taking->is_done = error == ERROR_NONE && count == 0;
    return error;
}

static enum error mark_taken(const char *folder, struct diagnostic *diagnostic)
{
    static const char words[] =
        "The results of this chunk have been merged into those of the class.\n";
    struct text path;

    text_init(&path);
    text_printf(&path, "%s/%s", folder, taken_name);
    enum error error = file_write_atomic(path.bytes, words, strlen(words), diagnostic);
    text_release(&path);
    return error;
}

/* True if the class goes on without the chunk. */
static bool is_unusable(enum error error)
{
    return error == ERROR_RANGE || error == ERROR_SYNTAX || error == ERROR_NOT_FOUND ||
           error == ERROR_UNSUPPORTED;
}

static enum error take_one(struct store *store, struct taking *taking, struct arena *arena,
                           const char **out_remark, struct diagnostic *diagnostic)
{
    struct diagnostic cause = {.blame = BLAME_NONE};
    enum error error = look(taking, &cause);

    *out_remark = NULL;
    if (error == ERROR_NONE) {
        error = store_merge(store, taking->folder, &cause);
    }
    if (is_unusable(error)) {
        *out_remark = arena_printf(arena, "%s is skipped: %s", taking->folder, cause.message);
        /* What is damaged may be the store of the class; then nothing is lost once it is mended. */
        return error == ERROR_SYNTAX ? ERROR_NONE : mark_taken(taking->folder, diagnostic);
    }
    if (error == ERROR_NONE && taking->is_done) {
        return mark_taken(taking->folder, diagnostic);
    }
    if (error != ERROR_NONE && diagnostic != NULL) {
        *diagnostic = cause;
    }
    return error;
}

/* ERROR_BUSY if a task is grading one of them; what else is wrong shows when it is taken over. */
static enum error refuse_running(const struct found *found, struct diagnostic *diagnostic)
{
    for (size_t i = 0; i < found->count; i++) {
        struct taking taking = {.folder = found->folders[i]};
        if (look(&taking, NULL) == ERROR_BUSY) {
            diagnostic_set(
                diagnostic, BLAME_USAGE,
                "a task of the cluster is grading %s; wait until it ends, or cancel its job "
                "(scancel, kubectl delete job)",
                taking.folder);
            return ERROR_BUSY;
        }
    }
    return ERROR_NONE;
}

enum error slurm_chunks_take(struct store *store, const char *results, bool close,
                             struct arena *arena, struct slurm_taken *out_taken,
                             struct diagnostic *diagnostic)
{
    struct found found = find_chunks(arena, results);
    const char **remarks = arena_array(arena, found.count, sizeof *remarks);
    struct slurm_taken taken = {.remarks = remarks};
    enum error error = close ? refuse_running(&found, diagnostic) : ERROR_NONE;

    for (size_t i = 0; error == ERROR_NONE && i < found.count; i++) {
        struct taking taking = {.folder = found.folders[i], .closes = close};
        const char *remark;
        error = take_one(store, &taking, arena, &remark, diagnostic);
        if (error == ERROR_BUSY && !close) {
            taken.running++;
            error = ERROR_NONE;
        } else if (error == ERROR_NONE && remark != NULL) {
            remarks[taken.remark_count++] = remark;
        } else if (error == ERROR_NONE) {
            taken.taken++;
        }
    }
    if (error == ERROR_NONE) {
        *out_taken = taken;
    }
    return error;
}
