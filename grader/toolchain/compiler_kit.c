/* compiler_kit.c: lays out the compiler for the sandbox; see compiler_run.h.
 *
 * nvcc is called where it is. Our own parts may lie where a user of the sandbox cannot read them,
 * so that they are copied:
 *
 *   work_folder/compiler-KEY/  for each list of flags that headers may ask for
 *     gpugrade-clang
 *     headers/                 grader/cuda_headers
 *     device.pch, host.pch     the same, precompiled for the passes of device and host
 *
 * What is precompiled is kept in the cache, and copied from there: a program in the sandbox cannot
 * change what others compile with. One thread or process precompiles, the others wait for it.
 */
#include "base/clock.h"
#include "base/ensure.h"
#include "base/file.h"
#include "base/process.h"
#include "base/text.h"
#include "toolchain/compiler_identity.h"
#include "toolchain/compiler_run.h"
#include "toolchain/object_cache.h"

#include <fcntl.h>
#include <string.h>
#include <sys/file.h>

#define PART_BYTES_MAX ((size_t)64 << 20)
enum { ARGUMENTS_MAX = 32 };

static const char *const precompiled_names[] = {"device.pch", "host.pch"};

/* Copies the compiler's own parts. */
static enum error copy_parts(const struct compiler *compiler, const char *kit, struct arena *arena,
                             struct diagnostic *diagnostic)
{
    const char **names;
    size_t count = compiler_headers(compiler->folder, arena, &names);
    enum error error = file_copy(compiler->program, arena_printf(arena, "%s/gpugrade-clang", kit),
                                 0755, PART_BYTES_MAX, diagnostic);

    for (size_t i = 0; i < count && error == ERROR_NONE; i++) {
        const char *target = arena_printf(arena, "%s/headers/%s", kit, names[i]);
        const char *folder = arena_strndup(arena, target, (size_t)(strrchr(target, '/') - target));
        error = folder_make(folder, 0755, diagnostic);
        if (error == ERROR_NONE) {
            error = file_copy(arena_printf(arena, "%s/%s", compiler->folder, names[i]), target,
                              0644, PART_BYTES_MAX, diagnostic);
        }
    }
    return error == ERROR_NONE ? ERROR_NONE : ERROR_ENVIRONMENT;
}

/* Names a precompiled header in the cache. */
static void make_key(const struct toolchain *toolchain, const char *const *flags, const char *name,
                     struct arena *arena, char out_key[65])
{
    struct text text;

    text_init(&text);
    text_printf(&text, "%s\n", name);
    compiler_identities(toolchain, arena, &text);
    for (size_t i = 0; flags[i] != NULL; i++) {
        text_printf(&text, "%s\n", flags[i]);
    }
    hash_bytes(text.bytes, text.length, out_key);
    text_release(&text);
}

/* True for a macro of a rubric or a program. System headers ask only for reserved names and for
 * NDEBUG, and ours for no others. */
static bool is_macro_of_sources(const char *flag)
{
    return text_starts_with(flag, "-D") && flag[2] != '_' && flag[2] != '\0' &&
           !(text_starts_with(flag, "-DNDEBUG") && (flag[8] == '\0' || flag[8] == '='));
}

/* The flags that decide what is precompiled. */
static const char *const *flags_of_headers(const char *const *flags, struct arena *arena)
{
    size_t count = 0;
    size_t kept = 0;

    while (flags[count] != NULL) {
        count++;
    }
    const char **list = arena_array(arena, count + 1, sizeof *list);
    for (size_t i = 0; i < count; i++) {
        if (!is_macro_of_sources(flags[i])) {
            list[kept++] = flags[i];
        }
    }
    return list;
}

/* Has both headers precompiled in the sandbox, and keeps them. */
static enum error precompile(const struct toolchain *toolchain, const struct limits *limits,
                             const char *const *flags, const char *kit,
                             const struct compiler_call *call, struct arena *arena,
                             struct diagnostic *diagnostic)
{
    const char *made = arena_printf(arena, "%s/made", kit);
    size_t count = 0;
    size_t flag_count = 0;
    struct sandbox_spec spec;
    struct sandbox_end end;
    struct text printed;

    while (flags[flag_count] != NULL) {
        flag_count++;
    }
    const char **arguments = arena_array(arena, call->count + flag_count + 3, sizeof *arguments);
    for (size_t i = 0; i + 1 < call->count; i++) { /* all but -precompiled */
        arguments[count++] = call->arguments[i];
    }
    for (size_t i = 0; i < flag_count; i++) {
        arguments[count++] = flags[i];
    }
    arguments[count++] = arena_printf(arena, "-precompiled=%s", made);
    arguments[count++] = "-precompile";
    if (folder_make(made, 0755, diagnostic) != ERROR_NONE) {
        return ERROR_ENVIRONMENT;
    }
    compiler_spec_init(toolchain, limits, made, arena, &spec);
    compiler_spec_mount(&spec, kit, false);
    compiler_spec_mount(&spec, made, true);
    spec.arguments = arguments;
    text_init(&printed);
    enum error error =
        sandbox_run_to_end(toolchain->sandbox, &spec, &end, &printed, &printed, diagnostic);
    if (error == ERROR_NONE &&
        (end.ending == SANDBOX_WALL_LIMIT || end.ending == SANDBOX_CPU_LIMIT)) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "%s cannot precompile gpugrade's headers within %.3g s; a rubric's limit "
                       "compile_seconds allows more",
                       toolchain->compiler.name,
                       (double)limits->compile_wall_ns / (double)CLOCK_NS_PER_S);
        error = ERROR_ENVIRONMENT;
    } else if (error == ERROR_NONE && (end.ending != SANDBOX_EXITED || end.exit_status != 0)) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "%s cannot precompile gpugrade's headers: %.700s", toolchain->compiler.name,
                       printed.bytes);
        error = ERROR_ENVIRONMENT;
    }
    text_release(&printed);
    for (size_t i = 0; i < 2 && error == ERROR_NONE; i++) {
        const char *name = precompiled_names[i];
        char key[65];
        make_key(toolchain, flags, name, arena, key);
        error =
            file_copy(arena_printf(arena, "%s/%s", made, name),
                      arena_printf(arena, "%s/%s", kit, name), 0644, PART_BYTES_MAX, diagnostic);
        if (error == ERROR_NONE) {
            object_cache_keep(toolchain, key, arena_printf(arena, "%s/%s", kit, name));
        }
    }
    return error == ERROR_NONE ? ERROR_NONE : ERROR_ENVIRONMENT;
}

/* Takes both from the cache. */
static bool take_precompiled(const struct toolchain *toolchain, const char *const *flags,
                             const char *kit, struct arena *arena)
{
    bool all = true;

    for (size_t i = 0; i < 2 && all; i++) {
        char key[65];
        make_key(toolchain, flags, precompiled_names[i], arena, key);
        all = object_cache_take(toolchain, key,
                                arena_printf(arena, "%s/%s", kit, precompiled_names[i]));
    }
    return all;
}

/* Waits until nobody else precompiles; the descriptor keeps it so. -1 if a file system knows no
 * locks: then the same is made twice. */
static int lock_precompiling(const struct toolchain *toolchain, struct arena *arena)
{
    const char *path = arena_printf(arena, "%s/precompile.lock", toolchain->cache_folder);
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

    if (fd >= 0 && flock(fd, LOCK_EX) != 0) {
        descriptor_close(&fd);
    }
    return fd;
}

/* Lays out both precompiled headers. */
static enum error lay_out_precompiled(const struct toolchain *toolchain,
                                      const struct limits *limits, const char *const *flags,
                                      const char *kit, const struct compiler_call *call,
                                      struct arena *arena, struct diagnostic *diagnostic)
{
    if (take_precompiled(toolchain, flags, kit, arena)) {
        return ERROR_NONE;
    }
    int lock = lock_precompiling(toolchain, arena);
    enum error error = take_precompiled(toolchain, flags, kit, arena)
                           ? ERROR_NONE
                           : precompile(toolchain, limits, flags, kit, call, arena, diagnostic);
    descriptor_close(&lock);
    return error;
}

enum error compiler_kit_lay_out(const struct toolchain *toolchain, const struct limits *limits,
                                const char *const *flags, const char *work_folder,
                                struct arena *arena, struct compiler_call *out_call,
                                struct diagnostic *diagnostic)
{
    const struct compiler *compiler = &toolchain->compiler;
    const char **arguments = arena_array(arena, ARGUMENTS_MAX, sizeof *arguments);
    size_t count = 0;
    char key[65];

    *out_call = (struct compiler_call){arguments, 1, compiler->folder};
    arguments[0] = compiler->program;
    if (compiler->kind == COMPILER_NVCC) {
        return ERROR_NONE;
    }
    flags = flags_of_headers(flags, arena);
    make_key(toolchain, flags, "kit", arena, key);
    const char *kit = arena_printf(arena, "%s/compiler-%.16s", work_folder, key);
    arguments[count++] = arena_printf(arena, "%s/gpugrade-clang", kit);
    arguments[count++] = arena_printf(arena, "-clang=%s", compiler->clang);
    arguments[count++] = arena_printf(arena, "-headers=%s/headers", kit);
    for (size_t i = 0; clang_message_flags[i] != NULL; i++) {
        ENSURE(count + 1 < ARGUMENTS_MAX);
        arguments[count++] = clang_message_flags[i];
    }
    arguments[count++] = arena_printf(arena, "-precompiled=%s", kit); /* the last: precompile() */
    *out_call = (struct compiler_call){arguments, count, kit};
    if (folder_exists(kit)) {
        return ERROR_NONE;
    }
    if (folder_make(kit, 0755, diagnostic) != ERROR_NONE) {
        return ERROR_ENVIRONMENT;
    }
    enum error error = copy_parts(compiler, kit, arena, diagnostic);
    return error == ERROR_NONE
               ? lay_out_precompiled(toolchain, limits, flags, kit, out_call, arena, diagnostic)
               : error;
}
