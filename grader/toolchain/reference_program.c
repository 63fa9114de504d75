/* reference_program.c: the programs of the reference solution and of the template, built once and
 * kept; see toolchain.h.
 *
 *   cache_folder/program-KEY    the executable, then the SHA-256 of it in 64 hexadecimal digits
 *   work_folder/reference-N/    or template-N/
 *     source/                   what is compiled: the solution's files and the given ones
 *     program                   the executable that is run
 *
 * KEY is the hash of everything that decides the executable. A kept file whose digits do not fit
 * its bytes is damaged: it is built again and written anew.
 */
#include "base/file.h"
#include "base/text.h"
#include "toolchain/compatibility_text.h"
#include "toolchain/compiler_run.h"
#include "toolchain/object_cache.h"

#include <errno.h>
#include <fts.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PROGRAM_BYTES_MAX ((size_t)256 << 20)
#define SOURCE_BYTES_MAX ((size_t)16 << 20)
enum { HASH_DIGITS = 64, FILES_MAX = 2000 };

struct reference_program {
    const struct toolchain *toolchain;
    const struct rubric *rubric;
    size_t number;
    const int64_t *macro_values; /* [override_count] of the program, or NULL */
    const char *what;            /* "reference solution" */
    struct arena *scratch;       /* what does not outlive the call */
    const char *solution_folder;
    const char **files; /* [file_count] below the solution's folder, by path */
    size_t file_count;
    const char *folder; /* work_folder/reference-N */
    const char *kept_path;
    const char *bytes; /* [length]: the executable */
    size_t length;
};

static int compare_names(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static enum error unreadable(const struct reference_program *reference, const char *path, int cause,
                             struct diagnostic *diagnostic)
{
    diagnostic_set(diagnostic, BLAME_RUBRIC, "the %s cannot be read: %s: %s", reference->what, path,
                   strerror(cause));
    return ERROR_COURSEWORK;
}

/* Adds a file below the solution's folder to the list, and passes over hidden ones. */
static enum error list_entry(struct reference_program *reference, FTS *tree, FTSENT *entry,
                             size_t *capacity, struct diagnostic *diagnostic)
{
    size_t prefix = strlen(reference->solution_folder) + 1;
    struct arena *arena = reference->scratch;

    if (entry->fts_info == FTS_DNR || entry->fts_info == FTS_ERR || entry->fts_info == FTS_NS) {
        return unreadable(reference, entry->fts_path, entry->fts_errno, diagnostic);
    }
    if (entry->fts_level > 0 && entry->fts_name[0] == '.') {
        fts_set(tree, entry, FTS_SKIP);
        return ERROR_NONE;
    }
    if (entry->fts_info != FTS_F) {
        return ERROR_NONE;
    }
    if (reference->file_count >= FILES_MAX) {
        diagnostic_set(diagnostic, BLAME_RUBRIC, "the %s has more than %d files", reference->what,
                       (int)FILES_MAX);
        return ERROR_COURSEWORK;
    }
    arena_grow(arena, &reference->files, capacity, reference->file_count + 1,
               sizeof *reference->files);
    reference->files[reference->file_count++] = arena_strdup(arena, entry->fts_path + prefix);
    return ERROR_NONE;
}

/* Lists what a submission would be: all files but hidden ones, in folders too. */
static enum error list_files(struct reference_program *reference, struct diagnostic *diagnostic)
{
    char *const roots[] = {arena_strdup(reference->scratch, reference->solution_folder), NULL};
    FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    size_t capacity = 0;
    enum error error = ERROR_NONE;
    FTSENT *entry = NULL;

    if (tree == NULL) {
        return unreadable(reference, reference->solution_folder, errno, diagnostic);
    }
    while (error == ERROR_NONE && (entry = fts_read(tree)) != NULL) {
        error = list_entry(reference, tree, entry, &capacity, diagnostic);
    }
    fts_close(tree);
    if (reference->file_count > 0) {
        qsort(reference->files, reference->file_count, sizeof *reference->files, compare_names);
    }
    return error;
}

/* Appends what the request changes of the sources and puts before them. */
static void add_changes(const struct reference_program *reference,
                        const struct rubric_program *program, struct text *text)
{
    for (size_t i = 0; i < program->override_count && reference->macro_values != NULL; i++) {
        text_printf(text, "%s=%" PRId64 "\n", program->overrides[i].name,
                    reference->macro_values[i]);
    }
    if (program->is_compatible) {
        text_append(text, compatibility_text);
    }
}

/* Names the kept program: what decides its harness objects, the solution's files and the runtime
 * that it is linked to. */
static enum error name_kept(struct reference_program *reference, struct diagnostic *diagnostic)
{
    const struct rubric_program *program = &reference->rubric->programs[reference->number];
    struct arena *arena = reference->scratch;
    char hash[HASH_DIGITS + 1];
    struct text text;
    enum error error = object_cache_key(
        reference->toolchain, reference->rubric, program, "program",
        compiler_flags(arena, reference->rubric, program, COMPILER_USUAL), hash, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    text_init(&text);
    text_printf(&text, "%s\n", hash);
    add_changes(reference, program, &text);
    for (size_t i = 0; i < program->source_count; i++) {
        text_printf(&text, "%s\n", program->sources[i]);
    }
    for (size_t i = 0; i < reference->file_count && error == ERROR_NONE; i++) {
        error = object_cache_add_file(&text, arena, reference->solution_folder, reference->files[i],
                                      BLAME_RUBRIC, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = object_cache_add_file(&text, arena, reference->toolchain->cudart_folder,
                                      CUDART_SONAME, BLAME_ENVIRONMENT, diagnostic);
    }
    hash_bytes(text.bytes, text.length, hash);
    text_release(&text);
    reference->kept_path =
        arena_printf(arena, "%s/program-%s", reference->toolchain->cache_folder, hash);
    return error;
}

/* Reads the kept program; false if there is none or it is damaged. */
static bool take_kept(struct reference_program *reference)
{
    char hash[HASH_DIGITS + 1];
    char *bytes;
    size_t length;

    if (file_read(reference->scratch, reference->kept_path, PROGRAM_BYTES_MAX + HASH_DIGITS,
                  BLAME_ENVIRONMENT, &bytes, &length, NULL) != ERROR_NONE ||
        length < HASH_DIGITS) {
        return false;
    }
    reference->bytes = bytes;
    reference->length = length - HASH_DIGITS;
    hash_bytes(bytes, reference->length, hash);
    return memcmp(bytes + reference->length, hash, HASH_DIGITS) == 0;
}

/* Keeps the program. A cache that cannot be written only costs time later. */
static void keep(struct reference_program *reference)
{
    char *bytes = arena_alloc(reference->scratch, reference->length + HASH_DIGITS + 1);

    memcpy(bytes, reference->bytes, reference->length);
    hash_bytes(reference->bytes, reference->length, bytes + reference->length);
    file_write_mode(reference->kept_path, 0644, bytes, reference->length + HASH_DIGITS, NULL);
}

/* Copies files into source/, with the folders that they are in. */
static enum error copy_files(struct reference_program *reference, const char *from,
                             const char *const *names, size_t count, struct diagnostic *diagnostic)
{
    struct arena *arena = reference->scratch;

    for (size_t i = 0; i < count; i++) {
        const char *source = arena_printf(arena, "%s/%s", from, names[i]);
        const char *target = arena_printf(arena, "%s/source/%s", reference->folder, names[i]);
        size_t folder_length = (size_t)(strrchr(target, '/') - target);
        if (folder_make(arena_strndup(arena, target, folder_length), 0755, diagnostic) !=
            ERROR_NONE) {
            return ERROR_ENVIRONMENT;
        }
        if (file_copy(source, target, 0644, SOURCE_BYTES_MAX, diagnostic) != ERROR_NONE) {
            if (diagnostic != NULL) {
                diagnostic->blame = BLAME_RUBRIC;
            }
            return ERROR_COURSEWORK;
        }
    }
    return ERROR_NONE;
}

/* Lays out the sources as a submission's are: the given files over them. */
static enum error lay_out_sources(struct reference_program *reference, const char *source_folder,
                                  struct diagnostic *diagnostic)
{
    const struct rubric_program *program = &reference->rubric->programs[reference->number];

    if (folder_make(source_folder, 0755, diagnostic) != ERROR_NONE) {
        return ERROR_ENVIRONMENT;
    }
    enum error error = copy_files(reference, reference->solution_folder, reference->files,
                                  reference->file_count, diagnostic);
    if (error == ERROR_NONE) {
        error = copy_files(reference, reference->rubric->template_folder, program->given,
                           program->given_count, diagnostic);
    }
    return error;
}

/* A size that the reference solution does not define cannot be set there. */
static enum error missing_macro(const struct reference_program *reference, const char *name,
                                struct diagnostic *diagnostic)
{
    diagnostic_set(diagnostic, BLAME_RUBRIC,
                   "no source of the %s defines %s, which the rubric lists in \"overrides\"",
                   reference->what, name);
    return ERROR_COURSEWORK;
}

/* A reference solution that does not build is a mistake in the coursework. */
static enum error build_failure(const struct reference_program *reference,
                                const struct program_build *build, struct diagnostic *diagnostic)
{
    const struct tool_message *message = build->message_count > 0 ? &build->messages[0] : NULL;

    if (message != NULL && message->is_error) {
        diagnostic_set_at(diagnostic, BLAME_RUBRIC, message->file, message->line, message->column,
                          "the %s does not build: %s", reference->what, message->message);
    } else {
        diagnostic_set(diagnostic, BLAME_RUBRIC,
                       "the %s does not build: its file %s is missing or not text", reference->what,
                       build->failed_file);
    }
    return ERROR_COURSEWORK;
}

/* Builds the program as a submission's is built, and reads it. */
static enum error build(struct reference_program *reference, struct diagnostic *diagnostic)
{
    struct arena *arena = reference->scratch;
    const char *source_folder = arena_printf(arena, "%s/source", reference->folder);
    struct toolchain *toolchain = arena_alloc(arena, sizeof *toolchain);
    struct toolchain_job *job = NULL;
    struct built_program built;
    char *bytes;
    enum error error = lay_out_sources(reference, source_folder, diagnostic);

    if (error == ERROR_NONE) {
        const struct build_request request = {
            .rubric = reference->rubric,
            .program = reference->number,
            .source_folder = source_folder,
            .work_folder = reference->folder,
            .macro_values = reference->macro_values,
        };
        /* What comes out is kept here, so it is not kept once more. */
        *toolchain = *reference->toolchain;
        toolchain->builds_anew = true;
        error = toolchain_start(toolchain, &request, &job, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = toolchain_finish(job, arena, &built, diagnostic);
    }
    if (error != ERROR_NONE) {
        return error;
    }
    if (built.executable == NULL) {
        return build_failure(reference, &built.build, diagnostic);
    }
    if (built.build.missing_macro_count > 0) {
        return missing_macro(reference, built.build.missing_macros[0], diagnostic);
    }
    error = file_read(arena, built.executable, PROGRAM_BYTES_MAX, BLAME_ENVIRONMENT, &bytes,
                      &reference->length, diagnostic);
    reference->bytes = error == ERROR_NONE ? bytes : NULL;
    return error == ERROR_NONE ? ERROR_NONE : ERROR_ENVIRONMENT;
}

/* Writes a kept program where the sandbox's user can run it. */
static enum error write_program(const struct reference_program *reference, const char *path,
                                struct diagnostic *diagnostic)
{
    enum error error = file_write_mode(path, 0755, reference->bytes, reference->length, diagnostic);

    return error == ERROR_NONE ? ERROR_NONE : ERROR_ENVIRONMENT;
}

static enum error make_program(struct reference_program *reference, struct arena *arena,
                               struct built_program *out_program, struct diagnostic *diagnostic)
{
    const char *path = arena_printf(arena, "%s/program", reference->folder);
    struct built_program program = {
        .build = {.attempted = true, .compiled = true, .linked = true, .failed_file = ""},
        .executable = path,
    };
    enum error error = list_files(reference, diagnostic);

    if (error == ERROR_NONE) {
        error = name_kept(reference, diagnostic);
    }
    if (error == ERROR_NONE && folder_make(reference->folder, 0755, diagnostic) != ERROR_NONE) {
        error = ERROR_ENVIRONMENT;
    }
    if (error != ERROR_NONE) {
        return error;
    }
    if (take_kept(reference)) {
        error = write_program(reference, path, diagnostic);
    } else {
        error = build(reference, diagnostic);
        if (error == ERROR_NONE) {
            keep(reference);
        }
    }
    if (error == ERROR_NONE) {
        error =
            fat_program_read(arena, reference->bytes, reference->length, &program.code, diagnostic);
        error = error == ERROR_NONE ? ERROR_NONE : ERROR_INTERNAL;
    }
    if (error == ERROR_NONE) {
        *out_program = program;
    }
    return error;
}

/* A folder for each request of one program: FOLDER/WHAT-N, with the values behind it. */
static const char *request_folder(struct arena *arena, const struct build_request *request,
                                  const char *what)
{
    const struct rubric_program *program = &request->rubric->programs[request->program];
    struct text text;
    char hash[HASH_DIGITS + 1];

    const char *folder =
        arena_printf(arena, "%s/%s-%zu", request->work_folder, what, request->program);
    if (request->macro_values == NULL || !program_is_whole(program)) {
        return folder;
    }
    text_init(&text);
    for (size_t i = 0; i < program->override_count; i++) {
        text_printf(&text, "%" PRId64 "\n", request->macro_values[i]);
    }
    hash_bytes(text.bytes, text.length, hash);
    text_release(&text);
    return arena_printf(arena, "%s-%.16s", folder, hash);
}

/* Makes what a request asks for of the sources in a folder of the coursework. */
static enum error provide(const struct toolchain *toolchain, const struct build_request *request,
                          struct reference_program *reference, struct arena *arena,
                          struct built_program *out_program, struct diagnostic *diagnostic)
{
    reference->toolchain = toolchain;
    reference->rubric = request->rubric;
    reference->number = request->program;
    reference->macro_values = request->macro_values;
    return make_program(reference, arena, out_program, diagnostic);
}

enum error toolchain_reference(const struct toolchain *toolchain,
                               const struct build_request *request, struct arena *arena,
                               struct built_program *out_program, struct diagnostic *diagnostic)
{
    struct arena *scratch = arena_new();
    struct reference_program reference = {
        .what = "reference solution",
        .scratch = scratch,
        .solution_folder = arena_printf(scratch, "%s/solution", request->rubric->reference_folder),
        .folder = request_folder(scratch, request, "reference"),
    };
    enum error error = provide(toolchain, request, &reference, arena, out_program, diagnostic);

    arena_free(scratch);
    return error;
}

enum error toolchain_template(const struct toolchain *toolchain,
                              const struct build_request *request, struct arena *arena,
                              struct built_program *out_program, struct diagnostic *diagnostic)
{
    struct arena *scratch = arena_new();
    struct reference_program template = {
        .what = "template",
        .scratch = scratch,
        .solution_folder = request->rubric->template_folder,
        .folder = request_folder(scratch, request, "template"),
    };
    enum error error = provide(toolchain, request, &template, arena, out_program, diagnostic);

    arena_free(scratch);
    return error;
}
