/* locations.c: see locations.h. */
#include "cli/locations.h"

#include "base/file.h"
#include "base/shell_word.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Cuts the last component off a path. */
static char *parent_folder(struct arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');

    if (slash == NULL || slash == path) {
        return arena_strdup(arena, "/");
    }
    return arena_strndup(arena, path, (size_t)(slash - path));
}

static bool is_root(struct arena *arena, const char *folder)
{
    return folder_exists(arena_printf(arena, "%s/rubrics", folder)) &&
           folder_exists(arena_printf(arena, "%s/reference", folder));
}

static struct locations build_layout(struct arena *arena, const char *bin, const char *prefix)
{
    return (struct locations){
        .root = parent_folder(arena, prefix),
        .helper_folder = bin,
        .library_folder = arena_printf(arena, "%s/lib", prefix),
        .header_folder =
            arena_printf(arena, "%s/grader/cuda_headers", parent_folder(arena, prefix)),
    };
}

static struct locations installed_layout(struct arena *arena, const char *prefix)
{
    return (struct locations){
        .root = arena_printf(arena, "%s/share/gpugrade", prefix),
        .helper_folder = arena_printf(arena, "%s/libexec/gpugrade", prefix),
        .library_folder = arena_printf(arena, "%s/lib/gpugrade", prefix),
        .header_folder = arena_printf(arena, "%s/share/gpugrade/cuda_headers", prefix),
    };
}

/* The device process tells the layouts apart: what is built together lies together. */
static const char *device_in(struct arena *arena, const char *folder)
{
    return arena_printf(arena, "%s/gpugrade-device", folder);
}

enum error locations_of(struct arena *arena, const char *executable, const char *root,
                        struct locations *out_locations, struct diagnostic *diagnostic)
{
    const char *bin = parent_folder(arena, executable);
    const char *prefix = parent_folder(arena, bin);
    struct locations found = installed_layout(arena, prefix);

    if (!file_exists(device_in(arena, found.helper_folder))) {
        found = build_layout(arena, bin, prefix);
    }
    found.program = arena_strdup(arena, executable);
    found.device_path = device_in(arena, found.helper_folder);
    if (!file_exists(found.device_path)) {
        diagnostic_set(
            diagnostic, BLAME_ENVIRONMENT,
            "%s is missing; build gpugrade again with all its targets, or install it again",
            found.device_path);
        return ERROR_ENVIRONMENT;
    }
    if (root != NULL) {
        char *resolved = realpath(root, NULL);
        found.root = arena_strdup(arena, resolved == NULL ? root : resolved);
        free(resolved);
    }
    if (!is_root(arena, found.root)) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "no rubrics/ and reference/ in %s; start gpugrade through its launcher, "
                       "install it again, or set GPUGRADE_ROOT to the folder that has them",
                       found.root);
        return ERROR_ENVIRONMENT;
    }
    *out_locations = found;
    return ERROR_NONE;
}

void locations_hide(const struct locations *locations, struct sandbox *sandbox)
{
    struct arena *arena = arena_new();
    const char *bin = parent_folder(arena, locations->program);
    const char *prefix = parent_folder(arena, bin);
    const char *const roots[] = {
        locations->root,
        build_layout(arena, bin, prefix).root,
        installed_layout(arena, prefix).root,
        "/usr/share/gpugrade",
        "/usr/local/share/gpugrade",
    };

    for (size_t i = 0; i < sizeof roots / sizeof roots[0]; i++) {
        sandbox_hide(sandbox, arena_printf(arena, "%s/reference", roots[i]));
    }
    arena_free(arena);
}

enum error locations_sandbox(const struct locations *locations, enum sandbox_tier wanted,
                             struct sandbox *out_sandbox, struct diagnostic *diagnostic)
{
    enum error error = sandbox_init(wanted, locations->helper_folder, out_sandbox, diagnostic);

    if (error == ERROR_NONE) {
        locations_hide(locations, out_sandbox);
    }
    return error;
}

enum compiler_kind compiler_of(const char *word)
{
    if (word == NULL || strcmp(word, "auto") == 0) {
        return COMPILER_AUTO;
    }
    return strcmp(word, "nvcc") == 0 ? COMPILER_NVCC : COMPILER_CLANG;
}

struct toolchain_setup locations_toolchain(const struct locations *locations,
                                           enum compiler_kind compiler,
                                           const struct sandbox *sandbox)
{
    return (struct toolchain_setup){
        .sandbox = sandbox,
        .compiler = compiler,
        .helper_folder = locations->helper_folder,
        .header_folder = locations->header_folder,
        .library_folder = locations->library_folder,
    };
}

enum error locations_find(struct arena *arena, struct locations *out_locations,
                          struct diagnostic *diagnostic)
{
    char executable[PATH_MAX];
    const char *given = getenv("GPUGRADE_ROOT");
    ssize_t length = readlink("/proc/self/exe", executable, sizeof executable - 1);

    if (length <= 0) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "/proc/self/exe cannot be read; is /proc mounted?");
        return ERROR_ENVIRONMENT;
    }
    executable[length] = '\0';
    return locations_of(arena, executable, given != NULL && given[0] != '\0' ? given : NULL,
                        out_locations, diagnostic);
}

const char *locations_command(struct arena *arena)
{
    const char *launcher = getenv("GPUGRADE_COMMAND");

    return shell_word(arena, launcher != NULL && launcher[0] != '\0' ? launcher : "gpugrade");
}
