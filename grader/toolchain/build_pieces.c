/* build_pieces.c: has the pieces of a program compiled and linked; see build_job.h. */
#include "toolchain/build_job.h"

#include "base/clock.h"
#include "base/file.h"
#include "model/harness_headers.h"
#include "toolchain/compiler_run.h"
#include "toolchain/object_cache.h"
#include "toolchain/run_end.h"

#include <stdio.h>
#include <string.h>

static enum error copy_files(struct toolchain_job *job, const char *from, const char *to,
                             const char *const *names, size_t count, struct diagnostic *diagnostic)
{
    for (size_t i = 0; i < count; i++) {
        const char *source = arena_printf(job->arena, "%s/%s", from, names[i]);
        const char *target = arena_printf(job->arena, "%s/%s", to, names[i]);
        if (file_copy(source, target, 0644, BUILD_SOURCE_BYTES_MAX, diagnostic) != ERROR_NONE) {
            return ERROR_COURSEWORK;
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
    if (error == ERROR_NONE && harness_headers_write(folder, diagnostic) != ERROR_NONE) {
        error = ERROR_ENVIRONMENT;
    }
    return error;
}

/* Lays out the headers that gpugrade brings, where the user of the sandbox can read them. */
static enum error lay_out_headers(const char *folder, struct diagnostic *diagnostic)
{
    if (folder_exists(folder)) {
        return ERROR_NONE;
    }
    bool is_written = folder_make(folder, 0755, diagnostic) == ERROR_NONE &&
                      harness_headers_write(folder, diagnostic) == ERROR_NONE;

    return is_written ? ERROR_NONE : ERROR_ENVIRONMENT;
}

/* Starts the compiler for a piece. */
static enum error start_piece(struct toolchain_job *job, struct piece *piece,
                              const char *const *flags, struct diagnostic *diagnostic)
{
    struct compiler_call call;
    struct sandbox_spec spec;
    const char *headers = arena_printf(job->arena, "%s/headers", job->work_folder);
    size_t count = 0;
    size_t flag_count = 0;

    if (lay_out_headers(headers, diagnostic) != ERROR_NONE ||
        folder_make(piece->folder, 0755, diagnostic) != ERROR_NONE) {
        return ERROR_ENVIRONMENT;
    }
    if (compiler_kit_lay_out(job->toolchain, &job->rubric->limits, flags, job->work_folder,
                             job->arena, &call, diagnostic) != ERROR_NONE) {
        return ERROR_ENVIRONMENT;
    }
    while (flags[flag_count] != NULL) {
        flag_count++;
    }
    const char **arguments =
        arena_array(job->arena, call.count + flag_count + 9, sizeof *arguments);
    for (size_t i = 0; i < call.count; i++) {
        arguments[count++] = call.arguments[i];
    }
    for (size_t i = 0; i < flag_count; i++) {
        bool is_kind = piece->makes_ptx && strcmp(flags[i], "-c") == 0;
        arguments[count++] = is_kind ? "-ptx" : flags[i];
    }
    compiler_spec_init(job->toolchain, &job->rubric->limits, piece->folder, job->arena, &spec);
    compiler_spec_mount(&spec, call.folder, false);
    if (job->compatibility != NULL && !piece->is_harness) {
        arguments[count++] = "-include";
        arguments[count++] = job->compatibility;
        compiler_spec_mount(&spec, job->compatibility, false);
    }
    arguments[count++] = "-isystem";
    arguments[count++] = headers;
    compiler_spec_mount(&spec, headers, false);
    if (piece->only_reads) {
        arguments[count++] = "-fsyntax-only";
    }
    arguments[count++] = piece->name;
    arguments[count++] = "-o";
    arguments[count++] = arena_printf(job->arena, "%s/object.o", piece->folder);
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
                                   : job->compiled_folder;
        piece->folder = arena_printf(job->arena, "%s/piece-%zu", job->work_folder, i);
        piece->object = arena_printf(job->arena, "%s/object-%zu.o", job->work_folder, i);
    }
}

/* The flags of the submission's sources. */
static const char *const *flags_of_sources(const struct toolchain_job *job)
{
    return compiler_flags(job->arena, job->rubric, job->program, job->architecture);
}

enum error build_pieces_start(struct toolchain_job *job, struct diagnostic *diagnostic)
{
    const char *const *usual =
        compiler_flags(job->arena, job->rubric, job->program, COMPILER_USUAL);
    const char *const *of_sources = flags_of_sources(job);
    enum error error = ERROR_NONE;

    list_pieces(job);
    for (size_t i = 0; i < job->piece_count && error == ERROR_NONE; i++) {
        struct piece *piece = &job->pieces[i];
        if (piece->is_harness) {
            error = prepare_harness(job, piece, usual, diagnostic);
        }
        if (error == ERROR_NONE && !piece->is_ready) {
            error = start_piece(job, piece, piece->is_harness ? usual : of_sources, diagnostic);
        }
    }
    return error;
}

/* Notes how a tool failed; `code` if it refused what it was given. Errors: ERROR_ENVIRONMENT, if
 * that was none of the source's doing. */
static enum error note_failure(struct toolchain_job *job, enum code code,
                               const struct sandbox_end *end, struct diagnostic *diagnostic)
{
    const struct sandbox_limits limits = compiler_limits(&job->rubric->limits);
    bool by_machine;
    struct program_end how = run_end_of_tool(end, &limits, &by_machine);

    if (by_machine) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "the compiler was killed from outside, most likely because this machine or "
                       "container ran out of memory; give it more memory or fewer cores");
        return ERROR_ENVIRONMENT;
    }
    job->build.end = how;
    job->build.failure = how.ending == ENDING_EXITED ? code : CODE_COMPILE_LIMIT;
    return ERROR_NONE;
}

static bool succeeded(const struct sandbox_end *end)
{
    return end->ending == SANDBOX_EXITED && end->exit_status == 0;
}

/* The coursework's own file does not compile: its first error is the message. */
static enum error harness_failure(struct toolchain_job *job, const struct piece *piece,
                                  const struct sandbox_end *end, const struct text *printed,
                                  struct diagnostic *diagnostic)
{
    const struct build_place place = {
        .named_folder = piece->source_folder,
        .compiled_folder = piece->source_folder,
        .is_clang = job->toolchain->compiler.kind == COMPILER_CLANG,
    };
    struct tool_message *messages;
    size_t count;

    if (note_failure(job, CODE_COMPILE_ERROR, end, diagnostic) != ERROR_NONE) {
        return ERROR_ENVIRONMENT;
    }
    build_messages_read(job->arena, &place, printed, &messages, &count);
    if (count > 0 && messages[0].is_error) {
        diagnostic_set_at(diagnostic, BLAME_RUBRIC, messages[0].file, messages[0].line,
                          messages[0].column, "the harness %s does not compile: %s", piece->name,
                          messages[0].message);
    } else {
        diagnostic_set(diagnostic, BLAME_RUBRIC, "the harness %s does not compile: %.600s",
                       piece->name, printed->bytes);
    }
    return ERROR_COURSEWORK;
}

/* Waits for a compiler and takes its object. */
static enum error finish_piece(struct toolchain_job *job, struct piece *piece,
                               struct diagnostic *diagnostic)
{
    struct text printed;

    if (piece->is_ready) {
        return ERROR_NONE;
    }
    enum error error = sandbox_wait(piece->run, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    const struct sandbox_end *end = sandbox_end(piece->run);
    text_init(&printed);
    text_append(&printed, sandbox_errors(piece->run)->bytes);
    text_append(&printed, sandbox_output(piece->run)->bytes);
    if (succeeded(end)) {
        const char *object = arena_printf(job->arena, "%s/object.o", piece->folder);
        error = file_copy(object, piece->object, 0644, BUILD_PRODUCT_BYTES_MAX, diagnostic);
        error = error == ERROR_NONE ? ERROR_NONE : ERROR_ENVIRONMENT;
        if (error == ERROR_NONE && piece->is_harness) {
            object_cache_keep(job->toolchain, piece->key, piece->object);
        }
    } else if (piece->is_harness) {
        error = harness_failure(job, piece, end, &printed, diagnostic);
    } else if (job->build.failure == CODE_NONE) {
        error = note_failure(job, CODE_COMPILE_ERROR, end, diagnostic);
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
                  0755, BUILD_PRODUCT_BYTES_MAX, diagnostic) != ERROR_NONE) {
        return ERROR_ENVIRONMENT;
    }
    arguments[count++] = compiler_linker(&job->toolchain->compiler);
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
        error = file_copy(product, executable, 0755, BUILD_PRODUCT_BYTES_MAX, diagnostic);
        error = error == ERROR_NONE ? ERROR_NONE : ERROR_ENVIRONMENT;
    } else if (error == ERROR_NONE) {
        error = note_failure(job, CODE_LINK_ERROR, &end, diagnostic);
    }
    text_append(&job->printed, printed.bytes);
    text_release(&printed);
    return error;
}

enum error build_pieces_finish(struct toolchain_job *job, const char **out_executable,
                               struct diagnostic *diagnostic)
{
    enum error error = ERROR_NONE;

    for (size_t i = 0; i < job->piece_count && error == ERROR_NONE; i++) {
        error = finish_piece(job, &job->pieces[i], diagnostic);
    }
    job->build.compiled = job->build.attempted && job->build.failure == CODE_NONE;
    if (error == ERROR_NONE && job->build.compiled) {
        const uint64_t start_ns = clock_now_ns();
        error = link_program(job, out_executable, diagnostic);
        job->link_seconds = (double)(clock_now_ns() - start_ns) / (double)CLOCK_NS_PER_S;
    }
    job->build.linked = *out_executable != NULL;
    return error;
}

enum error build_pieces_ptx(struct toolchain_job *job, const char *source, struct text *out_said,
                            const char **out_path, struct diagnostic *diagnostic)
{
    struct piece piece = {
        .name = source,
        .source_folder = job->compiled_folder,
        .folder = arena_printf(job->arena, "%s/ptx", job->work_folder),
        .makes_ptx = true,
    };
    enum error error = start_piece(job, &piece, flags_of_sources(job), diagnostic);

    if (error == ERROR_NONE) {
        error = sandbox_wait(piece.run, diagnostic);
    }
    if (error == ERROR_NONE) {
        text_append(out_said, sandbox_errors(piece.run)->bytes);
        *out_path = succeeded(sandbox_end(piece.run))
                        ? arena_printf(job->arena, "%s/object.o", piece.folder)
                        : NULL;
    }
    sandbox_run_free(piece.run);
    return error;
}

/* Reading ****************************************************************************************/

/* Waits for one reader; false if it did not end as a compiler does. */
static bool finish_reader(struct piece *piece, struct text *said)
{
    enum { STATUS_ERRORS = 1 };

    sandbox_pump(piece->run, -1, UINT64_MAX);
    const struct sandbox_end *end = sandbox_end(piece->run);
    text_append(said, sandbox_errors(piece->run)->bytes);
    return end->ending == SANDBOX_EXITED && end->exit_status <= STATUS_ERRORS;
}

bool build_pieces_read(const struct toolchain_job *job, const struct toolchain *clang,
                       struct text *out_said)
{
    struct toolchain_job reading = *job;
    const char *const *flags = flags_of_sources(job);
    const size_t count = job->program->source_count;
    struct piece *readers = arena_array(job->arena, count, sizeof *readers);
    bool is_good = true;

    reading.toolchain = clang;
    for (size_t i = 0; i < count && is_good; i++) {
        readers[i] = (struct piece){
            .name = job->program->sources[i],
            .source_folder = job->compiled_folder,
            .folder = arena_printf(job->arena, "%s/reading-%zu", job->work_folder, i),
            .only_reads = true,
        };
        is_good = start_piece(&reading, &readers[i], flags, NULL) == ERROR_NONE;
    }
    for (size_t i = 0; i < count; i++) {
        if (readers[i].run != NULL) {
            is_good = finish_reader(&readers[i], out_said) && is_good;
            sandbox_run_free(readers[i].run);
        }
    }
    return is_good;
}
