/* program_cache.c: see program_cache.h. */
#include "toolchain/program_cache.h"

#include "base/file.h"
#include "base/text.h"
#include "toolchain/compatibility_text.h"
#include "toolchain/compiler_run.h"
#include "toolchain/object_cache.h"
#include "toolchain/source_copies.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ENTRY_BYTES_MAX ((size_t)16 << 20)
#define CACHE_BYTES_MAX ((uint64_t)256 << 20)
static const char entry_format[] = "gpugrade build 3\n";
enum { HASH_DIGITS = 64 };

/* Keys *******************************************************************************************/

/* Programs, headers and the runtime that are the machine's. */
static enum error add_machine(struct text *text, struct arena *arena,
                              const struct toolchain *toolchain)
{
    static const char *const system_files[] = {"/usr/bin/g++", "/usr/bin/ld",
                                               "/usr/include/features.h"};
    static const char *const toolkit_files[] = {"bin/nvcc", "bin/ptxas", "include/cuda_runtime.h"};

    for (size_t i = 0; i < sizeof system_files / sizeof system_files[0]; i++) {
        text_printf(text, "%s\n", compiler_identity(arena, system_files[i]));
    }
    for (size_t i = 0; i < sizeof toolkit_files / sizeof toolkit_files[0]; i++) {
        const char *path = arena_printf(arena, "%s/%s", toolchain->cuda_folder, toolkit_files[i]);
        text_printf(text, "%s\n", compiler_identity(arena, path));
    }
    /* The tier decides which files a source could reach, and how much it may use. */
    text_printf(text, "tier %d\n", (int)toolchain->sandbox->tier);
    return object_cache_add_file(text, arena, toolchain->cudart_folder, CUDART_SONAME,
                                 BLAME_ENVIRONMENT, NULL);
}

/* What the coursework decides. */
static enum error add_coursework(struct text *text, struct arena *arena,
                                 const struct toolchain *toolchain, const struct rubric *rubric,
                                 const struct rubric_program *program)
{
    char hash[HASH_DIGITS + 1];
    enum error error =
        object_cache_key(toolchain, rubric, program, "built",
                         compiler_flags(arena, rubric, program, COMPILER_USUAL), hash, NULL);

    if (error != ERROR_NONE) {
        return error;
    }
    text_printf(text, "%s\n%" PRIu64 " %" PRIu64 "\n", hash, rubric->limits.compile_wall_ns,
                rubric->limits.compile_memory_bytes);
    if (program->is_compatible) {
        text_append(text, compatibility_text);
    }
    for (size_t i = 0; i < program->harness_count; i++) {
        text_printf(text, "harness %s\n", program->harness[i]);
    }
    for (size_t i = 0; i < program->source_count; i++) {
        text_printf(text, "source %s\n", program->sources[i]);
    }
    return ERROR_NONE;
}

/* A text as it is compiled. */
static void add_overridden(struct text *text, struct arena *arena,
                           const struct macro_values *values, const struct source_tree_file *file)
{
    char hash[HASH_DIGITS + 1];
    size_t length = 0;
    const char *changed = macro_override(arena, file->text, file->length, values, &length);

    hash_bytes(changed, length, hash);
    text_printf(text, "as %s\n", hash);
}

/* The submission's part: all names, and the contents of what may be included. */
static enum error add_submission(struct text *text, struct arena *arena,
                                 const struct rubric_program *program, const int64_t *values,
                                 const struct source_tree *tree)
{
    enum error error = ERROR_NONE;
    struct source_survey survey;

    source_survey_make(arena, tree, program, &survey);
    const struct macro_values given = {program->overrides, program->override_count, values,
                                       survey.sights};
    for (size_t i = 0; i < tree->count && error == ERROR_NONE; i++) {
        const struct source_tree_file *file = &tree->files[i];
        text_printf(text, "%zu %s\n", strlen(file->name), file->name);
        if (!file->is_reached) {
            continue;
        }
        error = object_cache_add_file(text, arena, tree->folder, file->name, BLAME_STUDENT, NULL);
        if (values != NULL && file->text != NULL) {
            add_overridden(text, arena, &given, file);
        }
    }
    return error;
}

/* Is any source another one tomorrow? */
static bool asks_for_the_date(const struct source_tree *tree)
{
    static const char *const words[] = {"__DATE__", "__TIME__", "__TIMESTAMP__"};

    for (size_t i = 0; i < tree->count; i++) {
        const struct source_tree_file *file = &tree->files[i];
        for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) {
            if (file->is_reached && file->text != NULL &&
                memmem(file->text, file->length, words[k], strlen(words[k])) != NULL) {
                return true;
            }
        }
    }
    return false;
}

bool program_cache_key(const struct toolchain *toolchain, const struct rubric *rubric,
                       const struct rubric_program *program, const struct source_tree *tree,
                       const int64_t *values, char out_key[65])
{
    struct arena *arena = arena_new();
    struct text text;

    text_init(&text);
    text_printf(&text, "%s%s\n", entry_format, GPUGRADE_VERSION);
    bool has_key = !tree->reads_beyond && !asks_for_the_date(tree) &&
                   add_machine(&text, arena, toolchain) == ERROR_NONE &&
                   add_coursework(&text, arena, toolchain, rubric, program) == ERROR_NONE &&
                   add_submission(&text, arena, program, values, tree) == ERROR_NONE;
    for (size_t i = 0; i < program->override_count && values != NULL; i++) {
        text_printf(&text, "%s=%" PRId64 "\n", program->overrides[i].name, values[i]);
    }
    if (has_key) {
        hash_bytes(text.bytes, text.length, out_key);
    }
    text_release(&text);
    arena_free(arena);
    return has_key;
}

/* Entries ****************************************************************************************/

static bool entry_path(const struct toolchain *toolchain, const char *key, char *out_path,
                       size_t capacity)
{
    int length = snprintf(out_path, capacity, "%s/programs/%s", toolchain->cache_folder, key);

    return length > 0 && (size_t)length < capacity;
}

/* An entry as it is read: numbers, each behind it a blank, and as many bytes as a number says. */
struct entry_reader {
    const char *rest; /* [length] */
    size_t length;
    bool is_good;
};

static uint64_t read_number(struct entry_reader *reader)
{
    uint64_t number = 0;
    size_t digits = 0;

    while (digits < reader->length && digits < 19 && reader->rest[digits] >= '0' &&
           reader->rest[digits] <= '9') {
        number = number * 10 + (uint64_t)(reader->rest[digits] - '0');
        digits++;
    }
    if (digits == 0 || digits >= reader->length || reader->rest[digits] != ' ') {
        reader->is_good = false;
        return 0;
    }
    reader->rest += digits + 1;
    reader->length -= digits + 1;
    return number;
}

static const char *read_bytes(struct entry_reader *reader, struct arena *arena, size_t *out_length)
{
    uint64_t length = read_number(reader);

    if (!reader->is_good || length > reader->length) {
        reader->is_good = false;
        *out_length = 0;
        return "";
    }
    const char *bytes = arena_strndup(arena, reader->rest, length);
    reader->rest += length;
    reader->length -= length;
    *out_length = length;
    return bytes;
}

/* The failures that are kept, by their numbers in an entry. */
static const enum code failures[] = {CODE_NONE, CODE_COMPILE_ERROR, CODE_LINK_ERROR};
enum { FAILURE_COUNT = sizeof failures / sizeof failures[0] };

static bool read_entry(struct arena *arena, const char *bytes, size_t length,
                       struct kept_program *out_kept)
{
    size_t format_length = strlen(entry_format);
    size_t folder_length, modules_length;

    if (length < format_length || memcmp(bytes, entry_format, format_length) != 0) {
        return false;
    }
    struct entry_reader reader = {bytes + format_length, length - format_length, true};
    struct kept_program kept = {
        .compiled = read_number(&reader) != 0,
        .linked = read_number(&reader) != 0,
    };
    uint64_t failure = read_number(&reader);
    kept.exit_status = (int)(read_number(&reader) & 0xff);
    kept.missing_macros = read_number(&reader);
    kept.named_folder = read_bytes(&reader, arena, &folder_length);
    kept.printed = read_bytes(&reader, arena, &kept.printed_length);
    kept.executable = read_bytes(&reader, arena, &kept.executable_length);
    kept.given_modules = read_bytes(&reader, arena, &modules_length);
    if (!reader.is_good || reader.length != 0 || failure >= FAILURE_COUNT) {
        return false;
    }
    kept.failure = failures[failure];
    *out_kept = kept;
    return true;
}

bool program_cache_take(const struct toolchain *toolchain, const char *key, struct arena *arena,
                        struct kept_program *out_kept)
{
    char path[4200];
    char hash[HASH_DIGITS + 1];
    char *bytes = NULL;
    size_t length = 0;
    struct arena *scratch = arena_new();

    bool is_read = entry_path(toolchain, key, path, sizeof path) &&
                   file_read(scratch, path, ENTRY_BYTES_MAX + HASH_DIGITS, BLAME_ENVIRONMENT,
                             &bytes, &length, NULL) == ERROR_NONE &&
                   length >= HASH_DIGITS;
    if (is_read) {
        length -= HASH_DIGITS;
        hash_bytes(bytes, length, hash);
        is_read = memcmp(bytes + length, hash, HASH_DIGITS) == 0 &&
                  read_entry(arena, bytes, length, out_kept);
    }
    arena_free(scratch);
    if (is_read) {
        /* It was used now; that it cannot be noted does no harm. */
        utimensat(AT_FDCWD, path, NULL, 0);
    }
    return is_read;
}

/* The bound ************************************************************************************/

struct cache_entry {
    const char *path;
    uint64_t bytes;
    struct timespec used;
};

static int compare_use(const void *left, const void *right)
{
    const struct timespec *one = &((const struct cache_entry *)left)->used;
    const struct timespec *other = &((const struct cache_entry *)right)->used;

    if (one->tv_sec != other->tv_sec) {
        return one->tv_sec < other->tv_sec ? -1 : 1;
    }
    return one->tv_nsec < other->tv_nsec ? -1 : one->tv_nsec > other->tv_nsec;
}

/* Removes the entries that were not used longest until there is room for `bytes` more. */
static void make_room(const struct toolchain *toolchain, struct arena *arena, uint64_t bytes)
{
    struct cache_entry *entries = NULL;
    size_t count = 0, capacity = 0;
    uint64_t total = bytes;
    const char *folder = arena_printf(arena, "%s/programs", toolchain->cache_folder);
    DIR *stream = opendir(folder); /* which sets FD_CLOEXEC */
    struct dirent *found;

    while (stream != NULL && (found = readdir(stream)) != NULL) {
        struct stat status;
        const char *path = arena_printf(arena, "%s/%s", folder, found->d_name);
        if (lstat(path, &status) == 0 && S_ISREG(status.st_mode)) {
            arena_grow(arena, &entries, &capacity, count + 1, sizeof *entries);
            entries[count++] = (struct cache_entry){path, (uint64_t)status.st_size, status.st_mtim};
            total += (uint64_t)status.st_size;
        }
    }
    if (stream != NULL) {
        closedir(stream);
    }
    if (total <= CACHE_BYTES_MAX) {
        return;
    }
    qsort(entries, count, sizeof *entries, compare_use);
    /* A quarter more, so that this is rare. */
    for (size_t i = 0; i < count && total > CACHE_BYTES_MAX / 4 * 3; i++) {
        unlink(entries[i].path);
        total -= entries[i].bytes;
    }
}

static void append_bytes(struct text *text, const char *bytes, size_t length)
{
    text_printf(text, "%zu ", length);
    text_append_bytes(text, bytes, length);
}

void program_cache_keep(const struct toolchain *toolchain, const char *key,
                        const struct kept_program *kept)
{
    char path[4200];
    char hash[HASH_DIGITS + 1];
    size_t failure = 0;

    while (failure < FAILURE_COUNT && failures[failure] != kept->failure) {
        failure++;
    }
    if (failure == FAILURE_COUNT || kept->executable_length > ENTRY_BYTES_MAX / 2 ||
        kept->printed_length > ENTRY_BYTES_MAX / 4 ||
        !entry_path(toolchain, key, path, sizeof path)) {
        return;
    }
    struct arena *arena = arena_new();
    struct text text;
    text_init(&text);
    text_printf(&text, "%s%d %d %zu %d %" PRIu64 " ", entry_format, (int)kept->compiled,
                (int)kept->linked, failure, kept->exit_status, kept->missing_macros);
    append_bytes(&text, kept->named_folder, strlen(kept->named_folder));
    append_bytes(&text, kept->printed, kept->printed_length);
    append_bytes(&text, kept->executable, kept->executable_length);
    append_bytes(&text, kept->given_modules, strlen(kept->given_modules));
    hash_bytes(text.bytes, text.length, hash);
    text_append(&text, hash);
    /* What a student wrote is nobody else's. */
    if (folder_make(arena_printf(arena, "%s/programs", toolchain->cache_folder), 0700, NULL) ==
        ERROR_NONE) {
        make_room(toolchain, arena, text.length);
        file_write_mode(path, 0600, text.bytes, text.length, NULL);
    }
    text_release(&text);
    arena_free(arena);
}
