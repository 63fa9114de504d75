/* toolkit.c: finds the CUDA toolkit and the cache; see toolchain.h. */
#include "base/file.h"
#include "base/text.h"
#include "toolchain/toolchain.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char install_hint[] =
    "no CUDA toolkit found: nvcc is neither in $CUDA_HOME/bin nor on PATH nor in /usr/local/cuda "
    "or /opt/cuda; install the packages cuda-nvcc-13-0, cuda-cudart-dev-13-0 and cuda-crt-13-0 "
    "from "
    "NVIDIA's repository (https://developer.nvidia.com/cuda-downloads), or set CUDA_HOME to the "
    "toolkit's folder; no GPU and no driver are needed";

/* Is this a toolkit? If so its real path is taken: the sandbox shows that one. */
static bool try_folder(const char *folder, struct toolchain *toolchain)
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
    bool fits = real != NULL && strlen(real) < sizeof toolchain->cuda_folder;
    if (fits) {
        snprintf(toolchain->cuda_folder, sizeof toolchain->cuda_folder, "%s", real);
    }
    free(real);
    return fits;
}

/* A folder of PATH that holds nvcc, perhaps as a link, lies in the toolkit's bin. */
static bool try_search_path(struct toolchain *toolchain)
{
    const char *rest = getenv("PATH");
    char path[4096];

    while (rest != NULL && *rest != '\0') {
        size_t length = strcspn(rest, ":");
        snprintf(path, sizeof path, "%.*s/nvcc", (int)(length < 4000 ? length : 4000), rest);
        char *real = length > 0 ? realpath(path, NULL) : NULL;
        if (real != NULL && text_ends_with(real, "/bin/nvcc")) {
            real[strlen(real) - strlen("/bin/nvcc")] = '\0';
            if (try_folder(real, toolchain)) {
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
static bool try_pattern(const char *pattern, struct toolchain *toolchain)
{
    glob_t found;
    bool good = false;

    if (glob(pattern, 0, NULL, &found) != 0) {
        return false;
    }
    for (size_t i = found.gl_pathc; i > 0 && !good; i--) {
        good = try_folder(found.gl_pathv[i - 1], toolchain);
    }
    globfree(&found);
    return good;
}

static bool find_toolkit(struct toolchain *toolchain)
{
    const char *home = getenv("CUDA_HOME");

    if (home != NULL && home[0] != '\0' && try_folder(home, toolchain)) {
        return true;
    }
    return try_search_path(toolchain) || try_folder("/usr/local/cuda", toolchain) ||
           try_pattern("/usr/local/cuda-*", toolchain) || try_folder("/opt/cuda", toolchain);
}

/* The version stands in the toolkit's header, which costs less than starting nvcc. */
static enum error read_version(struct toolchain *toolchain, struct diagnostic *diagnostic)
{
    static const char define[] = "#define CUDART_VERSION";
    struct arena *arena = arena_new();
    char *bytes;
    size_t length;
    long version = 0;

    const char *path = arena_printf(arena, "%s/include/cuda_runtime_api.h", toolchain->cuda_folder);
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
        snprintf(toolchain->nvcc_version, sizeof toolchain->nvcc_version, "%ld.%ld", version / 1000,
                 version % 1000 / 10);
    }
    arena_free(arena);
    return error == ERROR_NONE ? ERROR_NONE : ERROR_ENVIRONMENT;
}

static enum error choose_cache(struct toolchain *toolchain, const char *wanted,
                               struct diagnostic *diagnostic)
{
    const char *own = getenv("GPUGRADE_CACHE");
    const char *shared = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    char *folder = toolchain->cache_folder;
    size_t capacity = sizeof toolchain->cache_folder;

    if (wanted != NULL) {
        snprintf(folder, capacity, "%s", wanted);
    } else if (own != NULL && own[0] == '/') {
        snprintf(folder, capacity, "%s", own);
    } else if (shared != NULL && shared[0] == '/') {
        snprintf(folder, capacity, "%s/gpugrade", shared);
    } else if (home != NULL && home[0] == '/') {
        snprintf(folder, capacity, "%s/.cache/gpugrade", home);
    } else {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "no folder to keep built harnesses in: set GPUGRADE_CACHE, or HOME");
        return ERROR_ENVIRONMENT;
    }
    if (folder_make(folder, 0755, diagnostic) != ERROR_NONE || access(folder, W_OK) != 0) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "cannot write to the folder %.900s; set GPUGRADE_CACHE to another one",
                       folder);
        return ERROR_ENVIRONMENT;
    }
    return ERROR_NONE;
}

enum error toolchain_init(const struct sandbox *sandbox, const char *cudart_folder,
                          const char *cache_folder, struct toolchain *out_toolchain,
                          struct diagnostic *diagnostic)
{
    struct toolchain toolchain = {.sandbox = sandbox};

    if (!find_toolkit(&toolchain)) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "%s", install_hint);
        return ERROR_ENVIRONMENT;
    }
    if (access("/usr/bin/g++", X_OK) != 0) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "nvcc needs a host compiler: install g++ (Debian, Ubuntu: apt install g++)");
        return ERROR_ENVIRONMENT;
    }
    snprintf(toolchain.cudart_folder, sizeof toolchain.cudart_folder, "%s", cudart_folder);
    enum error error = read_version(&toolchain, diagnostic);
    if (error == ERROR_NONE) {
        error = choose_cache(&toolchain, cache_folder, diagnostic);
    }
    if (error == ERROR_NONE) {
        *out_toolchain = toolchain;
    }
    return error;
}
