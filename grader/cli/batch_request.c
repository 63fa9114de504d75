/* batch_request.c: see batch_request.h. */
#include "cli/batch_request.h"

#include "base/file.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "batch/slurm_chunks.h"
#include "cli/class_zone.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT_WORDS_MAX = 16 };

/* What decides what is seen, besides rubric and seed: the same for all runs of a RESULTS. */
static const struct {
    enum option option;
    const char *name;
    const char *fallback; /* what is meant when it is not given */
} kept_options[] = {
    {OPTION_DEVICE, "device", "auto"},     {OPTION_GPU_MODEL, "gpu-model", ""},
    {OPTION_PRECISE, "precise", ""},       {OPTION_SANDBOX, "sandbox", "auto"},
    {OPTION_COMPILER, "compiler", "auto"},
};

enum { KEPT_OPTIONS = sizeof kept_options / sizeof kept_options[0] };

static const char *list_kept(struct arena *arena, const struct options *options)
{
    const char *list = "";

    for (size_t i = 0; i < KEPT_OPTIONS; i++) {
        const char *value = options->values[kept_options[i].option];
        if (options->given[kept_options[i].option]) {
            list = arena_printf(arena, "%s--%s%s%s\n", list, kept_options[i].name,
                                value[0] == '\0' ? "" : "=", value);
        }
    }
    return list;
}

/* What has to be said again, as it holds for one run alone. */
static const struct repeated {
    enum option option;
    const char *name;
    bool is_of_cluster;
} repeated_options[] = {
    {OPTION_ROSTER, "--roster", false},
    {OPTION_GPUS, "--gpus", false},
    {OPTION_JOBS, "-j", false},
    {OPTION_SLURM_SITE, "--slurm-site", true},
    {OPTION_SLURM_PARTITION, "--slurm-partition", true},
    {OPTION_SLURM_ACCOUNT, "--slurm-account", true},
    {OPTION_SLURM_TIME, "--slurm-time", true},
    {OPTION_SLURM_MEMORY, "--slurm-memory", true},
    {OPTION_SLURM_CHUNK, "--slurm-chunk", true},
};

static const char *list_repeated(struct arena *arena, const struct options *options,
                                 bool is_of_cluster)
{
    const char *list = "";

    for (size_t i = 0; i < sizeof repeated_options / sizeof repeated_options[0]; i++) {
        const struct repeated *repeated = &repeated_options[i];
        if (repeated->is_of_cluster == is_of_cluster && options->given[repeated->option]) {
            list = arena_printf(arena, "%s %s %s", list, repeated->name,
                                shell_word(arena, options->values[repeated->option]));
        }
    }
    return list;
}

const char *batch_request_command(struct arena *arena, const struct batch_request *request,
                                  const char *way)
{
    bool is_of_cluster = strstr(way, "--slurm") != NULL;

    return arena_printf(arena, "%s batch %s -o %s%s%s", locations_command(arena), way,
                        shell_word(arena, request->results), text_or_empty(request->again),
                        is_of_cluster ? text_or_empty(request->slurm_again) : "");
}

/* A file or a folder that must be there, as an absolute path. */
static enum error resolve(struct arena *arena, const char *what, const char *path,
                          const char **out_path, struct diagnostic *diagnostic)
{
    char *resolved = path == NULL ? NULL : realpath(path, NULL);

    if (path != NULL && resolved == NULL) {
        diagnostic_set(diagnostic, BLAME_USAGE, "%s '%s' cannot be opened: %s", what, path,
                       strerror(errno));
        return ERROR_NOT_FOUND;
    }
    *out_path = path == NULL ? NULL : arena_strdup(arena, resolved);
    free(resolved);
    return ERROR_NONE;
}

/* What must be given, and what does not go together. */
static enum error check_words(const struct batch_request *request, struct diagnostic *diagnostic)
{
    const char *trouble = NULL;

    if (request->results == NULL || request->results[0] == '\0') {
        trouble = "batch needs a folder for the results: gpugrade batch SUBMISSIONS -o RESULTS";
    } else if (request->is_chunk && request->slurm.is_wanted) {
        trouble = "RESULTS is a chunk that a task of a cluster grades; name the results folder of "
                  "the whole class";
    } else if (request->submissions == NULL && !request->resume && !request->only_failed &&
               !request->slurm.only_takes) {
        trouble = "batch needs the folder of the submissions: gpugrade batch SUBMISSIONS -o "
                  "RESULTS (with --resume you can leave it out)";
    } else if (request->submissions != NULL && !folder_exists(request->submissions)) {
        trouble = "SUBMISSIONS must be a folder; unpack an export first, or use "
                  "'gpugrade check ARCHIVE' for one submission";
    }
    if (trouble != NULL) {
        diagnostic_set(diagnostic, BLAME_USAGE, "%s", trouble);
        return ERROR_SYNTAX;
    }
    return ERROR_NONE;
}

/* What a cluster has to do with it. */
static void add_company(struct arena *arena, struct batch_request *request)
{
    const char *scratch = getenv("TMPDIR");

    request->scratch = scratch == NULL ? NULL : arena_strdup(arena, scratch);
    request->is_chunk = request->results != NULL && slurm_is_chunk(request->results);
    request->slurm.jobs = request->jobs > 0 ? request->jobs : request->slurm.jobs;
}

enum error batch_request_make(struct arena *arena, const struct options *options,
                              struct batch_request *out_request, struct diagnostic *diagnostic)
{
    struct batch_request request = {
        .results = options->values[OPTION_BATCH_OUTPUT],
        .has_seed = options->given[OPTION_SEED],
        .resume = options->given[OPTION_RESUME],
        .only_failed = options->given[OPTION_ONLY_FAILED],
        .kept = list_kept(arena, options),
        .again = list_repeated(arena, options, false),
        .slurm_again = list_repeated(arena, options, true),
    };
    const char *submissions = options->positional_count > 0 ? options->positional[0] : NULL;
    enum error error = check_request_shared(arena, options, &request.shared, diagnostic);

    if (error == ERROR_NONE) {
        error = options_jobs(options, &request.jobs, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = slurm_site_read(arena, options, &request.slurm, diagnostic);
    }
    if (error == ERROR_NONE) {
        add_company(arena, &request);
    }
    if (error == ERROR_NONE) {
        error = resolve(arena, "the folder", submissions, &request.submissions, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = check_words(&request, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = resolve(arena, "the roster", options->values[OPTION_ROSTER], &request.roster.path,
                        diagnostic);
    }
    if (error == ERROR_NONE) {
        error = zone_read(arena, options->values[OPTION_ZONE], &request.roster.zone, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = resolve(arena, "the rubric", request.shared.rubric_path,
                        &request.shared.rubric_path, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = locations_find(arena, &request.shared.locations, diagnostic);
    }
    if (error == ERROR_NONE) {
        *out_request = request;
    }
    return error;
}

/* Reads `kept` as the command line that it was. */
static enum error parse_kept(struct arena *arena, const char *kept, struct options *out_options,
                             struct diagnostic *diagnostic)
{
    const char *words[KEPT_WORDS_MAX] = {"batch"};
    int count = 1;

    for (const char *at = kept; *at != '\0' && count < KEPT_WORDS_MAX;) {
        size_t length = strcspn(at, "\n");
        words[count++] = arena_strndup(arena, at, length);
        at += length + (at[length] == '\n' ? 1 : 0);
    }
    if (options_parse(count, words, out_options, NULL) != ERROR_NONE) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "the options in the results cannot be read: the store is damaged");
        return ERROR_SYNTAX;
    }
    return ERROR_NONE;
}

static const char *value_of(const struct options *options, size_t kept)
{
    enum option option = kept_options[kept].option;

    return options->given[option] ? options->values[option] : kept_options[kept].fallback;
}

enum error batch_request_resume(struct arena *arena, const struct options *options,
                                const char *kept, struct batch_request *request,
                                struct diagnostic *diagnostic)
{
    struct options before;
    struct options now = *options;
    enum error error = parse_kept(arena, kept, &before, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    for (size_t i = 0; i < KEPT_OPTIONS; i++) {
        enum option option = kept_options[i].option;
        bool differs =
            options->given[option] != before.given[option] && kept_options[i].fallback[0] == '\0';
        if (options->given[option] &&
            (differs || strcmp(value_of(options, i), value_of(&before, i)) != 0)) {
            diagnostic_set(diagnostic, BLAME_USAGE,
                           "--%s cannot change: the results were started with '%s', got '%s'; "
                           "leave the option out, or start new results with another -o",
                           kept_options[i].name, value_of(&before, i), value_of(options, i));
            return ERROR_RANGE;
        }
        now.given[option] = before.given[option];
        now.values[option] = before.values[option];
    }
    struct check_request shared = request->shared;
    error = check_request_shared(arena, &now, &shared, diagnostic);
    if (error == ERROR_NONE) {
        shared.rubric_path = request->shared.rubric_path;
        shared.locations = request->shared.locations;
        shared.seed = request->shared.seed;
        request->shared = shared;
        request->kept = list_kept(arena, &now);
    }
    return error;
}
