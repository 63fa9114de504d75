/* check_request.c: each option in turn, cheap ones first; see check_request.h. */
#include "cli/check_request.h"

#include "base/file.h"
#include "base/near_word.h"
#include "base/rng.h"
#include "base/text.h"
#include "cli/coursework_find.h"
#include "cli/result_file.h"
#include "occupancy/occupancy.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SEED_DIGITS_MAX = 16, GPU_DIGITS_MAX = 4, AGAIN_BYTES_MAX = 200 };

bool seed_parse(const char *text, uint64_t *out_seed)
{
    static const char digits[] = "0123456789abcdef";
    uint64_t seed = 0;

    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        text += 2;
    }
    size_t length = strlen(text);
    if (length == 0 || length > SEED_DIGITS_MAX) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        char c = text[i] >= 'A' && text[i] <= 'F' ? (char)(text[i] - 'A' + 'a') : text[i];
        const char *digit = strchr(digits, c);
        if (digit == NULL) {
            return false;
        }
        seed = (seed << 4) | (uint64_t)(digit - digits);
    }
    *out_seed = seed;
    return true;
}

static const char *value_or(const struct options *options, enum option option,
                            const char *otherwise)
{
    return options->given[option] ? options->values[option] : otherwise;
}

/* Both results need a place, and the page cannot share standard output with the screen. */
static enum error check_results(struct arena *arena, const struct check_request *request,
                                struct diagnostic *diagnostic)
{
    enum error error = ERROR_NONE;

    if (request->json_path != NULL) {
        error = result_file_check(arena, "json", request->json_path, diagnostic);
    }
    if (error == ERROR_NONE && request->html_path != NULL && strcmp(request->html_path, "-") == 0) {
        diagnostic_set(diagnostic, BLAME_USAGE, "--html needs the name of a file, got '-'");
        return ERROR_RANGE;
    }
    if (error == ERROR_NONE && request->html_path != NULL) {
        error = result_file_check(arena, "html", request->html_path, diagnostic);
    }
    return error;
}

/* The submission: a folder or a file that can be read. What the file is shows when it is read. */
static enum error resolve_path(struct arena *arena, struct check_request *request,
                               struct diagnostic *diagnostic)
{
    const char *name = request->name;
    struct stat status;
    bool exists = stat(name, &status) == 0;

    request->is_archive = exists && S_ISREG(status.st_mode);
    if (!exists) {
        diagnostic_set(diagnostic, BLAME_USAGE, "'%s' cannot be opened: %s", name, strerror(errno));
        return ERROR_NOT_FOUND;
    }
    if (!request->is_archive && !S_ISDIR(status.st_mode)) {
        diagnostic_set(diagnostic, BLAME_USAGE,
                       "'%s' is neither a folder nor an archive (zip, tar, tar.gz)", name);
        return ERROR_UNSUPPORTED;
    }
    char *resolved = realpath(name, NULL);
    if (resolved == NULL || access(resolved, request->is_archive ? R_OK : R_OK | X_OK) != 0) {
        diagnostic_set(diagnostic, BLAME_USAGE, "'%s' cannot be read: %s", name, strerror(errno));
        free(resolved);
        return ERROR_IO;
    }
    request->path = arena_strdup(arena, resolved);
    free(resolved);
    return ERROR_NONE;
}

static enum error choose_seed(const struct options *options, uint64_t *out_seed,
                              struct diagnostic *diagnostic)
{
    if (!options->given[OPTION_SEED]) {
        if (!rng_seed_from_system(out_seed)) {
            diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                           "the system provides no random numbers; choose a seed with --seed HEX");
            return ERROR_ENVIRONMENT;
        }
        return ERROR_NONE;
    }
    if (!seed_parse(options->values[OPTION_SEED], out_seed)) {
        diagnostic_set(diagnostic, BLAME_USAGE, "--seed takes 1 to %d hexadecimal digits, got '%s'",
                       SEED_DIGITS_MAX, options->values[OPTION_SEED]);
        return ERROR_RANGE;
    }
    return ERROR_NONE;
}

static enum error check_only(struct arena *arena, const struct check_request *request,
                             const struct rubric *rubric, struct diagnostic *diagnostic)
{
    struct near_word near = near_word_start(request->only != NULL ? request->only : "");
    const char *known = "";

    for (size_t i = 0; request->only != NULL && i < rubric->criterion_count; i++) {
        const struct rubric_criterion *criterion = &rubric->criteria[i];
        if (criterion->hidden && !request->instructor) {
            continue;
        }
        if (strcmp(criterion->id, request->only) == 0) {
            return ERROR_NONE;
        }
        near_word_offer(&near, criterion->id);
        known = arena_printf(arena, "%s%s%s", known, known[0] == '\0' ? "" : ", ", criterion->id);
    }
    if (request->only == NULL) {
        return ERROR_NONE;
    }
    diagnostic_set(diagnostic, BLAME_USAGE, "%s has no criterion '%s'%s it has: %s", rubric->id,
                   request->only, near_word_question(&near, ""), known);
    return ERROR_NOT_FOUND;
}

enum error check_request_take(struct arena *arena, const struct check_request *request,
                              const struct sandbox *sandbox, const char *work_folder,
                              struct intake_files *out_files, const struct rubric **out_rubric,
                              struct diagnostic *diagnostic)
{
    const struct intake_source source = {
        .shown = request->name,
        .path = request->path,
        .sandbox = sandbox,
        .helper_folder = request->locations.helper_folder,
        .work_folder = work_folder,
    };
    enum error error = intake_read(arena, &source, out_files, diagnostic);

    if (error == ERROR_NONE) {
        error = coursework_find(arena, request->locations.root, out_files, request->coursework,
                                request->rubric_path, out_rubric, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = check_only(arena, request, *out_rubric, diagnostic);
    }
    return error;
}

/* What names the rubric, and for whom the report is, can be left out. */
static const char *again_command(struct arena *arena, const struct options *options,
                                 const char *name, bool for_student)
{
    static const struct {
        enum option option;
        const char *name;
        bool is_rubric;
    } repeated[] = {
        {OPTION_COURSEWORK, "coursework", true},
        {OPTION_RUBRIC, "rubric", true},
        {OPTION_DEVICE, "device", false},
        {OPTION_GPU_MODEL, "gpu-model", false},
        {OPTION_GPUS, "gpus", false},
        {OPTION_AS, "as", true},
        {OPTION_SANDBOX, "sandbox", false},
        {OPTION_COMPILER, "compiler", false},
    };
    const char *command = arena_printf(arena, "%s check %s%s", locations_command(arena),
                                       name[0] == '-' ? "./" : "", shell_word(arena, name));

    for (size_t i = 0; i < sizeof repeated / sizeof repeated[0]; i++) {
        if (options->given[repeated[i].option] && !(for_student && repeated[i].is_rubric)) {
            command = arena_printf(arena, "%s --%s %s", command, repeated[i].name,
                                   shell_word(arena, options->values[repeated[i].option]));
        }
    }
    return options->given[OPTION_PRECISE] ? arena_printf(arena, "%s --precise", command) : command;
}

/* What GPUGRADE_AGAIN says; NULL: nothing. It is shown to students, so it is one printable line. */
static enum error read_again(const char **out_given, struct diagnostic *diagnostic)
{
    const char *given = getenv("GPUGRADE_AGAIN");

    if (given == NULL || given[0] == '\0') {
        *out_given = NULL;
        return ERROR_NONE;
    }
    size_t length = strlen(given);
    for (size_t i = 0; i < length && length <= AGAIN_BYTES_MAX; i++) {
        if (given[i] < ' ' || given[i] > '~') {
            length = SIZE_MAX;
        }
    }
    if (length > AGAIN_BYTES_MAX) {
        diagnostic_set(diagnostic, BLAME_USAGE,
                       "GPUGRADE_AGAIN must be a command for students: one line of at most %d "
                       "printable ASCII characters; shorten it, or unset it",
                       AGAIN_BYTES_MAX);
        return ERROR_RANGE;
    }
    *out_given = given;
    return ERROR_NONE;
}

/* The same for other people on other machines: paths, the rubric and how this machine confines
 * programs are not theirs; how it was measured is. */
static const char *given_command(struct arena *arena, const struct options *options,
                                 const char *given)
{
    static const struct {
        enum option option;
        const char *name;
    } repeated[] = {{OPTION_DEVICE, "device"}, {OPTION_GPU_MODEL, "gpu-model"}};
    const char *command = given;

    for (size_t i = 0; i < sizeof repeated / sizeof repeated[0]; i++) {
        if (options->given[repeated[i].option]) {
            command = arena_printf(arena, "%s --%s %s", command, repeated[i].name,
                                   shell_word(arena, options->values[repeated[i].option]));
        }
    }
    return options->given[OPTION_PRECISE] ? arena_printf(arena, "%s --precise", command) : command;
}

/* Sets the name of the submission and the commands that repeat the check. */
static enum error name_again(struct arena *arena, const struct options *options,
                             struct check_request *request, struct diagnostic *diagnostic)
{
    const char *given = NULL;
    enum error error = read_again(&given, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    if (given != NULL) {
        const char *last = strrchr(request->path, '/');
        request->name = last != NULL && last[1] != '\0' ? last + 1 : ".";
        request->again = given_command(arena, options, given);
        request->again_student = NULL;
        return ERROR_NONE;
    }
    request->again = again_command(arena, options, request->name, false);
    request->again_student = again_command(arena, options, request->name, true);
    return ERROR_NONE;
}

static enum device_mode device_of(const char *word)
{
    static const struct {
        const char *word;
        enum device_mode mode;
    } modes[] = {{"emulated", DEVICE_EMULATED}, {"cuda", DEVICE_CUDA}};

    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        if (strcmp(modes[i].word, word) == 0) {
            return modes[i].mode;
        }
    }
    return DEVICE_AUTO;
}

/* A number, or the beginning of a UUID. */
static bool names_gpu(const char *word)
{
    static const char hexadecimal[] = "0123456789abcdefABCDEF-";
    const char *prefix = "GPU-";

    if (word[0] != '\0' && word[strspn(word, "0123456789")] == '\0') {
        return strlen(word) <= GPU_DIGITS_MAX;
    }
    return strncasecmp(word, prefix, strlen(prefix)) == 0 &&
           word[strlen(prefix) + strspn(word + strlen(prefix), hexadecimal)] == '\0';
}

/* Splits the list at its commas. */
static enum error read_gpus(struct arena *arena, const char *list, struct check_request *request,
                            struct diagnostic *diagnostic)
{
    const char **words = NULL;
    size_t capacity = 0;

    for (const char *at = list; at != NULL;) {
        size_t length = strcspn(at, ",");
        const char *word = arena_strndup(arena, at, length);
        if (!names_gpu(word)) {
            diagnostic_set(diagnostic, BLAME_USAGE,
                           "--gpus takes numbers or UUID prefixes, separated by commas; nvidia-smi "
                           "-L prints UUIDs (GPU-6f0c...); got '%s'",
                           list);
            return ERROR_SYNTAX;
        }
        arena_grow(arena, &words, &capacity, request->gpu_count + 1, sizeof *words);
        words[request->gpu_count++] = word;
        at = at[length] == ',' ? at + length + 1 : NULL;
    }
    request->gpus = words;
    return ERROR_NONE;
}

/* What the options say about GPUs, and whether they fit together. */
static enum error choose_devices(struct arena *arena, const struct options *options,
                                 struct check_request *request, struct diagnostic *diagnostic)
{
    request->device = device_of(value_or(options, OPTION_DEVICE, "auto"));
    request->is_precise = options->given[OPTION_PRECISE];
    if (request->device == DEVICE_CUDA && options->given[OPTION_GPU_MODEL]) {
        diagnostic_set(diagnostic, BLAME_USAGE,
                       "--gpu-model is for the emulated device, but --device cuda uses only the "
                       "real GPU; leave one of them out");
        return ERROR_SYNTAX;
    }
    if (request->device == DEVICE_EMULATED && options->given[OPTION_GPUS]) {
        diagnostic_set(
            diagnostic, BLAME_USAGE,
            "--gpus is for real GPUs, but --device emulated uses none; leave one of them out");
        return ERROR_SYNTAX;
    }
    return read_gpus(arena, options->values[OPTION_GPUS], request, diagnostic);
}

static enum sandbox_tier tier_of(const char *word)
{
    static const struct {
        const char *word;
        enum sandbox_tier tier;
    } tiers[] = {{"A", SANDBOX_A}, {"B", SANDBOX_B}, {"C", SANDBOX_C}};

    for (size_t i = 0; i < sizeof tiers / sizeof tiers[0]; i++) {
        if (strcmp(tiers[i].word, word) == 0) {
            return tiers[i].tier;
        }
    }
    return SANDBOX_AUTO;
}

static enum error check_gpu_model(const char *name, struct diagnostic *diagnostic)
{
    struct gpu_model unused;
    enum error error = name == NULL ? ERROR_NONE : gpu_model_find(name, &unused, diagnostic);

    if (error != ERROR_NONE && diagnostic != NULL) {
        diagnostic->blame = BLAME_USAGE;
    }
    return error;
}

enum error check_request_shared(struct arena *arena, const struct options *options,
                                struct check_request *out_request, struct diagnostic *diagnostic)
{
    struct check_request request = {
        .gpu_model = options->values[OPTION_GPU_MODEL],
        .coursework = options->values[OPTION_COURSEWORK],
        .rubric_path = options->values[OPTION_RUBRIC],
        .score_fd = -1,
        .tier = tier_of(value_or(options, OPTION_SANDBOX, "auto")),
        .compiler = compiler_of(options->values[OPTION_COMPILER]),
        .color = value_or(options, OPTION_COLOR, "auto"),
    };
    enum error error = ERROR_NONE;

    if (options->given[OPTION_COURSEWORK] && options->given[OPTION_RUBRIC]) {
        diagnostic_set(diagnostic, BLAME_USAGE,
                       "--coursework and --rubric both choose the rubric; give one of them");
        error = ERROR_SYNTAX;
    }
    if (error == ERROR_NONE) {
        error = choose_devices(arena, options, &request, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = choose_seed(options, &request.seed, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = check_gpu_model(request.gpu_model, diagnostic);
    }
    if (error == ERROR_NONE) {
        *out_request = request;
    }
    return error;
}

enum error check_request_make(struct arena *arena, const struct options *options,
                              struct check_request *out_request, struct diagnostic *diagnostic)
{
    struct check_request request;
    enum error error = check_request_shared(arena, options, &request, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    request.name = options->positional_count > 0 ? options->positional[0] : ".";
    request.only = options->values[OPTION_ONLY];
    request.json_path = options->values[OPTION_JSON];
    request.html_path = options->values[OPTION_HTML];
    request.instructor = strcmp(value_or(options, OPTION_AS, "student"), "instructor") == 0;
    request.verbose = options->given[OPTION_VERBOSE];
    error = resolve_path(arena, &request, diagnostic);
    if (error == ERROR_NONE) {
        error = check_results(arena, &request, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = locations_find(arena, &request.locations, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = name_again(arena, options, &request, diagnostic);
    }
    if (error == ERROR_NONE) {
        *out_request = request;
    }
    return error;
}
