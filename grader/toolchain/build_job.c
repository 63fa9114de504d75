/* build_job.c: builds one program; see toolchain.h.
 *
 * What was built before is taken from the cache (program_cache.h). Otherwise every source is one
 * piece. All pieces compile at the same time, each in a sandbox of its own with a folder of its
 * own:
 *
 *   work_folder/
 *     harness/          copies of the harness and the given files, only if one must be compiled
 *     copies/           the sources with other values of their macros, if the request has some
 *     compatibility.cuh what is included before the sources, if the rubric says so
 *     piece-N/object.o  written by the compiler in the sandbox
 *     object-N.o        what is linked; copied from there or from the cache
 *     link/program      written by the linker in the sandbox
 *     program           the executable, the grader's own copy: no sandboxed user can change it
 */
#include "toolchain/build_job.h"

#include "base/file.h"
#include "toolchain/compatibility_text.h"
#include "toolchain/compiler_run.h"
#include "toolchain/second_reading.h"

#include <errno.h>
#include <string.h>

static void fail(struct toolchain_job *job, enum code code, const char *file)
{
    job->build.failure = code;
    job->build.failed_file = file;
}

static void fail_by_size(struct toolchain_job *job, const char *file)
{
    fail(job, CODE_SOURCE_NOT_TEXT, file);
    job->build.failed_limit_bytes = BUILD_SOURCE_BYTES_MAX;
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
                      BUILD_SOURCE_BYTES_MAX, BLAME_STUDENT, &bytes, &length, NULL);
        if (error == ERROR_NOT_FOUND || error == ERROR_IO) {
            fail(job, CODE_SOURCE_MISSING, name);
            return false;
        }
        if (error == ERROR_LIMIT) {
            fail_by_size(job, name);
            return false;
        }
        if (error != ERROR_NONE || !text_is_utf8(bytes, length)) {
            fail(job, CODE_SOURCE_NOT_TEXT, name);
            return false;
        }
    }
    return true;
}

/* Looks at what the sources include; false if a file of it is too large for the checks of the
 * source, which would not see what is compiled from it. */
static bool check_tree(struct toolchain_job *job, const struct source_tree *tree)
{
    job->architecture = COMPILER_USUAL;
    for (size_t i = 0; i < tree->count; i++) {
        const struct source_tree_file *file = &tree->files[i];
        if (file->is_reached && file->text == NULL) {
            fail_by_size(job, file->name);
            return false;
        }
        const char *needed = file->is_reached
                                 ? compiler_architecture(file->text, file->length, NULL)
                                 : COMPILER_USUAL;
        job->architecture = strcmp(needed, job->architecture) > 0 ? needed : job->architecture;
    }
    job->build.capability = compiler_capability(job->architecture);
    return true;
}

/* Looks for a program that was built before. */
static void find_kept(struct toolchain_job *job, const struct source_tree *tree,
                      const int64_t *values)
{
    if (job->toolchain->builds_anew || !program_cache_key(job->toolchain, job->rubric, job->program,
                                                          tree, values, job->kept_key)) {
        job->kept_key[0] = '\0';
        return;
    }
    job->is_kept = program_cache_take(job->toolchain, job->kept_key, job->arena, &job->kept);
}

/* Looks at the sources and for a kept program; lays out the copies that are compiled, if macros
 * have values. The build is attempted unless a source is refused. */
static enum error prepare_sources(struct toolchain_job *job, const int64_t *values,
                                  struct diagnostic *diagnostic)
{
    struct source_tree tree;
    enum error error =
        source_tree_read(job->arena, job->source_folder, job->program, &tree, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    if (!check_tree(job, &tree)) {
        return ERROR_NONE;
    }
    job->build.attempted = true;
    values = !program_is_whole(job->program) ? NULL : values;
    find_kept(job, &tree, values);
    job->has_values = values != NULL;
    if (values != NULL) {
        source_survey_make(job->arena, &tree, job->program, &job->survey);
    }
    /* Of a kept program that has messages, these are looked up. */
    if (values != NULL && (!job->is_kept || job->kept.printed_length > 0)) {
        job->is_copied = true;
        job->compiled_folder = arena_printf(job->arena, "%s/copies", job->work_folder);
        const struct macro_values given = {job->program->overrides, job->program->override_count,
                                           values, job->survey.locations};
        error = source_copies_make(job->arena, &tree, job->compiled_folder, &given, &job->copies,
                                   diagnostic);
    }
    job->named_folder = job->is_kept ? job->kept.named_folder : job->compiled_folder;
    return error;
}

/* Writes the header that newer toolkits need, if the rubric says so. */
static enum error prepare_compatibility(struct toolchain_job *job, struct diagnostic *diagnostic)
{
    if (!job->program->is_compatible) {
        return ERROR_NONE;
    }
    job->compatibility = arena_printf(job->arena, "%s/compatibility.cuh", job->work_folder);
    return file_write_mode(job->compatibility, 0644, compatibility_text, strlen(compatibility_text),
                           diagnostic) == ERROR_NONE
               ? ERROR_NONE
               : ERROR_ENVIRONMENT;
}

static void job_free(struct toolchain_job *job)
{
    for (size_t i = 0; i < job->piece_count; i++) {
        sandbox_run_free(job->pieces[i].run);
    }
    text_release(&job->printed);
    arena_free(job->arena);
}

struct build_place build_job_place(const struct toolchain_job *job)
{
    return (struct build_place){
        .named_folder = job->named_folder,
        .compiled_folder = job->compiled_folder,
        .copies = job->is_copied ? &job->copies : NULL,
        .is_clang = job->toolchain->compiler.kind == COMPILER_CLANG,
        .original_folder = job->source_folder,
    };
}

static struct toolchain_job *job_new(const struct toolchain *toolchain,
                                     const struct build_request *request)
{
    struct arena *arena = arena_new();
    struct toolchain_job *job = arena_alloc(arena, sizeof *job);

    job->arena = arena;
    job->toolchain = toolchain;
    job->rubric = request->rubric;
    job->program = &request->rubric->programs[request->program];
    job->source_folder = arena_strdup(arena, request->source_folder);
    job->work_folder = arena_strdup(arena, request->work_folder);
    job->compiled_folder = job->source_folder;
    job->named_folder = job->source_folder;
    job->build.failed_file = "";
    text_init(&job->printed);
    return job;
}

enum error toolchain_start(const struct toolchain *toolchain, const struct build_request *request,
                           struct toolchain_job **out_job, struct diagnostic *diagnostic)
{
    struct toolchain_job *job = job_new(toolchain, request);
    enum error error = ERROR_NONE;

    if (check_sources(job)) {
        error = prepare_sources(job, request->macro_values, diagnostic);
        if (error == ERROR_NONE && job->build.attempted && !(job->is_kept && job->kept.linked)) {
            error = prepare_compatibility(job, diagnostic);
        }
        if (error == ERROR_NONE && job->build.attempted && !job->is_kept) {
            error = build_pieces_start(job, diagnostic);
        }
    }
    if (error != ERROR_NONE) {
        job_free(job);
        return error;
    }
    *out_job = job;
    return ERROR_NONE;
}

/* Reads the PTX that a compiler made. */
static enum error take_ptx(const struct toolchain_job *job, const char *path, struct arena *arena,
                           struct device_text *out_text, struct diagnostic *diagnostic)
{
    struct tool_message *messages = NULL;
    char *bytes;

    if (path == NULL) {
        const struct build_place place = build_job_place(job);
        build_messages_read(arena, &place, &job->printed, &messages, &out_text->message_count);
        out_text->messages = messages;
        return ERROR_NONE;
    }
    enum error error = file_read(arena, path, BUILD_PRODUCT_BYTES_MAX, BLAME_ENVIRONMENT, &bytes,
                                 &out_text->length, diagnostic);
    out_text->text = error == ERROR_NONE ? bytes : NULL;
    return error == ERROR_NONE ? ERROR_NONE : ERROR_ENVIRONMENT;
}

enum error toolchain_device_text(const struct toolchain *toolchain,
                                 const struct build_request *request, const char *source,
                                 struct arena *arena, struct device_text *out_text,
                                 struct diagnostic *diagnostic)
{
    struct toolchain_job *job = job_new(toolchain, request);
    struct device_text made = {.text = NULL};
    struct source_tree tree;
    const char *path = NULL;
    enum error error =
        source_tree_read(job->arena, job->source_folder, job->program, &tree, diagnostic);

    if (error == ERROR_NONE && check_tree(job, &tree)) {
        error = prepare_compatibility(job, diagnostic);
        if (error == ERROR_NONE) {
            error = build_pieces_ptx(job, source, &job->printed, &path, diagnostic);
        }
        if (error == ERROR_NONE) {
            error = take_ptx(job, path, arena, &made, diagnostic);
        }
    }
    if (error == ERROR_NONE) {
        *out_text = made;
    }
    job_free(job);
    return error;
}

/* Turns what the tools printed into messages. */
static void collect_messages(struct toolchain_job *job, struct arena *arena)
{
    struct program_build *build = &job->build;
    const struct build_place place = build_job_place(job);
    struct tool_message *messages = NULL;

    if (build->failure != CODE_NONE && build->attempted) {
        build_messages_read_failure(arena, &place, &job->printed, &messages, &build->message_count);
    } else {
        build_messages_read(arena, &place, &job->printed, &messages, &build->message_count);
    }
    build->messages = messages;
}

/* Which macros no source defines, as bits. */
static uint64_t missing_bits(const struct toolchain_job *job)
{
    uint64_t bits = 0;

    for (size_t i = 0; i < job->copies.missing_count; i++) {
        for (size_t k = 0; k < job->program->override_count; k++) {
            bool is_it =
                strcmp(job->program->overrides[k].name, job->copies.missing_macros[i]) == 0;
            bits |= is_it ? UINT64_C(1) << k : 0;
        }
    }
    return bits;
}

/* Tells of the macros what the caller needs. */
static void hand_over_macros(const struct toolchain_job *job, struct arena *arena,
                             struct program_build *build)
{
    const struct rubric_program *program = job->program;
    uint64_t bits = job->is_kept ? job->kept.missing_macros : missing_bits(job);
    const char **missing = arena_array(arena, program->override_count + 1, sizeof *missing);
    struct macro_place *places = arena_array(arena, program->override_count + 1, sizeof *places);

    for (size_t i = 0; i < program->override_count; i++) {
        if ((bits >> i & 1) != 0 && job->has_values) {
            places[build->missing_macro_count] = (struct macro_place){
                arena_strdup(arena, job->survey.files[i]), job->survey.locations[i].line};
            missing[build->missing_macro_count++] = program->overrides[i].name;
        }
    }
    build->missing_macros = missing;
    build->missing_places = places;
}

/* Can the machine be why a tool failed? Tools write in English here, as strerrordesc_np does. */
static bool blames_the_machine(const struct text *printed)
{
    static const int causes[] = {ENOSPC, EIO,   EDQUOT, EAGAIN, ENOMEM, EMFILE,
                                 ENFILE, EROFS, EACCES, EPERM,  ETXTBSY};

    for (size_t i = 0; i < sizeof causes / sizeof causes[0]; i++) {
        if (strstr(printed->bytes, strerrordesc_np(causes[i])) != NULL) {
            return true;
        }
    }
    return false;
}

/* Keeps a build, if another one of the same sources must end the same way. */
static void keep_build(const struct toolchain_job *job, const char *bytes, size_t length,
                       const char *given_modules)
{
    const struct program_build *build = &job->build;
    const struct tool_message *first = build->message_count > 0 ? &build->messages[0] : NULL;
    bool is_refused = build->failure == CODE_COMPILE_ERROR || build->failure == CODE_LINK_ERROR;
    bool is_explained = first != NULL && first->is_error &&
                        (first->line > 0 || first->symbol != NULL) &&
                        !blames_the_machine(&job->printed);

    if (job->kept_key[0] == '\0' || !(build->linked || (is_refused && is_explained))) {
        return;
    }
    const struct kept_program kept = {
        .compiled = build->compiled,
        .linked = build->linked,
        .failure = build->failure,
        .exit_status = build->end.exit_status,
        .named_folder = job->named_folder,
        .printed = job->printed.bytes,
        .printed_length = job->printed.length,
        .missing_macros = missing_bits(job),
        .executable = bytes,
        .executable_length = length,
        .given_modules = given_modules,
    };
    program_cache_keep(job->toolchain, job->kept_key, &kept);
}

/* Lays out a program that was built before. */
static enum error finish_kept(struct toolchain_job *job, const char **out_executable,
                              struct diagnostic *diagnostic)
{
    const struct kept_program *kept = &job->kept;
    const char *executable = arena_printf(job->arena, "%s/program", job->work_folder);

    job->build.compiled = kept->compiled;
    job->build.linked = kept->linked;
    job->build.failure = kept->failure;
    job->build.end.exit_status = kept->exit_status;
    text_append_bytes(&job->printed, kept->printed, kept->printed_length);
    if (!kept->linked) {
        return ERROR_NONE;
    }
    if (file_write_mode(executable, 0755, kept->executable, kept->executable_length, diagnostic) !=
        ERROR_NONE) {
        return ERROR_ENVIRONMENT;
    }
    *out_executable = executable;
    return ERROR_NONE;
}

/* Reads the executable and the PTX in it. */
static enum error read_code(struct toolchain_job *job, struct arena *arena, const char *executable,
                            struct fat_program *out_code, struct text *out_bytes,
                            struct diagnostic *diagnostic)
{
    char *bytes;
    size_t length;

    enum error error = file_read(job->arena, executable, BUILD_PRODUCT_BYTES_MAX, BLAME_ENVIRONMENT,
                                 &bytes, &length, diagnostic);
    if (error == ERROR_NONE) {
        out_bytes->bytes = bytes;
        out_bytes->length = length;
        error = fat_program_read(arena, bytes, length, out_code, diagnostic);
    }
    return error == ERROR_NONE ? ERROR_NONE : ERROR_ENVIRONMENT;
}

/* Marks the modules whose PTX is that of an object of the harness: a '1' for each, else a '0'. The
 * linker joins what objects hold as it is, so that no byte differs. */
static const char *find_given_modules(const struct toolchain_job *job,
                                      const struct fat_program *code)
{
    char *marks = arena_alloc(job->arena, code->module_count + 1);

    memset(marks, '0', code->module_count);
    for (size_t i = 0; i < job->piece_count; i++) {
        struct fat_program given = {.module_count = 0};
        char *bytes;
        size_t length;
        bool is_read = job->pieces[i].is_harness &&
                       file_read(job->arena, job->pieces[i].object, BUILD_PRODUCT_BYTES_MAX,
                                 BLAME_ENVIRONMENT, &bytes, &length, NULL) == ERROR_NONE &&
                       fat_program_read(job->arena, bytes, length, &given, NULL) == ERROR_NONE;
        for (size_t k = 0; k < code->module_count * (is_read ? given.module_count : 0); k++) {
            const struct fat_module *module = &code->modules[k % code->module_count];
            const struct fat_module *own = &given.modules[k / code->module_count];
            if (module->length == own->length &&
                memcmp(module->text, own->text, own->length) == 0) {
                marks[k % code->module_count] = '1';
            }
        }
    }
    return marks;
}

/* Hands over which modules are the harness's. */
static const bool *hand_over_given(struct arena *arena, const char *marks, size_t module_count)
{
    bool *is_given = arena_array(arena, module_count + 1, sizeof *is_given);

    for (size_t i = 0; i < module_count && marks[i] != '\0'; i++) {
        is_given[i] = marks[i] == '1';
    }
    return is_given;
}

enum error toolchain_finish(struct toolchain_job *job, struct arena *arena,
                            struct built_program *out_program, struct diagnostic *diagnostic)
{
    struct built_program program = {.executable = NULL};
    struct text code = {.bytes = NULL}; /* in the job's arena */
    const char *executable = NULL;
    enum error error = job->is_kept ? finish_kept(job, &executable, diagnostic)
                                    : build_pieces_finish(job, &executable, diagnostic);

    if (error == ERROR_NONE && executable != NULL) {
        error = read_code(job, arena, executable, &program.code, &code, diagnostic);
    }
    if (error == ERROR_NONE) {
        const char *marks = job->is_kept && job->kept.linked
                                ? job->kept.given_modules
                                : find_given_modules(job, &program.code);
        collect_messages(job, arena);
        if (!job->is_kept) {
            keep_build(job, code.bytes, code.length, marks);
        }
        const struct build_place place = build_job_place(job);
        second_reading_use(job, &place, arena);
        program.is_given = hand_over_given(arena, marks, program.code.module_count);
        program.executable = executable == NULL ? NULL : arena_strdup(arena, executable);
        program.build = job->build;
        program.link_seconds = job->link_seconds;
        program.build.failed_file = arena_strdup(arena, job->build.failed_file);
        hand_over_macros(job, arena, &program.build);
        if (job->is_kept || job->has_values) {
            program.source_folder = arena_strdup(arena, job->named_folder);
        }
        *out_program = program;
    }
    job_free(job);
    return error;
}
