/* run_fixes.c: see run_fixes.h. */
#include "cli/run_fixes.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/process.h"
#include "diagnosis/fixes/fix_candidates.h"
#include "source/source_edit.h"
#include "source/source_index.h"

#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#define TRIAL_NS_MAX (60 * (uint64_t)CLOCK_NS_PER_S)

enum { OUTPUT_BYTES_MAX = 1 << 20 };

struct trials {
    const struct run_request *request;
    struct arena *arena;
    const char *folder; /* of the copies */
    int signal_fd;
    const struct source_file *source; /* what is changed */
};

/* What one run of a copy gave. */
struct trial_result {
    bool ran;
    bool is_well; /* it ended with status 0 */
    const char *printed;
    size_t counts[CODE_COUNT]; /* findings of each code */
};

/* The user's environment; headers beside the source are found from the copy too. */
static const char *const *trial_environment(const struct trials *trials)
{
    const char *path = trials->request->path;
    const char *old = "";
    size_t count = 0;
    size_t kept = 0;

    while (environ[count] != NULL) {
        count++;
    }
    const char **entries = arena_array(trials->arena, count + 2, sizeof *entries);
    for (size_t i = 0; i < count; i++) {
        bool is_path = strncmp(environ[i], "CPATH=", 6) == 0;
        old = is_path ? environ[i] + 6 : old;
        entries[kept] = environ[i];
        kept += is_path ? 0 : 1;
    }
    entries[kept] = arena_printf(trials->arena, "CPATH=%.*s.%s%s", (int)(path_name(path) - path),
                                 path, old[0] == '\0' ? "" : ":", old);
    return entries;
}

/* The command that runs the copy. */
static const char *const *trial_arguments(const struct trials *trials, const char *copy,
                                          const char *json)
{
    const struct run_request *request = trials->request;
    const char *const compilers[] = {
        [COMPILER_AUTO] = "auto", [COMPILER_NVCC] = "nvcc", [COMPILER_CLANG] = "clang"};
    const char **arguments =
        arena_array(trials->arena, request->argument_count + 16, sizeof *arguments);
    size_t count = 0;

    arguments[count++] = "gpugrade";
    arguments[count++] = "run";
    arguments[count++] = "--json";
    arguments[count++] = json;
    arguments[count++] = "--compiler";
    arguments[count++] = compilers[request->compiler];
    arguments[count++] = "--gpu-model";
    arguments[count++] = request->model.name;
    arguments[count++] = "--seed";
    arguments[count++] = arena_printf(trials->arena, "%llx", (unsigned long long)request->seed);
    arguments[count++] = "--launch-work";
    arguments[count++] =
        arena_printf(trials->arena, "%llu", (unsigned long long)(request->launch_work / 1000000));
    if (!request->checks_global_memory) {
        arguments[count++] = "--no-global-checks";
    }
    arguments[count++] = copy;
    for (size_t i = 0; i < request->argument_count; i++) {
        arguments[count++] = request->arguments[i];
    }
    return arguments;
}

/* Reads the findings that a run has written; false if it has written none. */
static bool read_findings(const struct trials *trials, const char *path,
                          struct trial_result *result)
{
    struct diagnostic unused = {.message = ""};
    struct json_document *document = NULL;
    char *bytes;
    size_t length;

    if (file_read(trials->arena, path, (size_t)8 << 20, BLAME_GRADER, &bytes, &length, &unused) !=
            ERROR_NONE ||
        json_parse(bytes, length, path, BLAME_GRADER, &document, &unused) != ERROR_NONE) {
        return false;
    }
    const cJSON *finding = NULL;
    const cJSON *findings = cJSON_GetObjectItemCaseSensitive(json_root(document), "findings");
    const cJSON *status = cJSON_GetObjectItemCaseSensitive(json_root(document), "exit_status");
    result->is_well = cJSON_IsNumber(status) && status->valueint == 0;
    cJSON_ArrayForEach(finding, findings)
    {
        const char *code = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(finding, "code"));
        for (int i = 0; i < CODE_COUNT && code != NULL; i++) {
            if (strcmp(code_id((enum code)i), code) == 0 ||
                strcmp(code_name((enum code)i), code) == 0) {
                result->counts[i]++;
                break;
            }
        }
    }
    json_document_free(document);
    return true;
}

/* Builds and runs the source with a change, or as it is if `change` is NULL. */
static struct trial_result run_copy(const struct trials *trials, const struct line_fixes *change)
{
    const char *copy =
        arena_printf(trials->arena, "%s/%s", trials->folder, path_name(trials->request->path));
    const char *json = arena_printf(trials->arena, "%s/result.json", trials->folder);
    const char *output = arena_printf(trials->arena, "%s/output.txt", trials->folder);
    struct diagnostic unused = {.message = ""};
    struct trial_result result = {.ran = false};
    const char *text = trials->source->text;
    size_t length = trials->source->length;
    struct process process;
    char *printed;
    int status = 0;

    if (change != NULL) {
        text = line_fixes_apply(trials->arena, change, trials->source, &length);
    }
    (void)unlink(json);
    if (text == NULL || file_write_atomic(copy, text, length, &unused) != ERROR_NONE) {
        return result;
    }
    int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int out = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    int quiet = open("/dev/null", O_WRONLY | O_CLOEXEC);
    const struct process_spec spec = {
        .path = "/proc/self/exe",
        .arguments = trial_arguments(trials, copy, json),
        .environment = trial_environment(trials),
        .descriptors = {in, out, quiet},
        .descriptor_count = 3,
        .own_group = true,
    };
    bool is_started =
        in >= 0 && out >= 0 && quiet >= 0 && process_start(&spec, &process, &unused) == ERROR_NONE;
    if (is_started && process_wait(&process, clock_now_ns() + TRIAL_NS_MAX, &status)) {
        result.ran = read_findings(trials, json, &result) &&
                     file_read(trials->arena, output, OUTPUT_BYTES_MAX, BLAME_USAGE, &printed,
                               &length, &unused) == ERROR_NONE;
        result.printed = result.ran ? printed : "";
    } else if (is_started) {
        process_kill(&process, true);
    }
    descriptor_close(&in);
    descriptor_close(&out);
    descriptor_close(&quiet);
    return result;
}

static bool is_of_number(char c)
{
    return c != '\0' && strchr("0123456789.+-eEinfa", c) != NULL;
}

/* True if two texts are the same but for what numbers consist of. */
static bool same_words(const char *left, const char *right)
{
    while (*left != '\0' || *right != '\0') {
        if (is_of_number(*left)) {
            left++;
        } else if (is_of_number(*right)) {
            right++;
        } else if (*left != *right) {
            return false;
        } else {
            left++;
            right++;
        }
    }
    return true;
}

static bool is_right(enum code code, const struct trial_result *before,
                     const struct trial_result *after)
{
    if (!after->ran || !after->is_well || after->counts[code] >= before->counts[code]) {
        return false;
    }
    for (int i = 0; i < CODE_COUNT; i++) {
        if (after->counts[i] > before->counts[i]) {
            return false;
        }
    }
    return same_words(before->printed, after->printed);
}

static bool is_interrupted(const struct trials *trials)
{
    struct pollfd waiting = {.fd = trials->signal_fd, .events = POLLIN};

    return poll(&waiting, 1, 0) > 0;
}

/* The source of the program among those that findings name; NULL: none is it. */
static const struct source_file *own_source(const struct run_request *request,
                                            const struct report *report)
{
    for (size_t i = 0; i < report->source_count; i++) {
        if (strcmp(path_name(report->sources[i].name), path_name(request->path)) == 0) {
            return &report->sources[i];
        }
    }
    return NULL;
}

void run_fixes_try(const struct run_request *request, struct arena *arena, const char *work_folder,
                   int signal_fd, struct report *report)
{
    struct diagnostic unused = {.message = ""};
    struct trials trials = {request, arena, arena_printf(arena, "%s/fix", work_folder), signal_fd,
                            own_source(request, report)};
    struct report_diagnostic *diagnostics =
        arena_array(arena, report->diagnostic_count + 1, sizeof *diagnostics);
    size_t spent = 0;

    if (trials.source == NULL || report->diagnostic_count == 0 ||
        folder_make(trials.folder, 0700, &unused) != ERROR_NONE) {
        return;
    }
    const char *const names[] = {trials.source->name};
    const struct rubric_program program = {.id = "", .sources = names, .source_count = 1};
    const struct rubric rubric = {.programs = &program, .program_count = 1};
    const struct criteria_input input = {
        .rubric = &rubric,
        .sources = report->sources,
        .source_count = report->source_count,
        .index = source_index_new(arena, report->sources, report->source_count),
    };
    const struct trial_result before = run_copy(&trials, NULL);
    memcpy(diagnostics, report->diagnostics, report->diagnostic_count * sizeof *diagnostics);
    for (size_t i = 0; i < report->diagnostic_count && before.ran; i++) {
        const struct fix_request wanted = {&input, report, &diagnostics[i]};
        struct line_fixes *candidates = arena_array(arena, FIX_CANDIDATES_MAX, sizeof *candidates);
        size_t count = fix_candidates_make(&wanted, arena, candidates, FIX_CANDIDATES_MAX);
        for (size_t j = 0; j < count && spent < RUN_FIX_TRIALS_MAX && !is_interrupted(&trials);
             j++, spent++) {
            const struct trial_result after = run_copy(&trials, &candidates[j]);
            if (is_right(diagnostics[i].code, &before, &after)) {
                diagnostics[i].fixes = candidates[j].lines;
                diagnostics[i].fix_count = candidates[j].count;
                break;
            }
        }
    }
    report->diagnostics = diagnostics;
}
