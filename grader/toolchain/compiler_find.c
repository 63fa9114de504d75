/* compiler_find.c: see compiler_find.h. */
#include "toolchain/compiler_find.h"

#include "base/file.h"
#include "base/process.h"
#include "base/text.h"
#include "toolchain/compiler_identity.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OLDEST_CLANG = 14, NEWEST_CLANG = 24, VERSION_BYTES = 32 };

static const char no_compiler[] =
    "no compiler for CUDA found: install clang, version 14 or newer (Debian, Ubuntu: apt install "
    "clang), or NVIDIA's CUDA toolkit; no GPU and no driver are needed";
static const char no_clang[] =
    "no clang++ found on PATH: install clang, version 14 or newer (Debian, Ubuntu: apt install "
    "clang)";
static const char no_nvcc[] =
    "no CUDA toolkit found: nvcc is neither in $CUDA_HOME/bin nor on PATH nor in /usr/local/cuda "
    "or /opt/cuda; install the packages cuda-nvcc-13-0, cuda-cudart-dev-13-0 and cuda-crt-13-0 "
    "from NVIDIA's repository (https://developer.nvidia.com/cuda-downloads), set CUDA_HOME to the "
    "toolkit's folder, or leave out --compiler nvcc";

/* nvcc *******************************************************************************************/

/* Is this a toolkit? If so its real path is taken: the sandbox shows that one. */
static bool try_folder(const char *folder, struct compiler *compiler)
{
    static const char *const parts[] = {"bin/nvcc", "bin/ptxas", "include/cuda_runtime.h"};
    char path[4200];

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        int length = snprintf(path, sizeof path, "%s/%s", folder, parts[i]);
        if (length < 0 || (size_t)length >= sizeof path || !file_exists(path)) {
            return false;
        }
    }
    char *real = realpath(folder, NULL);
    bool fits = real != NULL && strlen(real) < sizeof compiler->folder;
    if (fits) {
        snprintf(compiler->folder, sizeof compiler->folder, "%s", real);
    }
    free(real);
    return fits;
}

/* A folder of PATH that holds nvcc, perhaps as a link, lies in the toolkit's bin. */
static bool try_search_path(struct compiler *compiler)
{
    const char *rest = getenv("PATH");
    char path[4096];

    while (rest != NULL && *rest != '\0') {
        size_t length = strcspn(rest, ":");
        snprintf(path, sizeof path, "%.*s/nvcc", (int)(length < 4000 ? length : 4000), rest);
        char *real = length > 0 ? realpath(path, NULL) : NULL;
        if (real != NULL && text_ends_with(real, "/bin/nvcc")) {
            real[strlen(real) - strlen("/bin/nvcc")] = '\0';
            if (try_folder(real, compiler)) {
                free(real);
                return true;
            }
        }
        free(real);
        rest += length;
        rest += *rest == ':' ? 1 : 0;
    }
    return false;
}

/* Takes the last match, which sorts highest: cuda-13.0 after cuda-12.8. */
static bool try_pattern(const char *pattern, struct compiler *compiler)
{
    glob_t found;
    bool good = false;

    if (glob(pattern, 0, NULL, &found) != 0) {
        return false;
    }
    for (size_t i = found.gl_pathc; i > 0 && !good; i--) {
        good = try_folder(found.gl_pathv[i - 1], compiler);
    }
    globfree(&found);
    return good;
}

static bool find_toolkit(struct compiler *compiler)
{
    const char *home = getenv("CUDA_HOME");

    if (home != NULL && home[0] != '\0' && try_folder(home, compiler)) {
        return true;
    }
    return try_search_path(compiler) || try_folder("/usr/local/cuda", compiler) ||
           try_pattern("/usr/local/cuda-*", compiler) || try_folder("/opt/cuda", compiler);
}

/* The version stands in the toolkit's header, which costs less than starting nvcc. */
static enum error read_toolkit_version(struct compiler *compiler, struct diagnostic *diagnostic)
{
    static const char define[] = "#define CUDART_VERSION";
    struct arena *arena = arena_new();
    char *bytes;
    size_t length;
    long version = 0;

    const char *path = arena_printf(arena, "%s/include/cuda_runtime_api.h", compiler->folder);
    enum error error =
        file_read(arena, path, 4 << 20, BLAME_ENVIRONMENT, &bytes, &length, diagnostic);
    if (error == ERROR_NONE) {
        const char *line = strstr(bytes, define);
        version = line == NULL ? 0 : strtol(line + sizeof define - 1, NULL, 10);
        if (version <= 0) {
            diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                           "%s does not define CUDART_VERSION; install the CUDA toolkit again",
                           path);
            error = ERROR_ENVIRONMENT;
        }
        snprintf(compiler->name, sizeof compiler->name, "nvcc %ld.%ld", version / 1000,
                 version % 1000 / 10);
    }
    arena_free(arena);
    return error == ERROR_NONE ? ERROR_NONE : ERROR_ENVIRONMENT;
}

/* clang ******************************************************************************************/

/* Finds clang++ of a version, or "clang++" for 0, in a folder of PATH. */
static bool find_clang_in_path(int version, struct compiler *compiler)
{
    const char *rest = getenv("PATH");

    while (rest != NULL && *rest != '\0') {
        size_t length = strcspn(rest, ":");
        char path[sizeof compiler->clang];
        int written = version == 0 ? snprintf(path, sizeof path, "%.*s/clang++", (int)length, rest)
                                   : snprintf(path, sizeof path, "%.*s/clang++-%d", (int)length,
                                              rest, version);
        if (length > 0 && written > 0 && (size_t)written < sizeof path && path[0] == '/' &&
            access(path, X_OK) == 0) {
            memcpy(compiler->clang, path, sizeof path);
            return true;
        }
        rest += length;
        rest += *rest == ':' ? 1 : 0;
    }
    return false;
}

/* What `clang++ -dumpversion` prints, "19.1.7"; "" if it cannot be started. */
static const char *ask_clang_version(const char *clang, struct arena *arena)
{
    const char *const arguments[] = {clang, "-dumpversion", NULL};
    char version[VERSION_BYTES] = "";
    struct process process;
    int fds[2];
    int status = 1;

    if (pipe_pair(fds, NULL) != ERROR_NONE) {
        return "";
    }
    const struct process_spec spec = {
        .path = clang,
        .arguments = arguments,
        .descriptors = {-1, fds[1], -1},
        .descriptor_count = 3,
    };
    bool is_started = process_start(&spec, &process, NULL) == ERROR_NONE;
    descriptor_close(&fds[1]);
    if (is_started) {
        ssize_t length = read(fds[0], version, sizeof version - 1);
        version[length > 0 ? strcspn(version, "\n") : 0] = '\0';
        process_wait(&process, UINT64_MAX, &status);
    }
    descriptor_close(&fds[0]);
    return status == 0 ? arena_strdup(arena, version) : "";
}

static bool is_version(const char *text, size_t length)
{
    return length > 0 && length < VERSION_BYTES && strspn(text, "0123456789.") == length;
}

/* False for a link to something that finds clang by itself, as ccache does. */
static bool is_clang_itself(const char *clang)
{
    char *real = realpath(clang, NULL);
    const char *slash = real == NULL ? NULL : strrchr(real, '/');
    bool is_clang = slash != NULL && text_starts_with(slash + 1, "clang");

    free(real);
    return is_clang;
}

/* Reads clang's version. It is kept, because clang takes a while to start: in the file
 * clang-IDENTITY of the cache. */
static bool read_clang_version(const char *cache_folder, struct compiler *compiler)
{
    struct arena *arena = arena_new();
    const char *identity = compiler_identity(arena, compiler->clang);
    char hash[65];
    char *kept;
    size_t length;

    hash_bytes(identity, strlen(identity), hash);
    const char *path = arena_printf(arena, "%s/clang-%.16s", cache_folder, hash);
    const char *version = "";
    bool may_keep = is_clang_itself(compiler->clang);
    if (may_keep &&
        file_read(arena, path, VERSION_BYTES, BLAME_ENVIRONMENT, &kept, &length, NULL) ==
            ERROR_NONE &&
        is_version(kept, length)) {
        version = kept;
    } else {
        version = ask_clang_version(compiler->clang, arena);
        if (may_keep && is_version(version, strlen(version))) {
            file_write_mode(path, 0644, version, strlen(version), NULL);
        }
    }
    snprintf(compiler->name, sizeof compiler->name, "clang %s", version);
    bool is_new_enough = strtol(version, NULL, 10) >= OLDEST_CLANG;
    arena_free(arena);
    return is_new_enough;
}

bool compiler_find_parts(const struct toolchain_setup *setup, struct compiler *compiler)
{
    struct arena *arena = arena_new();
    const char *program = arena_printf(arena, "%s/gpugrade-clang", setup->helper_folder);
    const char *header = arena_printf(arena, "%s/cuda_runtime.h", setup->header_folder);
    bool good = file_exists(program) && file_exists(header) &&
                strlen(program) < sizeof compiler->program &&
                strlen(setup->header_folder) < sizeof compiler->folder;

    snprintf(compiler->program, sizeof compiler->program, "%s", program);
    snprintf(compiler->folder, sizeof compiler->folder, "%s", setup->header_folder);
    arena_free(arena);
    return good;
}

bool compiler_find_clang(const char *cache_folder, struct compiler *compiler)
{
    for (int version = NEWEST_CLANG; version >= OLDEST_CLANG; version--) {
        if (find_clang_in_path(version, compiler) && read_clang_version(cache_folder, compiler)) {
            return true;
        }
    }
    if (find_clang_in_path(0, compiler) && read_clang_version(cache_folder, compiler)) {
        return true;
    }
    compiler->clang[0] = '\0';
    return false;
}

enum error compiler_find(const struct toolchain_setup *setup, const char *cache_folder,
                         struct compiler *out_compiler, struct diagnostic *diagnostic)
{
    struct compiler compiler = {.kind = COMPILER_NVCC};

    if (setup->compiler != COMPILER_CLANG && find_toolkit(&compiler)) {
        snprintf(compiler.program, sizeof compiler.program, "%.4000s/bin/nvcc", compiler.folder);
        *out_compiler = compiler;
        return read_toolkit_version(out_compiler, diagnostic);
    }
    compiler.kind = COMPILER_CLANG;
    if (setup->compiler != COMPILER_NVCC && compiler_find_clang(cache_folder, &compiler) &&
        compiler_find_parts(setup, &compiler)) {
        *out_compiler = compiler;
        return ERROR_NONE;
    }
    if (compiler.clang[0] != '\0') {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "gpugrade's parts for clang are missing: %s or %s/cuda_runtime.h; build all "
                       "targets again, or install gpugrade again",
                       compiler.program, setup->header_folder);
        return ERROR_ENVIRONMENT;
    }
    diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "%s",
                   setup->compiler == COMPILER_NVCC    ? no_nvcc
                   : setup->compiler == COMPILER_CLANG ? no_clang
                                                       : no_compiler);
    return ERROR_ENVIRONMENT;
}
