/* run_request.c: see run_request.h. */
#include "cli/run_request.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/check_request.h"
#include "cli/result_file.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LAUNCH_SECONDS_DEFAULT = 60, LAUNCH_SECONDS_MAX = 1000000 };

/* Without a limit a right program of any size ends. What never ends is proved so where that is
 * possible (endless.h, waiting.h of the emulated device); else its user stops it. */
enum { LAUNCH_MEGAWORK_DEFAULT = 0, LAUNCH_MEGAWORK_MAX = 1000000000 };

/* Longer than any launch, and far from where times overflow. */
#define FOREVER_NS (UINT64_C(100) * 365 * 24 * 3600 * CLOCK_NS_PER_S)
#define MIB_BYTES (UINT64_C(1) << 20)

static const char model_default[] = "H200";

static enum error read_number(const struct options *options, enum option option, const char *name,
                              long long most, long long *value, struct diagnostic *diagnostic)
{
    if (options->given[option] && !text_to_integer(options->values[option], 0, most, value)) {
        diagnostic_set(diagnostic, BLAME_USAGE, "--%s takes a whole number up to %lld, got '%s'",
                       name, most, options->values[option]);
        return ERROR_RANGE;
    }
    return ERROR_NONE;
}

/* A container's limit; UINT64_MAX if there is none. */
static uint64_t container_memory_bytes(void)
{
    char line[32];
    long long bytes;
    FILE *file = fopen("/sys/fs/cgroup/memory.max", "re");

    if (file == NULL) {
        return UINT64_MAX;
    }
    bool is_limited = fgets(line, sizeof line, file) != NULL;
    fclose(file);
    line[is_limited ? strcspn(line, "\n") : 0] = '\0';
    return is_limited && text_to_integer(line, 0, LLONG_MAX, &bytes) ? (uint64_t)bytes : UINT64_MAX;
}

/* Device memory is memory of this machine, and the program needs some too. */
static uint64_t half_of_host_bytes(void)
{
    long pages = sysconf(_SC_PHYS_PAGES);
    long page_bytes = sysconf(_SC_PAGESIZE);
    uint64_t bytes =
        pages > 0 && page_bytes > 0 ? (uint64_t)pages * (uint64_t)page_bytes : UINT64_MAX;
    uint64_t container = container_memory_bytes();

    return (container < bytes ? container : bytes) / 2;
}

static enum error choose_limits(const struct options *options, struct run_request *request,
                                struct diagnostic *diagnostic)
{
    long long seconds = request->is_gpu ? LAUNCH_SECONDS_DEFAULT : 0;
    long long work = LAUNCH_MEGAWORK_DEFAULT;
    long long mebibytes = 0;
    uint64_t host_bytes = half_of_host_bytes();
    enum error error = read_number(options, OPTION_LAUNCH_SECONDS, "launch-seconds",
                                   LAUNCH_SECONDS_MAX, &seconds, diagnostic);

    if (error == ERROR_NONE) {
        error = read_number(options, OPTION_LAUNCH_WORK, "launch-work", LAUNCH_MEGAWORK_MAX, &work,
                            diagnostic);
    }
    request->launch_work = (uint64_t)work * 1000000;
    if (error == ERROR_NONE) {
        error = read_number(options, OPTION_DEVICE_MEMORY, "device-memory", 1 << 20, &mebibytes,
                            diagnostic);
    }
    request->launch_ns = seconds == 0 ? FOREVER_NS : (uint64_t)seconds * CLOCK_NS_PER_S;
    request->device_memory_bytes = request->model.global_memory_bytes;
    if (mebibytes > 0 || request->is_gpu) {
        request->device_memory_bytes = (uint64_t)mebibytes * MIB_BYTES;
    } else if (host_bytes < request->device_memory_bytes) {
        request->device_memory_bytes = host_bytes;
    }
    return error;
}

/* Looks for an executable on PATH; NULL if there is none. */
static const char *search_path(struct arena *arena, const char *name)
{
    const char *rest = getenv("PATH");

    while (rest != NULL && *rest != '\0') {
        size_t length = strcspn(rest, ":");
        const char *path = arena_printf(arena, "%.*s/%s", (int)length, rest, name);
        if (length > 0 && file_exists(path) && access(path, X_OK) == 0) {
            return path;
        }
        rest += length;
        rest += *rest == ':' ? 1 : 0;
    }
    return NULL;
}

/* A name with a slash is a path; any other is a file here, or else on PATH. */
static enum error find_program(struct arena *arena, struct run_request *request,
                               struct diagnostic *diagnostic)
{
    const char *name = request->name;

    request->is_source = text_ends_with(name, ".cu");
    if (strchr(name, '/') != NULL) {
        request->path = name;
    } else if (access(name, F_OK) == 0 || request->is_source) {
        request->path =
            name[0] == '-' || !request->is_source ? arena_printf(arena, "./%s", name) : name;
    } else {
        request->path = name[0] == '\0' ? NULL : search_path(arena, name);
    }
    if (request->path == NULL) {
        diagnostic_set(diagnostic, BLAME_USAGE,
                       "there is no file '%s' here, and no program of that name on PATH", name);
        return ERROR_NOT_FOUND;
    }
    if (!request->is_source) {
        return ERROR_NONE;
    }
    if (folder_exists(request->path)) {
        diagnostic_set(diagnostic, BLAME_USAGE, "'%s' is a folder; name a .cu file", name);
        return ERROR_IO;
    }
    if (access(request->path, R_OK) != 0) {
        diagnostic_set(diagnostic, BLAME_USAGE, "'%s' cannot be read: %s", name, strerror(errno));
        return ERROR_NOT_FOUND;
    }
    return ERROR_NONE;
}

static enum error choose_order(const struct options *options, struct run_request *request,
                               struct diagnostic *diagnostic)
{
    const char *seed = options->values[OPTION_RUN_SEED];

    if (options->given[OPTION_RUN_SEED] && !seed_parse(seed, &request->seed)) {
        diagnostic_set(diagnostic, BLAME_USAGE, "--seed takes 1 to 16 hexadecimal digits, got '%s'",
                       seed);
        return ERROR_RANGE;
    }
    return ERROR_NONE;
}

static enum error check_json(struct arena *arena, const char *path, struct diagnostic *diagnostic)
{
    if (path == NULL) {
        return ERROR_NONE;
    }
    if (strcmp(path, "-") == 0) {
        diagnostic_set(diagnostic, BLAME_USAGE,
                       "--json -: standard output belongs to the program; name a file");
        return ERROR_RANGE;
    }
    return result_file_check(arena, "json", path, diagnostic);
}

static enum error find_model(const struct options *options, struct gpu_model *out_model,
                             struct diagnostic *diagnostic)
{
    const char *name =
        options->given[OPTION_RUN_MODEL] ? options->values[OPTION_RUN_MODEL] : model_default;
    enum error error = gpu_model_find(name, out_model, diagnostic);

    if (error != ERROR_NONE && diagnostic != NULL) {
        diagnostic->blame = BLAME_USAGE;
    }
    return error;
}

/* `run` passes on what follows the program; to `step` they are words like others. */
static void take_arguments(struct arena *arena, const struct options *options,
                           struct run_request *request)
{
    if (options->command != COMMAND_STEP) {
        request->arguments = options->rest;
        request->argument_count = options->rest_count;
        return;
    }
    const char **arguments = arena_array(arena, options->positional_count, sizeof *arguments);
    for (size_t i = 1; i < options->positional_count; i++) {
        arguments[request->argument_count++] = options->positional[i];
    }
    request->arguments = arguments;
}

/* A real GPU has its own properties, order and memory; the emulated device is no GPU. */
static enum error choose_device(const struct options *options, struct run_request *request,
                                struct diagnostic *diagnostic)
{
    const struct {
        enum option option;
        const char *name;
    } emulated[] = {{OPTION_RUN_MODEL, "gpu-model"},
                    {OPTION_RUN_SEED, "seed"},
                    {OPTION_NO_GLOBAL_CHECKS, "no-global-checks"}};
    const char *kind = options->values[OPTION_RUN_DEVICE];

    request->is_gpu = options->given[OPTION_RUN_DEVICE] && strcmp(kind, "cuda") == 0;
    request->gpu = options->values[OPTION_RUN_GPU];
    if (!request->is_gpu && options->given[OPTION_RUN_GPU]) {
        diagnostic_set(diagnostic, BLAME_USAGE, "--gpu names a real GPU; add --device cuda");
        return ERROR_SYNTAX;
    }
    for (size_t i = 0; i < sizeof emulated / sizeof emulated[0] && request->is_gpu; i++) {
        if (options->given[emulated[i].option]) {
            diagnostic_set(diagnostic, BLAME_USAGE,
                           "--%s is for the emulated device; leave out --device cuda",
                           emulated[i].name);
            return ERROR_SYNTAX;
        }
    }
    return ERROR_NONE;
}

enum error run_request_make(struct arena *arena, const struct options *options,
                            struct run_request *out_request, struct diagnostic *diagnostic)
{
    const char *temporary = getenv("TMPDIR");
    char *folder = getcwd(NULL, 0);
    struct run_request request = {
        .name = options->positional_count > 0 ? options->positional[0] : "",
        .folder = arena_strdup(arena, folder == NULL ? "" : folder),
        .temporary_folder = temporary == NULL ? NULL : arena_strdup(arena, temporary),
        .json_path = options->values[OPTION_RUN_JSON],
        .compiler = compiler_of(options->values[OPTION_COMPILER]),
        .color = options->given[OPTION_COLOR] ? options->values[OPTION_COLOR] : "auto",
        .verbose = options->given[OPTION_RUN_VERBOSE],
        .shows_fixes = options->given[OPTION_RUN_FIX],
        .checks_global_memory = !options->given[OPTION_NO_GLOBAL_CHECKS],
    };
    enum error error = ERROR_NONE;

    free(folder);
    take_arguments(arena, options, &request);
    if (options->positional_count == 0) {
        diagnostic_set(
            diagnostic, BLAME_USAGE,
            "run needs a program: gpugrade run PROGRAM|FILE.cu [ARGS]; see 'gpugrade help run'");
        error = ERROR_SYNTAX;
    }
    if (error == ERROR_NONE) {
        error = choose_device(options, &request, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = find_model(options, &request.model, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = choose_limits(options, &request, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = choose_order(options, &request, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = check_json(arena, request.json_path, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = find_program(arena, &request, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = locations_find(arena, &request.locations, diagnostic);
    }
    if (error == ERROR_NONE) {
        *out_request = request;
    }
    return error;
}
