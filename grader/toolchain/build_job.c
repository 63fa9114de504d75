/* build_job.c: builds one program; see toolchain.h.
 *
 * Every source is one piece. All pieces compile at the same time, each in a sandbox of its own with
 * a folder of its own:
 *
 *   work_folder/
 *     harness/          copies of the harness and the given files, only if one must be compiled
 *     piece-N/object.o  written by the compiler in the sandbox
 *     object-N.o        what is linked; copied from there or from the cache
 *     link/program      written by the linker in the sandbox
 *     program           the executable, the grader's own copy: no sandboxed user can change it
 */
#include "base/file.h"
#include "base/text.h"
#include "toolchain/compiler_run.h"
#include "toolchain/object_cache.h"
#include "toolchain/run_end.h"
#include "toolchain/toolchain.h"

#include <stdio.h>
#include <string.h>

#define SOURCE_BYTES_MAX ((size_t)4 << 20)
#define PRODUCT_BYTES_MAX ((size_t)256 << 20)

struct piece {
    const char *name;          /* of the source, as the rubric has it */
    const char *source_folder; /* where it is compiled */
    const char *folder;        /* written by the compiler */
    const char *object;        /* what is linked */
    bool is_harness;
    bool is_ready; /* taken from the cache */
    char key[65];
    struct sandbox_run *run;
};

struct toolchain_job {
    struct arena *arena;
    const struct toolchain *toolchain;
    const struct rubric *rubric;
    const struct rubric_program *program;
    const char *source_folder;
    const char *work_folder;
    struct piece *pieces; /* [piece_count] */
    size_t piece_count;
    struct program_build build;
    struct text printed; /* by the tools that saw the student's sources */
};

static void fail(struct toolchain_job *job, enum code code, const char *file)
{
    job->build.failure = code;
    job->build.failed_file = file;
}

/* Looks at the sources before any tool does; false if one of them is missing or no text. */
static bool check_sources(struct toolchain_job *job)
{
    for (size_t i = 0; i < job->program->source_count; i++) {
        const char *name = job->program->sources[i];
        char *bytes;
        size_t length;
        enum error error =
            file_read(job->arena, arena_printf(job->arena, "%s/%s", job->source_folder, name),
                      SOURCE_BYTES_MAX, BLAME_STUDENT, &bytes, &length, NULL);
        if (error == ERROR_NOT_FOUND || error == ERROR_IO) {
            fail(job, CODE_SOURCE_MISSING, name);
            return false;
        }
        if (error != ERROR_NONE || !text_is_utf8(bytes, length)) {
            fail(job, CODE_SOURCE_NOT_TEXT, name);
            return false;
        }
    }
    return true;
}

static enum error copy_files(struct toolchain_job *job, const char *from, const char *to,
                             const char *const *names, size_t count, struct diagnostic *diagnostic)
{
    for (size_t i = 0; i < count; i++) {
        const char *source = arena_printf(job->arena, "%s/%s", from, names[i]);
        const char *target = arena_printf(job->arena, "%s/%s", to, names[i]);
        if (file_copy(source, target, 0644, SOURCE_BYTES_MAX, diagnostic) != ERROR_NONE) {
            return ERROR_INTERNAL;
        }
    }
    return ERROR_NONE;
}

/* Lays out the harness where the user of the sandbox can read it; given files come from the
 * template. */
static enum error lay_out_harness(struct toolchain_job *job, const char *folder,
                                  struct diagnostic *diagnostic)
{
    const struct rubric_program *program = job->program;

    if (folder_exists(folder)) {
        return ERROR_NONE;
    }
    if (folder_make(folder, 0755, diagnostic) != ERROR_NONE) {
        return ERROR_ENVIRONMENT;
    }
    enum error error = copy_files(job, job->rubric->reference_folder, folder, program->harness,
                                  program->harness_count, diagnostic);
    if (error == ERROR_NONE) {
        error = copy_files(job, job->rubric->template_folder, folder, program->given,
                           program->given_count, diagnostic);
    }
    return error;
}

/* Starts the compiler for a piece. */
static enum error start_piece(struct toolchain_job *job, struct piece *piece,
                              const char *const *flags, struct diagnostic *diagnostic)
{
    struct sandbox_spec spec;
    size_t count = 0;
    size_t flag_count = 0;

    if (folder_make(piece->folder, 0755, diagnostic) != ERROR_NONE) {
        return ERROR_ENVIRONMENT;
    }
    while (flags[flag_count] != NULL) {
        flag_count++;
    }
    const char **arguments = arena_array(job->arena, flag_count + 5, sizeof *arguments);
    arguments[count++] = arena_printf(job->arena, "%s/bin/nvcc", job->toolchain->cuda_folder);
    for (size_t i = 0; i < flag_count; i++) {
        arguments[count++] = flags[i];
    }
    arguments[count++] = piece->name;
    arguments[count++] = "-o";
    arguments[count++] = arena_printf(job->arena, "%s/object.o", piece->folder);
    compiler_spec_init(job->toolchain, &job->rubric->limits, piece->folder, job->arena, &spec);
    compiler_spec_mount(&spec, piece->source_folder, false);
    compiler_spec_mount(&spec, piece->folder, true);
    spec.arguments = arguments;
    spec.folder = piece->source_folder;
    return sandbox_start(job->toolchain->sandbox, &spec, &piece->run, diagnostic);
}

/* Takes a harness object from the cache, or prepares to compile it. */
static enum error prepare_harness(struct toolchain_job *job, struct piece *piece,
                                  const char *const *flags, struct diagnostic *diagnostic)
{
    enum error error = object_cache_key(job->toolchain, job->rubric, job->program, piece->name,
                                        flags, piece->key, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    piece->is_ready = object_cache_take(job->toolchain, piece->key, piece->object);
    return piece->is_ready ? ERROR_NONE : lay_out_harness(job, piece->source_folder, diagnostic);
}

static void list_pieces(struct toolchain_job *job)
{
    const struct rubric_program *program = job->program;

    job->piece_count = program->source_count + program->harness_count;
    job->pieces = arena_array(job->arena, job->piece_count, sizeof *job->pieces);
    for (size_t i = 0; i < job->piece_count; i++) {
        struct piece *piece = &job->pieces[i];
        piece->is_harness = i >= program->source_count;
        piece->name =
            piece->is_harness ? program->harness[i - program->source_count] : program->sources[i];
        piece->source_folder = piece->is_harness
                                   ? arena_printf(job->arena, "%s/harness", job->work_folder)
                                   : job->source_folder;
        piece->folder = arena_printf(job->arena, "%s/piece-%zu", job->work_folder, i);
        piece->object = arena_printf(job->arena, "%s/object-%zu.o", job->work_folder, i);
    }
}

static void job_free(struct toolchain_job *job)
{
    for (size_t i = 0; i < job->piece_count; i++) {
        sandbox_run_free(job->pieces[i].run);
    }
    text_release(&job->printed);
    arena_free(job->arena);
}

enum error toolchain_start(const struct toolchain *toolchain, const struct rubric *rubric,
                           size_t program, const char *source_folder, const char *work_folder,
                           struct toolchain_job **out_job, struct diagnostic *diagnostic)
{
    struct arena *arena = arena_new();
    struct toolchain_job *job = arena_alloc(arena, sizeof *job);
    enum error error = ERROR_NONE;

    job->arena = arena;
    job->toolchain = toolchain;
    job->rubric = rubric;
    job->program = &rubric->programs[program];
    job->source_folder = arena_strdup(arena, source_folder);
    job->work_folder = arena_strdup(arena, work_folder);
    job->build.failed_file = "";
    text_init(&job->printed);
    if (check_sources(job)) {
        const char *const *flags = compiler_flags(arena, rubric, job->program);
        job->build.attempted = true;
        list_pieces(job);
        for (size_t i = 0; i < job->piece_count && error == ERROR_NONE; i++) {
            struct piece *piece = &job->pieces[i];
            if (piece->is_harness) {
                error = prepare_harness(job, piece, flags, diagnostic);
            }
            if (error == ERROR_NONE && !piece->is_ready) {
                error = start_piece(job, piece, flags, diagnostic);
            }
        }
    }
    if (error != ERROR_NONE) {
        job_free(job);
        return error;
    }
    *out_job = job;
    return ERROR_NONE;
}

/* A folder in which messages look up sources; the text of the last one is kept. */
struct source_shelf {
    struct arena *arena;
    const char *folder;
    const char *name; /* NULL: none yet */
    const char *text; /* NULL: it cannot be read */
    size_t length;
};

/* Messages are foreign: only what lies in the folder is looked at. */
static const char *shelf_text(void *context, const char *file, size_t *out_length)
{
    struct source_shelf *shelf = context;

    if (shelf->name == NULL || strcmp(shelf->name, file) != 0) {
        const char *path = arena_printf(shelf->arena, "%s/%s", shelf->folder, file);
        char *bytes = NULL;
        bool is_inside = file[0] != '/' && strstr(file, "..") == NULL;
        bool is_read = is_inside && file_read(shelf->arena, path, SOURCE_BYTES_MAX, BLAME_STUDENT,
                                              &bytes, &shelf->length, NULL) == ERROR_NONE;
        shelf->name = file;
        shelf->text = is_read ? bytes : NULL;
    }
    *out_length = shelf->length;
    return shelf->text;
}

/* Reads messages about the sources in a folder. */
static void read_messages(struct arena *arena, const char *folder, const struct text *printed,
                          const struct tool_message **out_messages, size_t *out_count)
{
    struct source_shelf shelf = {.arena = arena, .folder = folder};
    const struct message_sources sources = {
        .folder = folder,
        .text = shelf_text,
        .context = &shelf,
    };

    toolchain_read_messages(arena, printed->bytes, printed->length, &sources, out_messages,
                            out_count);
}

/* Does any message name a line of the source as wrong? */
static bool has_placed_error(struct toolchain_job *job, const struct text *printed)
{
    const struct tool_message *messages;
    size_t count;

    read_messages(job->arena, job->source_folder, printed, &messages, &count);
    for (size_t i = 0; i < count; i++) {
        if (messages[i].is_error && messages[i].line > 0) {
            return true;
        }
    }
    return false;
}

/* Notes how a tool failed; `code` if it refused what it was given. */
static void note_failure(struct toolchain_job *job, enum code code, const struct sandbox_end *end,
                         const struct text *printed)
{
    enum ending refusal = run_refusal(printed);
    struct sandbox_limits limits = compiler_limits(&job->rubric->limits);

    /* What the source does wrong counts before what a tool says of itself. */
    if (refusal != ENDING_EXITED && has_placed_error(job, printed)) {
        refusal = ENDING_EXITED;
    }
    job->build.end = run_end(end, &limits, refusal);
    bool limit = job->build.end.ending != ENDING_EXITED;
    job->build.failure = limit ? CODE_COMPILE_LIMIT : code;
}

static bool succeeded(const struct sandbox_end *end)
{
    return end->ending == SANDBOX_EXITED && end->exit_status == 0;
}

/* The coursework's own file does not compile: its first error is the message. */
static enum error harness_failure(struct toolchain_job *job, const struct piece *piece,
                                  const struct text *printed, struct diagnostic *diagnostic)
{
    const struct tool_message *messages;
    size_t count;

    read_messages(job->arena, piece->source_folder, printed, &messages, &count);
    if (count > 0 && messages[0].is_error) {
        diagnostic_set_at(diagnostic, BLAME_RUBRIC, messages[0].file, messages[0].line,
                          messages[0].column, "the harness %s does not compile: %s", piece->name,
                          messages[0].message);
    } else {
        diagnostic_set(diagnostic, BLAME_RUBRIC, "the harness %s does not compile: %.600s",
                       piece->name, printed->bytes);
    }
    return ERROR_INTERNAL;
}

/* Waits for a compiler and takes its object. */
static enum error finish_piece(struct toolchain_job *job, struct piece *piece,
                               struct diagnostic *diagnostic)
{
    struct text printed;
    enum error error = ERROR_NONE;

    if (piece->is_ready) {
        return ERROR_NONE;
    }
    sandbox_pump(piece->run, -1, UINT64_MAX);
    const struct sandbox_end *end = sandbox_end(piece->run);
    text_init(&printed);
    text_append(&printed, sandbox_errors(piece->run)->bytes);
    text_append(&printed, sandbox_output(piece->run)->bytes);
    if (succeeded(end)) {
        const char *object = arena_printf(job->arena, "%s/object.o", piece->folder);
        error = file_copy(object, piece->object, 0644, PRODUCT_BYTES_MAX, diagnostic);
        error = error == ERROR_NONE ? ERROR_NONE : ERROR_ENVIRONMENT;
        if (error == ERROR_NONE && piece->is_harness) {
            object_cache_keep(job->toolchain, piece->key, piece->object);
        }
    } else if (piece->is_harness) {
        error = harness_failure(job, piece, &printed, diagnostic);
    } else if (job->build.failure == CODE_NONE) {
        note_failure(job, CODE_COMPILE_ERROR, end, &printed);
    }
    if (!piece->is_harness) {
        text_append(&job->printed, printed.bytes);
    }
    text_release(&printed);
    return error;
}

/* Links all objects against the stand-in runtime. */
static enum error link_program(struct toolchain_job *job, const char **out_executable,
                               struct diagnostic *diagnostic)
{
    struct arena *arena = job->arena;
    struct sandbox_spec spec;
    struct sandbox_end end;
    struct text printed;
    size_t count = 0;
    const char *folder = arena_printf(arena, "%s/link", job->work_folder);
    const char *library = arena_printf(arena, "%s/" CUDART_SONAME, job->work_folder);
    const char *product = arena_printf(arena, "%s/program", folder);
    const char *executable = arena_printf(arena, "%s/program", job->work_folder);
    const char **arguments = arena_array(arena, job->piece_count + 6, sizeof *arguments);

    if (folder_make(folder, 0755, diagnostic) != ERROR_NONE ||
        file_copy(arena_printf(arena, "%s/" CUDART_SONAME, job->toolchain->cudart_folder), library,
                  0755, PRODUCT_BYTES_MAX, diagnostic) != ERROR_NONE) {
        return ERROR_ENVIRONMENT;
    }
    arguments[count++] = "/usr/bin/g++";
    for (size_t i = 0; i < job->piece_count; i++) {
        arguments[count++] = job->pieces[i].object;
    }
    arguments[count++] = library;
    arguments[count++] = "-o";
    arguments[count++] = product;
    compiler_spec_init(job->toolchain, &job->rubric->limits, folder, arena, &spec);
    compiler_spec_mount(&spec, job->work_folder, false);
    compiler_spec_mount(&spec, folder, true);
    spec.arguments = arguments;
    spec.folder = folder;
    text_init(&printed);
    enum error error =
        sandbox_run_to_end(job->toolchain->sandbox, &spec, &end, &printed, &printed, diagnostic);
    if (error == ERROR_NONE && succeeded(&end)) {
        *out_executable = executable;
        error = file_copy(product, executable, 0755, PRODUCT_BYTES_MAX, diagnostic);
        error = error == ERROR_NONE ? ERROR_NONE : ERROR_ENVIRONMENT;
    } else if (error == ERROR_NONE) {
        note_failure(job, CODE_LINK_ERROR, &end, &printed);
    }
    text_append(&job->printed, printed.bytes);
    text_release(&printed);
    return error;
}

/* Turns what the tools printed into messages. A failure without any message that is known gets the
 * last line that was printed. */
static void collect_messages(struct toolchain_job *job, struct arena *arena)
{
    struct program_build *build = &job->build;
    const struct text *printed = &job->printed;

    read_messages(arena, job->source_folder, printed, &build->messages, &build->message_count);
    bool failed = build->failure != CODE_NONE && build->attempted;
    if (!failed || (build->message_count > 0 && build->messages[0].is_error)) {
        return;
    }
    size_t end = printed->length;
    while (end > 0 && printed->bytes[end - 1] == '\n') {
        end--;
    }
    size_t start = end;
    while (start > 0 && printed->bytes[start - 1] != '\n') {
        start--;
    }
    struct tool_message *messages = arena_array(arena, build->message_count + 1, sizeof *messages);
    messages[0] = (struct tool_message){
        .is_error = true,
        .file = "",
        .message = end > start ? arena_strndup(arena, printed->bytes + start, end - start)
                               : "the compiler ended without a message",
    };
    for (size_t i = 0; i < build->message_count; i++) {
        messages[i + 1] = build->messages[i];
    }
    build->messages = messages;
    build->message_count++;
}

/* Reads the PTX out of the executable. */
static enum error read_code(struct toolchain_job *job, struct arena *arena, const char *executable,
                            struct built_program *program, struct diagnostic *diagnostic)
{
    char *bytes;
    size_t length;

    enum error error = file_read(job->arena, executable, PRODUCT_BYTES_MAX, BLAME_ENVIRONMENT,
                                 &bytes, &length, diagnostic);
    if (error != ERROR_NONE) {
        return ERROR_ENVIRONMENT;
    }
    error = fat_program_read(arena, bytes, length, &program->code, diagnostic);
    return error == ERROR_NONE ? ERROR_NONE : ERROR_ENVIRONMENT;
}

enum error toolchain_finish(struct toolchain_job *job, struct arena *arena,
                            struct built_program *out_program, struct diagnostic *diagnostic)
{
    struct built_program program = {.executable = NULL};
    const char *executable = NULL;
    enum error error = ERROR_NONE;

    for (size_t i = 0; i < job->piece_count && error == ERROR_NONE; i++) {
        error = finish_piece(job, &job->pieces[i], diagnostic);
    }
    job->build.compiled = job->build.attempted && job->build.failure == CODE_NONE;
    if (error == ERROR_NONE && job->build.compiled) {
        error = link_program(job, &executable, diagnostic);
    }
    if (error == ERROR_NONE && executable != NULL) {
        job->build.linked = true;
        error = read_code(job, arena, executable, &program, diagnostic);
    }
    if (error == ERROR_NONE) {
        collect_messages(job, arena);
        program.executable = executable == NULL ? NULL : arena_strdup(arena, executable);
        program.build = job->build;
        *out_program = program;
    }
    job_free(job);
    return error;
}
