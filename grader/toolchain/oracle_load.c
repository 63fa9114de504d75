/* oracle_load.c: builds, keeps and loads a coursework's oracle; see toolchain.h and model/oracle.h.
 *
 * The oracle is the instructor's code and runs inside the grader, so it is compiled outside of the
 * sandbox. It finds "model/oracle.h" in the rubric's include folder, "common/..." beside the
 * coursework that shares it, and what lies in its own folder. All that it may include is part of
 * its name in the cache.
 */
#include "base/file.h"
#include "base/process.h"
#include "base/text.h"
#include "model/oracle_watch.h"
#include "toolchain/compiler_identity.h"
#include "toolchain/object_cache.h"
#include "toolchain/toolchain.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char usual_compiler[] = "/usr/bin/cc";
static const char *const oracle_flags[] = {"-O3", "-std=c11", "-ffp-contract=off", "-shared",
                                           "-fPIC"};
enum { FLAG_COUNT = sizeof oracle_flags / sizeof oracle_flags[0] };
#define PRINTED_BYTES_MAX ((size_t)1 << 16)

/* The machine's C compiler; without one the clang that compiles the students' files. */
static const char *oracle_compiler(const struct toolchain *toolchain)
{
    bool has_other = toolchain->compiler.clang[0] != '\0' && access(usual_compiler, X_OK) != 0;

    return has_other ? toolchain->compiler.clang : usual_compiler;
}

static int compare_names(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Appends the names and hashes of the files of a folder that end in .c or .h; there may be none. */
static enum error add_folder(struct text *text, struct arena *arena, const char *folder,
                             struct diagnostic *diagnostic)
{
    const char **names = NULL;
    size_t count = 0, capacity = 0;
    enum error error = ERROR_NONE;
    DIR *stream = opendir(folder); /* which sets FD_CLOEXEC */
    struct dirent *entry;

    while (stream != NULL && (entry = readdir(stream)) != NULL) {
        bool is_code = text_ends_with(entry->d_name, ".c") || text_ends_with(entry->d_name, ".h");
        if (is_code && file_exists(arena_printf(arena, "%s/%s", folder, entry->d_name))) {
            arena_grow(arena, &names, &capacity, count + 1, sizeof *names);
            names[count++] = arena_strdup(arena, entry->d_name);
        }
    }
    if (stream != NULL) {
        closedir(stream);
    }
    if (count > 0) {
        qsort(names, count, sizeof *names, compare_names);
    }
    text_printf(text, "%zu files\n", count);
    for (size_t i = 0; i < count && error == ERROR_NONE; i++) {
        error = object_cache_add_file(text, arena, folder, names[i], BLAME_RUBRIC, diagnostic);
    }
    return error;
}

/* Names the kept oracle by the hash of all that decides it: the files that it may include, the
 * flags and the compiler. */
static enum error oracle_path(const struct toolchain *toolchain, struct arena *arena,
                              const struct rubric *rubric, const char **out_path,
                              struct diagnostic *diagnostic)
{
    struct text text;
    char hash[65];

    text_init(&text);
    text_printf(&text, "%s\n", compiler_identity(arena, oracle_compiler(toolchain)));
    for (size_t i = 0; i < FLAG_COUNT; i++) {
        text_printf(&text, "%s\n", oracle_flags[i]);
    }
    enum error error = object_cache_add_file(&text, arena, rubric->include_folder, "model/oracle.h",
                                             BLAME_RUBRIC, diagnostic);
    if (error == ERROR_NONE) {
        error = object_cache_add_file(&text, arena, rubric->reference_folder, "oracle.c",
                                      BLAME_RUBRIC, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = add_folder(&text, arena, rubric->reference_folder, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = add_folder(&text, arena, rubric->common_folder, diagnostic);
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
        .path = arguments[0],
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

/* Compiles in a folder of its own beside the final name and renames, so that graders may do so at
 * the same time, and nobody else can write the file whatever the umask. */
static enum error build_oracle(struct arena *arena, const char *compiler,
                               const struct rubric *rubric, const char *path,
                               struct diagnostic *diagnostic)
{
    const char *source = arena_printf(arena, "%s/oracle.c", rubric->reference_folder);
    const char *arguments[FLAG_COUNT + 10];
    char *folder = arena_printf(arena, "%s.XXXXXX", path);
    size_t count = 0;
    int status = 0;
    struct text printed;

    if (mkdtemp(folder) == NULL) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "cannot make %s: %s", folder,
                       strerror(errno));
        return ERROR_ENVIRONMENT;
    }
    const char *built = arena_printf(arena, "%s/oracle.so", folder);
    arguments[count++] = compiler;
    if (compiler != usual_compiler) {
        arguments[count++] = "--driver-mode=gcc"; /* the source is C */
    }
    for (size_t i = 0; i < FLAG_COUNT; i++) {
        arguments[count++] = oracle_flags[i];
    }
    arguments[count++] = arena_printf(arena, "-I%s", rubric->include_folder);
    arguments[count++] = arena_printf(arena, "-I%s/..", rubric->common_folder);
    arguments[count++] = "-o";
    arguments[count++] = built;
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
    if (error == ERROR_NONE && (chmod(built, 0755) != 0 || rename(built, path) != 0)) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "cannot write %s: %s", path, strerror(errno));
        error = ERROR_ENVIRONMENT;
    }
    folder_remove(folder);
    text_release(&printed);
    return error;
}

static bool are_mistakes(const struct oracle *oracle, const char *const *names)
{
    for (; names != NULL && *names != NULL; names++) {
        size_t i = 0;
        while (i < oracle->mistake_count && strcmp(oracle->mistakes[i].name, *names) != 0) {
            i++;
        }
        if (i == oracle->mistake_count) {
            return false;
        }
    }
    return true;
}

/* Finds what the table lacks, which would be called without looking; NULL if nothing. */
static const char *missing_function(const struct oracle *oracle)
{
    const bool is_old = oracle->abi_version < 4;

    if (oracle->expect == NULL && is_old) {
        return "`.expect` is NULL";
    }
    if (oracle->expect == NULL && oracle->expect_all == NULL && oracle->check == NULL) {
        return "`.expect` is NULL, and so are `.expect_all` and `.check`";
    }
    if (oracle->mistake_count > 0 && oracle->mistakes == NULL) {
        return "`.mistakes` is NULL, but `.mistake_count` is not 0";
    }
    for (size_t i = 0; i < oracle->mistake_count; i++) {
        const struct oracle_mistake *mistake = &oracle->mistakes[i];
        if (mistake->name == NULL || mistake->message == NULL) {
            return "a mistake has no `.name` or `.message`";
        }
        if (mistake->compute == NULL) {
            return "a mistake has no `.compute`";
        }
    }
    if (oracle->abi_version < 5) {
        return NULL;
    }
    return !are_mistakes(oracle, oracle->launch_mistakes)
               ? "`.launch_mistakes` has a name that no mistake has"
           : !are_mistakes(oracle, oracle->copy_mistakes)
               ? "`.copy_mistakes` has a name that no mistake has"
               : NULL;
}

static enum error check_table(const struct oracle *oracle, const char *source,
                              struct diagnostic *diagnostic)
{
    if (oracle->abi_version < ORACLE_ABI_OLDEST || oracle->abi_version > ORACLE_ABI_VERSION) {
        diagnostic_set(
            diagnostic, BLAME_RUBRIC,
            "the oracle %s has interface version %u, this grader has %d; build it against "
            "this grader's model/oracle.h",
            source, oracle->abi_version, (int)ORACLE_ABI_VERSION);
        return ERROR_UNSUPPORTED;
    }
    const char *missing = missing_function(oracle);
    if (missing != NULL) {
        diagnostic_set(diagnostic, BLAME_RUBRIC, "the oracle %s is incomplete: %s", source,
                       missing);
        return ERROR_FAILED;
    }
    return ERROR_NONE;
}

static enum error load_oracle(const char *path, const char *source, struct oracle_watch *watch,
                              struct oracle *out_oracle, struct diagnostic *diagnostic)
{
    oracle_watch_enter(watch, ORACLE_LOADED);
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const struct oracle *oracle = handle == NULL ? NULL : dlsym(handle, "gpugrade_oracle");
    oracle_watch_leave(watch);

    if (oracle == NULL) {
        diagnostic_set(diagnostic, BLAME_RUBRIC,
                       "the oracle %s cannot be loaded: %s; it must define `gpugrade_oracle`",
                       source, dlerror());
        return ERROR_FAILED;
    }
    enum error error = check_table(oracle, source, diagnostic);
    if (error == ERROR_NONE) { /* `watch` is not read: an older table ends before it */
        *out_oracle = (struct oracle){
            .abi_version = oracle->abi_version,
            .expect = oracle->expect,
            .expect_in_order = oracle->expect_in_order,
            .mistakes = oracle->mistakes,
            .mistake_count = oracle->mistake_count,
            .needs = oracle->needs,
            .watch = watch,
        };
        if (oracle->abi_version >= 4) {
            out_oracle->expect_all = oracle->expect_all;
            out_oracle->make_inputs = oracle->make_inputs;
            out_oracle->check = oracle->check;
            out_oracle->doubtful = oracle->doubtful;
        }
        if (oracle->abi_version >= 5) {
            out_oracle->launch_mistakes = oracle->launch_mistakes;
            out_oracle->copy_mistakes = oracle->copy_mistakes;
        }
    }
    return error;
}

enum error toolchain_oracle(const struct toolchain *toolchain, struct arena *arena,
                            const struct rubric *rubric, const struct oracle **out_oracle,
                            struct diagnostic *diagnostic)
{
    const char *source = arena_printf(arena, "%s/oracle.c", rubric->reference_folder);
    struct oracle_watch *watch = toolchain->oracle_watch;
    struct oracle *oracle = arena_alloc(arena, sizeof *oracle);
    const char *path = NULL;

    if (rubric->launch_count == 0) { /* there is nothing to judge by it */
        *out_oracle = NULL;
        return ERROR_NONE;
    }
    enum error error = oracle_path(toolchain, arena, rubric, &path, diagnostic);
    if (error == ERROR_NONE && !file_exists(path)) {
        error = build_oracle(arena, oracle_compiler(toolchain), rubric, path, diagnostic);
    }
    if (error == ERROR_NONE && watch != NULL) {
        snprintf(watch->name, sizeof watch->name, "the oracle of '%s' (%s)", rubric->id, source);
    }
    if (error == ERROR_NONE) {
        error = load_oracle(path, source, watch, oracle, diagnostic);
    }
    if (error == ERROR_NONE) {
        *out_oracle = oracle;
    }
    return error;
}
