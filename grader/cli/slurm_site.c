/* slurm_site.c: see slurm_site.h. */
#include "cli/slurm_site.h"

#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "cli/k8s_manifest.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { SITE_BYTES_MAX = 1 << 16, OPTIONS_MAX = 64, CHUNK_MAX = 1000000, TASK_JOBS_MAX = 1024 };

static const struct slurm_site cluster_defaults = {.gres = "gpu:1", .jobs = 4};

/* The words of a site, as keys and as options. */
static const struct {
    const char *key;
    enum option option; /* OPTION_COUNT: only a key */
    size_t offset;
} words[] = {
    {"partition", OPTION_SLURM_PARTITION, offsetof(struct slurm_site, partition)},
    {"account", OPTION_SLURM_ACCOUNT, offsetof(struct slurm_site, account)},
    {"time", OPTION_SLURM_TIME, offsetof(struct slurm_site, time)},
    {"memory", OPTION_SLURM_MEMORY, offsetof(struct slurm_site, memory)},
    {"gres", OPTION_COUNT, offsetof(struct slurm_site, gres)},
};

static const struct {
    const char *key;
    size_t offset;
    long long maximum;
} numbers[] = {
    {"chunk", offsetof(struct slurm_site, chunk), CHUNK_MAX},
    {"jobs", offsetof(struct slurm_site, jobs), TASK_JOBS_MAX},
};

/* The options that say something only with --slurm, some of them with --k8s too. */
static const struct {
    enum option option;
    const char *name;
    bool is_for_k8s;
} companions[] = {
    {OPTION_SLURM_SITE, "slurm-site", false},
    {OPTION_SLURM_PARTITION, "slurm-partition", false},
    {OPTION_SLURM_ACCOUNT, "slurm-account", false},
    {OPTION_SLURM_TIME, "slurm-time", false},
    {OPTION_SLURM_MEMORY, "slurm-memory", true},
    {OPTION_SLURM_CHUNK, "slurm-chunk", true},
    {OPTION_NO_SUBMIT, "no-submit", false},
};

/* A word for sbatch: something that can be seen, and no line break. */
static bool is_word(const char *text)
{
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0'; at++) {
        if (*at < ' ' || *at == 0x7f) {
            return false;
        }
    }
    return text[0] != '\0';
}

static const char **word_of(struct slurm_site *site, size_t offset)
{
    return (const char **)(void *)((char *)site + offset);
}

static bool read_word(const cJSON *value, struct arena *arena, struct slurm_site *site)
{
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(value->string, words[i].key) == 0 && cJSON_IsString(value) &&
            is_word(value->valuestring)) {
            *word_of(site, words[i].offset) = arena_strdup(arena, value->valuestring);
            return true;
        }
    }
    return false;
}

static bool read_number(const cJSON *value, struct slurm_site *site)
{
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (strcmp(value->string, numbers[i].key) == 0 && cJSON_IsNumber(value) &&
            value->valuedouble >= 1 && value->valuedouble <= (double)numbers[i].maximum &&
            value->valuedouble == trunc(value->valuedouble)) {
            *(size_t *)(void *)((char *)site + numbers[i].offset) = (size_t)value->valuedouble;
            return true;
        }
    }
    return false;
}

/* "options": words that begin with a dash, each an argument of sbatch. */
static bool read_options(const cJSON *value, struct arena *arena, struct slurm_site *site)
{
    const char **list = arena_array(arena, OPTIONS_MAX, sizeof *list);
    size_t count = 0;
    const cJSON *item;

    if (strcmp(value->string, "options") != 0 || !cJSON_IsArray(value)) {
        return false;
    }
    cJSON_ArrayForEach(item, value)
    {
        if (count == OPTIONS_MAX || !cJSON_IsString(item) || !is_word(item->valuestring) ||
            item->valuestring[0] != '-') {
            return false;
        }
        list[count++] = arena_strdup(arena, item->valuestring);
    }
    site->options = list;
    site->option_count = count;
    return true;
}

static enum error read_members(const struct json_document *document, struct arena *arena,
                               struct slurm_site *site, struct diagnostic *diagnostic)
{
    const cJSON *root = json_root(document);
    const cJSON *member;

    if (!cJSON_IsObject(root)) {
        json_diagnostic(document, root, false, diagnostic,
                        "expected an object such as {\"partition\": \"teaching\"}");
        return ERROR_SYNTAX;
    }
    cJSON_ArrayForEach(member, root)
    {
        if (!read_word(member, arena, site) && !read_number(member, site) &&
            !read_options(member, arena, site)) {
            json_diagnostic(document, member, true, diagnostic,
                            "expected a string for partition, account, time, memory or gres, a "
                            "number of at least 1 for chunk or jobs, or for options a list of "
                            "sbatch options, each starting with '-'");
            return ERROR_RANGE;
        }
    }
    return ERROR_NONE;
}

static enum error read_file(struct arena *arena, const char *path, struct slurm_site *site,
                            struct diagnostic *diagnostic)
{
    struct json_document *document = NULL;
    char *bytes;
    size_t length;

    enum error error =
        file_read(arena, path, SITE_BYTES_MAX, BLAME_USAGE, &bytes, &length, diagnostic);
    if (error == ERROR_NONE) {
        error = json_parse(bytes, length, path, BLAME_USAGE, &document, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = read_members(document, arena, site, diagnostic);
    }
    json_document_free(document);
    return error;
}

/* The command line goes before the file. */
static enum error read_given(const struct options *options, struct slurm_site *site,
                             struct diagnostic *diagnostic)
{
    long long chunk;

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        enum option option = words[i].option;
        if (option == OPTION_COUNT || !options->given[option]) {
            continue;
        }
        if (!is_word(options->values[option])) {
            diagnostic_set(diagnostic, BLAME_USAGE,
                           "--slurm-%s takes one line of text, which must not be empty",
                           words[i].key);
            return ERROR_RANGE;
        }
        *word_of(site, words[i].offset) = options->values[option];
    }
    if (options->given[OPTION_SLURM_CHUNK]) {
        if (!text_to_integer(options->values[OPTION_SLURM_CHUNK], 1, CHUNK_MAX, &chunk)) {
            diagnostic_set(diagnostic, BLAME_USAGE,
                           "--slurm-chunk takes a number from 1 to %d, got '%s'", CHUNK_MAX,
                           options->values[OPTION_SLURM_CHUNK]);
            return ERROR_RANGE;
        }
        site->chunk = (size_t)chunk;
    }
    return ERROR_NONE;
}

/* What says nothing, or something else than is meant. */
static enum error check_company(const struct options *options, struct diagnostic *diagnostic)
{
    bool is_for_k8s = options->given[OPTION_K8S];
    bool is_wanted = options->given[OPTION_SLURM] || is_for_k8s;

    if (options->given[OPTION_SLURM] && is_for_k8s) {
        diagnostic_set(diagnostic, BLAME_USAGE,
                       "--slurm and --k8s are two clusters; leave one of them out");
        return ERROR_SYNTAX;
    }
    for (size_t i = 0; i < sizeof companions / sizeof companions[0]; i++) {
        if (options->given[companions[i].option] &&
            (!is_wanted || (is_for_k8s && !companions[i].is_for_k8s))) {
            diagnostic_set(diagnostic, BLAME_USAGE, "--%s needs --slurm; %s", companions[i].name,
                           is_for_k8s ? "leave it out" : "add it");
            return ERROR_SYNTAX;
        }
    }
    if (is_wanted && options->given[OPTION_SLURM_MERGE]) {
        diagnostic_set(
            diagnostic, BLAME_USAGE,
            "--slurm-merge merges what jobs have graded and starts no jobs; leave out %s",
            is_for_k8s ? "--k8s" : "--slurm");
        return ERROR_SYNTAX;
    }
    if (is_wanted && options->given[OPTION_GPUS]) {
        diagnostic_set(diagnostic, BLAME_USAGE,
                       "--gpus names GPUs of this machine, but each task uses the GPU that the "
                       "cluster gives it; leave --gpus out");
        return ERROR_SYNTAX;
    }
    return ERROR_NONE;
}

enum error slurm_site_read(struct arena *arena, const struct options *options,
                           struct slurm_site *out_site, struct diagnostic *diagnostic)
{
    struct slurm_site site = cluster_defaults;
    enum error error = check_company(options, diagnostic);

    site.is_wanted = options->given[OPTION_SLURM] || options->given[OPTION_K8S];
    site.only_takes = options->given[OPTION_SLURM_MERGE];
    site.only_writes = options->given[OPTION_NO_SUBMIT];
    if (error == ERROR_NONE && options->given[OPTION_SLURM_SITE]) {
        error = read_file(arena, options->values[OPTION_SLURM_SITE], &site, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = read_given(options, &site, diagnostic);
    }
    if (error == ERROR_NONE && options->given[OPTION_K8S]) {
        error = k8s_pod_read(arena, options->values[OPTION_K8S], &site.pod, diagnostic);
    }
    if (error == ERROR_NONE) {
        *out_site = site;
    }
    return error;
}
