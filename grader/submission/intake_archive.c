/* intake_archive.c: runs gpugrade-unpack on an archive; see intake_archive.h. */
#include "submission/intake_archive.h"

#include "base/clock.h"
#include "base/file.h"
#include "submission/unpack/unpack_stream.h"

#include <string.h>

enum { HELPER_BYTES_MAX = 64 << 20 };

/* What an honest archive needs is far below; xz and zstd want memory for their windows. */
static const struct sandbox_limits unpack_limits = {
    .wall_ns = 20 * CLOCK_NS_PER_S,
    .cpu_ns = 10 * CLOCK_NS_PER_S,
    .memory_bytes = UINT64_C(512) << 20,
    .processes = 1,
    .output_bytes = INTAKE_TREE_BYTES_MAX + (UINT64_C(32) << 20), /* and the heads and names */
    .file_bytes = 4096,
};

/* Formats that are known and not taken, by their first bytes. */
static const struct {
    const char *magic;
    size_t length;
    const char *name;
} foreign_formats[] = {
    {"7z\xBC\xAF\x27\x1C", 6, "a 7z archive"},   {"Rar!\x1A\x07", 6, "a RAR archive"},
    {"MSCF\0\0\0\0", 8, "a cabinet file"},       {"xar!", 4, "a xar archive"},
    {"!<arch>\n", 8, "a library or package"},    {"LZIP", 4, "compressed with lzip"},
    {"\x1F\x9D", 2, "compressed with compress"},
};

static enum error refuse_foreign(const struct intake_list *list, const char *bytes, size_t length,
                                 struct diagnostic *diagnostic)
{
    for (size_t i = 0; i < sizeof foreign_formats / sizeof foreign_formats[0]; i++) {
        if (length >= foreign_formats[i].length &&
            memcmp(bytes, foreign_formats[i].magic, foreign_formats[i].length) == 0) {
            diagnostic_set_at(diagnostic, BLAME_USAGE, list->shown, 0, 0,
                              "this is %s, which is not supported; send a zip or a tar.gz of "
                              "the folder, or the folder itself",
                              foreign_formats[i].name);
            return ERROR_UNSUPPORTED;
        }
    }
    return ERROR_NONE;
}

/* Copies the helper to where the sandbox's user may run it. */
static enum error provide_helper(struct intake_list *list, const char *helper_folder,
                                 const char *work_folder, const char **out_path,
                                 struct diagnostic *diagnostic)
{
    const char *source = arena_printf(list->arena, "%s/gpugrade-unpack", helper_folder);
    const char *copy = arena_printf(list->arena, "%s/gpugrade-unpack", work_folder);

    if (!file_exists(source)) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "%s is missing; build gpugrade again with all its targets", source);
        return ERROR_ENVIRONMENT;
    }
    *out_path = copy;
    return file_copy(source, copy, 0755, HELPER_BYTES_MAX, diagnostic);
}

/* Says why the helper did not come to its end. */
static enum error refuse_ending(const struct intake_list *list, const struct sandbox_end *end,
                                struct diagnostic *diagnostic)
{
    static const struct {
        enum sandbox_ending ending;
        const char *limit;
    } limits[] = {
        {SANDBOX_WALL_LIMIT, "takes more than 20 s to unpack"},
        {SANDBOX_CPU_LIMIT, "takes more than 10 s of processor time to unpack"},
        {SANDBOX_MEMORY_LIMIT, "needs more than 512 MiB of memory to unpack"},
        {SANDBOX_OUTPUT_LIMIT, "unpacks to more than 64 MiB"},
    };

    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        if (end->ending == limits[i].ending) {
            diagnostic_set_at(diagnostic, BLAME_STUDENT, list->shown, 0, 0,
                              "the archive %s; send only the sources, in a zip or a tar.gz",
                              limits[i].limit);
            return ERROR_LIMIT;
        }
    }
    diagnostic_set_at(diagnostic, BLAME_STUDENT, list->shown, 0, 0,
                      "the archive breaks the program that unpacks it; pack it again with another "
                      "program, or send a folder");
    return ERROR_SYNTAX;
}

static enum error run_helper(struct intake_list *list, const struct sandbox *sandbox,
                             const char *helper, const char *bytes, size_t length,
                             struct diagnostic *diagnostic)
{
    const char *const arguments[] = {helper, NULL};
    const struct sandbox_spec spec = {
        .arguments = arguments,
        .folder = "/",
        .mounts = {{.source = helper, .target = helper}},
        .mount_count = 1,
        .limits = unpack_limits,
        .channel_fd = -1,
        .keeps_input_open = true,
    };
    struct sandbox_run *run = NULL;
    enum error error = sandbox_start(sandbox, &spec, &run, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    sandbox_write(run, bytes, length);
    sandbox_close_input(run);
    error = sandbox_wait(run, diagnostic);
    const struct sandbox_end *end = sandbox_end(run);
    const struct text *output = sandbox_output(run);
    if (error != ERROR_NONE) {
        sandbox_run_free(run);
        return error;
    }
    if (end->ending == SANDBOX_EXITED && end->exit_status == 0) {
        error = intake_read_stream(list, output->bytes, output->length, diagnostic);
    } else {
        error = refuse_ending(list, end, diagnostic);
    }
    sandbox_run_free(run);
    return error;
}

enum error intake_read_archive(struct intake_list *list, const struct sandbox *sandbox,
                               const char *helper_folder, const char *work_folder, const char *path,
                               struct diagnostic *diagnostic)
{
    struct arena *arena = arena_new(); /* the archive's bytes are needed for a moment only */
    const char *helper = NULL;
    char *bytes = NULL;
    size_t length = 0;
    enum error error = file_read(arena, path, INTAKE_ARCHIVE_BYTES_MAX - 1, BLAME_USAGE, &bytes,
                                 &length, diagnostic);

    if (error == ERROR_NONE) {
        error = refuse_foreign(list, bytes, length, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = provide_helper(list, helper_folder, work_folder, &helper, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = run_helper(list, sandbox, helper, bytes, length, diagnostic);
    }
    arena_free(arena);
    return error;
}
