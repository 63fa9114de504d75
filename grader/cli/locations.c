/* locations.c: see locations.h. */
#include "cli/locations.h"

#include "base/file.h"

#include <limits.h>
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
    struct locations found;
    found.helper_folder = parent_folder(arena, executable);
    const char *prefix = parent_folder(arena, found.helper_folder);
    found.device_path = arena_printf(arena, "%s/gpugrade-device", found.helper_folder);
    found.library_folder = arena_printf(arena, "%s/lib", prefix);
    found.root = parent_folder(arena, prefix);
    if (given != NULL && given[0] != '\0') {
        char *resolved = realpath(given, NULL);
        found.root = arena_strdup(arena, resolved == NULL ? given : resolved);
        free(resolved);
    }
    if (!is_root(arena, found.root)) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "no rubrics/ and reference/ in %s; start gpugrade through its launcher, or "
                       "set GPUGRADE_ROOT to the folder that holds them",
                       found.root);
        return ERROR_ENVIRONMENT;
    }
    if (!file_exists(found.device_path)) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "%s is missing; build gpugrade anew with all its targets",
                       found.device_path);
        return ERROR_ENVIRONMENT;
    }
    *out_locations = found;
    return ERROR_NONE;
}
