/* toolchain_init.c: the tools and the cache; see toolchain.h. */
#include "base/file.h"
#include "base/text.h"
#include "toolchain/compiler_find.h"
#include "toolchain/compiler_run.h"
#include "toolchain/toolchain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

enum error toolchain_init(const struct toolchain_setup *setup, struct toolchain *out_toolchain,
                          struct diagnostic *diagnostic)
{
    struct toolchain toolchain = {.sandbox = setup->sandbox};
    enum error error = choose_cache(&toolchain, setup->cache_folder, diagnostic);

    if (error == ERROR_NONE) {
        error = compiler_find(setup, toolchain.cache_folder, &toolchain.compiler, diagnostic);
    }
    if (error == ERROR_NONE && access(compiler_linker(&toolchain.compiler), X_OK) != 0) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "nvcc needs g++: install it (Debian, Ubuntu: apt install g++)");
        error = ERROR_ENVIRONMENT;
    }
    if (error == ERROR_NONE && setup->compiler == COMPILER_AUTO &&
        toolchain.compiler.kind == COMPILER_NVCC && compiler_find_parts(setup, &toolchain.second)) {
        toolchain.second.kind = COMPILER_CLANG;
    }
    snprintf(toolchain.cudart_folder, sizeof toolchain.cudart_folder, "%s", setup->library_folder);
    if (error == ERROR_NONE) {
        *out_toolchain = toolchain;
    }
    return error;
}
