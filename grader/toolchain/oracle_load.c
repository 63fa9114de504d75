/* oracle_load.c: builds, keeps and loads a coursework's oracle; see toolchain.h and model/oracle.h.
 *
 * The oracle is the instructor's code and runs inside the grader, so it is compiled outside of the
 * sandbox. The grader's headers are found beside the coursework: REFERENCE/../../grader.
 */
#include "base/clock.h"
#include "base/file.h"
#include "base/process.h"
#include "base/text.h"
#include "toolchain/object_cache.h"
#include "toolchain/toolchain.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char compiler[] = "/usr/bin/cc";
static const char *const oracle_flags[] = {"-O2", "-std=c11", "-ffp-contract=off", "-shared",
                                           "-fPIC"};
enum { FLAG_COUNT = sizeof oracle_flags / sizeof oracle_flags[0] };
#define SOURCE_BYTES_MAX ((size_t)4 << 20)
#define PRINTED_BYTES_MAX ((size_t)1 << 16)

/* Names the kept oracle by the hash of its source, the interface, the flags and the compiler. */
static enum error oracle_path(const struct toolchain *toolchain, struct arena *arena,
                              const char *source, const char *include, const char **out_path,
                              struct diagnostic *diagnostic)
{
    const char *const files[] = {source, arena_printf(arena, "%s/model/oracle.h", include)};
    struct text text;
    enum error error = ERROR_NONE;
    char hash[65];

    text_init(&text);
    text_printf(&text, "%s\n", compiler_identity(arena, compiler));
    for (size_t i = 0; i < FLAG_COUNT; i++) {
        text_printf(&text, "%s\n", oracle_flags[i]);
    }
    for (size_t i = 0; i < 2 && error == ERROR_NONE; i++) {
        char *bytes;
        size_t length;
        error =
            file_read(arena, files[i], SOURCE_BYTES_MAX, BLAME_RUBRIC, &bytes, &length, diagnostic);
        if (error == ERROR_NONE) {
            hash_bytes(bytes, length, hash);
            text_printf(&text, "%s\n", hash);
        }
    }
    hash_bytes(text.bytes, text.length, hash);
    text_release(&text);
    *out_path = arena_printf(arena, "%s/oracle-%s.so", toolchain->cache_folder, hash);
    return error == ERROR_NONE ? ERROR_NONE : ERROR_ENVIRONMENT;
}

/* Collects what the compiler prints until it closes its end. */
static void read_printed(int fd, struct text *printed)
{
    char block[4096];

    for (;;) {
        ssize_t got = read(fd, block, sizeof block);
        if (got == 0 || (got < 0 && errno != EINTR)) {
            return;
        }
        if (got > 0 && printed->length < PRINTED_BYTES_MAX) {
            text_append_bytes(printed, block, (size_t)got);
        }
    }
}

static enum error run_compiler(const char *const *arguments, struct text *printed, int *out_status,
                               struct diagnostic *diagnostic)
{
    static const char *const environment[] = {"PATH=/usr/bin:/bin", "LC_ALL=C", NULL};
    struct process process;
    int pair[2];

    enum error error = pipe_pair(pair, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    struct process_spec spec = {
        .path = compiler,
        .arguments = arguments,
        .environment = environment,
        .descriptors = {-1, pair[1], pair[1]},
        .descriptor_count = 3,
    };
    error = process_start(&spec, &process, diagnostic);
    descriptor_close(&pair[1]);
    if (error == ERROR_NONE) {
        read_printed(pair[0], printed);
        process_wait(&process, UINT64_MAX, out_status);
    }
    descriptor_close(&pair[0]);
    return error;
}

/* Compiles beside the final name and renames, so that graders may do so at the same time. */
static enum error build_oracle(struct arena *arena, const char *source, const char *include,
                               const char *path, struct diagnostic *diagnostic)
{
    const char *arguments[FLAG_COUNT + 8];
    const char *partial = arena_printf(arena, "%s.%ld.%llx.partial", path, (long)getpid(),
                                       (unsigned long long)clock_now_ns());
    size_t count = 0;
    int status = 0;
    struct text printed;

    arguments[count++] = compiler;
    for (size_t i = 0; i < FLAG_COUNT; i++) {
        arguments[count++] = oracle_flags[i];
    }
    arguments[count++] = arena_printf(arena, "-I%s", include);
    arguments[count++] = "-o";
    arguments[count++] = partial;
    arguments[count++] = source;
    arguments[count++] = "-lm";
    arguments[count] = NULL;
    text_init(&printed);
    enum error error = run_compiler(arguments, &printed, &status, diagnostic);
    if (error == ERROR_NONE && (!WIFEXITED(status) || WEXITSTATUS(status) != 0)) {
        diagnostic_set(diagnostic, BLAME_RUBRIC, "the oracle %s does not compile: %.600s", source,
                       printed.bytes);
        error = ERROR_FAILED;
    }
    if (error == ERROR_NONE && rename(partial, path) != 0) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "cannot write %s: %s", path, strerror(errno));
        error = ERROR_ENVIRONMENT;
    }
    unlink(partial);
    text_release(&printed);
    return error;
}

static enum error load_oracle(const char *path, const struct oracle **out_oracle,
                              struct diagnostic *diagnostic)
{
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const struct oracle *oracle = handle == NULL ? NULL : dlsym(handle, "gpugrade_oracle");

    if (oracle == NULL) {
        diagnostic_set(diagnostic, BLAME_RUBRIC,
                       "the oracle cannot be loaded: %s; it must define `gpugrade_oracle`",
                       dlerror());
        return ERROR_FAILED;
    }
    if (oracle->abi_version != ORACLE_ABI_VERSION) {
        diagnostic_set(
            diagnostic, BLAME_RUBRIC,
            "the oracle has interface version %u, this grader knows %d; build it against "
            "this grader's model/oracle.h",
            oracle->abi_version, (int)ORACLE_ABI_VERSION);
        return ERROR_UNSUPPORTED;
    }
    *out_oracle = oracle;
    return ERROR_NONE;
}

enum error toolchain_oracle(const struct toolchain *toolchain, const struct rubric *rubric,
                            const struct oracle **out_oracle, struct diagnostic *diagnostic)
{
    struct arena *arena = arena_new();
    const char *source = arena_printf(arena, "%s/oracle.c", rubric->reference_folder);
    const char *include = arena_printf(arena, "%s/../../grader", rubric->reference_folder);
    const char *path = NULL;

    enum error error = oracle_path(toolchain, arena, source, include, &path, diagnostic);
    if (error == ERROR_NONE && !file_exists(path)) {
        error = build_oracle(arena, source, include, path, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = load_oracle(path, out_oracle, diagnostic);
    }
    arena_free(arena);
    return error;
}
