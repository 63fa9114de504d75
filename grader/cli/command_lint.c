/* command_lint.c: see command_lint.h.
 *
 *   rubric --rubric_load--> review (here) --> jobs (lint_pool): oracle, solution, template,
 *   cheats, fixtures
 *
 * A rubric that does not load is a FAIL like any other, and the next one is looked at.
 */
#include "cli/command_lint.h"

#include "base/machine_cores.h"
#include "base/text.h"
#include "cli/batch_machine.h"
#include "cli/check_request.h"
#include "cli/console.h"
#include "cli/coursework_find.h"
#include "cli/lint_pool.h"
#include "cli/supervise.h"
#include "coursework/cheats.h"
#include "coursework/fixture.h"
#include "coursework/review.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* What a rubric's fixtures expect may depend on the cases: those of tests/submissions/run.sh. */
static const uint64_t usual_seed = 0x5eed1234;

/* How far it goes. */
enum depth { DEPTH_RUBRIC, DEPTH_SOLUTION, DEPTH_FIXTURES };

struct lint {
    const struct options *options;
    struct locations locations;
    enum sandbox_tier tier;
    enum compiler_kind compiler;
    enum device_mode device;
    enum depth depth;
    uint64_t seed;
    size_t at_once;
    struct arena *arena;
    struct lint_totals totals;
    bool is_cut; /* a line could not be printed */
};

static size_t choice_of(const char *word, const char *const *choices, size_t count,
                        size_t otherwise)
{
    for (size_t i = 0; word != NULL && i < count; i++) {
        if (strcmp(word, choices[i]) == 0) {
            return i;
        }
    }
    return otherwise;
}

static enum error read_options(struct lint *lint, struct diagnostic *diagnostic)
{
    static const char *const depths[] = {"rubric", "solution", "fixtures"};
    static const char *const tiers[] = {"A", "B", "C"};
    static const enum sandbox_tier tier_values[] = {SANDBOX_A, SANDBOX_B, SANDBOX_C, SANDBOX_AUTO};
    const struct options *options = lint->options;
    const char *device = options->values[OPTION_LINT_DEVICE];

    if (options->positional_count == 0) {
        diagnostic_set(diagnostic, BLAME_USAGE,
                       "lint needs rubrics or coursework ids: gpugrade lint RUBRIC.json");
        return ERROR_SYNTAX;
    }
    lint->depth = (enum depth)choice_of(options->values[OPTION_DEPTH], depths, 3, DEPTH_FIXTURES);
    lint->tier = tier_values[choice_of(options->values[OPTION_SANDBOX], tiers, 3, 3)];
    lint->compiler = compiler_of(options->values[OPTION_COMPILER]);
    lint->device = device != NULL && strcmp(device, "auto") == 0 ? DEVICE_AUTO : DEVICE_EMULATED;
    lint->seed = usual_seed;
    if (options->given[OPTION_LINT_SEED] &&
        !seed_parse(options->values[OPTION_LINT_SEED], &lint->seed)) {
        diagnostic_set(diagnostic, BLAME_USAGE, "--seed takes 1 to 16 hexadecimal digits, got '%s'",
                       options->values[OPTION_LINT_SEED]);
        return ERROR_SYNTAX;
    }
    enum error error = options_jobs(options, &lint->at_once, diagnostic);
    lint->at_once = lint->at_once == 0 ? machine_jobs() : lint->at_once;
    return error != ERROR_NONE ? error : locations_find(lint->arena, &lint->locations, diagnostic);
}

/* Prints lines and counts them. */
static void print(struct lint *lint, const struct text *lines)
{
    lint->is_cut = !lint_print(lines, &lint->totals) || lint->is_cut;
}

/* A rubric that cannot be used is what is wrong with the coursework. */
static void say_refused(struct lint *lint, const char *word, const struct diagnostic *diagnostic)
{
    bool is_ours = diagnostic->blame == BLAME_ENVIRONMENT || diagnostic->blame == BLAME_GRADER;
    struct text lines, printable;

    text_init(&lines);
    text_init(&printable);
    text_printf(&lines, "%-5s rubric: ", is_ours ? "ERROR" : "FAIL");
    if (diagnostic->file[0] != '\0') {
        text_printf(&lines, "%s:", diagnostic->file);
        if (diagnostic->line > 0) {
            text_printf(&lines, "%d:%d:", diagnostic->line, diagnostic->column);
        }
        text_append_char(&lines, ' ');
    } else if (strstr(diagnostic->message, word) == NULL) {
        text_printf(&lines, "%s: ", word);
    }
    text_printf(&lines, "%s\n", diagnostic->message);
    text_append_printable(&printable, lines.bytes, lines.length, true);
    print(lint, &printable);
    text_release(&printable);
    text_release(&lines);
}

/* A word with a slash or an ending is a file, all others are ids. */
static enum error load(struct lint *lint, const char *word, const struct rubric **out_rubric,
                       struct diagnostic *diagnostic)
{
    bool is_file = strchr(word, '/') != NULL || text_ends_with(word, ".json");

    return coursework_load(lint->arena, lint->locations.root, is_file ? NULL : word,
                           is_file ? word : NULL, out_rubric, diagnostic);
}

/* What can be said here and now. */
static void review(struct lint *lint, const struct rubric *rubric)
{
    struct text lines;

    text_init(&lines);
    struct review review = {.arena = lint->arena, .out = &lines, .seed = lint->seed};
    review_rubric(&review, rubric);
    review_files(&review, rubric);
    if (lint->depth == DEPTH_FIXTURES) {
        review_fixtures(&review, rubric);
    }
    print(lint, &lines);
    text_release(&lines);
}

/* Lists what is to be tried. */
static enum error list_jobs(struct lint *lint, const struct rubric *rubric,
                            struct lint_job **out_jobs, size_t *out_count,
                            struct diagnostic *diagnostic)
{
    const char *const *names = NULL;
    size_t fixtures = 0, count = 0;
    enum error error = fixtures_list(lint->arena, rubric, &names, &fixtures, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    fixtures = lint->depth == DEPTH_FIXTURES ? fixtures : 0;
    size_t cheats = lint->depth == DEPTH_FIXTURES && cheats_fit(rubric) ? CHEAT_COUNT + 1 : 0;
    struct lint_job *jobs = arena_array(lint->arena, fixtures + cheats + 3, sizeof *jobs);
    jobs[count++] = (struct lint_job){LINT_ORACLE, rubric, "oracle", 0};
    if (lint->depth >= DEPTH_SOLUTION) {
        jobs[count++] = (struct lint_job){LINT_SOLUTION, rubric, "solution", 0};
        jobs[count++] = (struct lint_job){LINT_TEMPLATE, rubric, "template", 0};
    }
    for (size_t i = 0; i < cheats; i++) {
        const char *words = i < CHEAT_COUNT ? cheat_words[i] : "one thread does all";
        jobs[count++] = (struct lint_job){LINT_CHEAT, rubric,
                                          arena_printf(lint->arena, "cheat \"%s\"", words), i + 1};
    }
    for (size_t i = 0; i < fixtures; i++) {
        jobs[count++] = (struct lint_job){LINT_FIXTURE, rubric, names[i], 0};
    }
    *out_jobs = jobs;
    *out_count = count;
    return ERROR_NONE;
}

static void say_title(struct lint *lint, const struct rubric *rubric)
{
    struct text line;

    text_init(&line);
    text_printf(&line, "%s, rubric %lld: ", rubric->id, (long long)rubric->version);
    text_append_printable(&line, rubric->title, strlen(rubric->title), false);
    text_append_char(&line, '\n');
    print(lint, &line);
    text_release(&line);
}

/* Does all that one rubric asks for. */
static void lint_one(struct lint *lint, const struct toolchain *toolchain, const char *word)
{
    struct diagnostic diagnostic = {.blame = BLAME_GRADER};
    const struct rubric *rubric = NULL;
    struct lint_job *jobs = NULL;
    size_t count = 0, failed = lint->totals.failed;

    if (load(lint, word, &rubric, &diagnostic) != ERROR_NONE) {
        say_refused(lint, word, &diagnostic);
        return;
    }
    say_title(lint, rubric);
    review(lint, rubric);
    if (lint->totals.failed > failed) {
        return; /* what follows would only say it again */
    }
    if (list_jobs(lint, rubric, &jobs, &count, &diagnostic) != ERROR_NONE) {
        say_refused(lint, word, &diagnostic);
        return;
    }
    size_t at_once = lint->at_once < count ? lint->at_once : count;
    const struct lint_setting setting = {
        .locations = &lint->locations,
        .toolchain = toolchain,
        .device = lint->device,
        .seed = lint->seed,
        .threads = (uint32_t)((machine_cores() + at_once - 1) / at_once),
    };
    lint->is_cut = !lint_pool_run(&setting, jobs, count, at_once, &lint->totals) || lint->is_cut;
}

static int status_of(const struct lint *lint)
{
    if (lint->totals.has_error || lint->is_cut) {
        return EXIT_GRADER;
    }
    return lint->totals.failed > 0 ? EXIT_SOME_FAILED : EXIT_PASSED;
}

/* The task of the supervised child. */
static int lint_all(void *context, int stage_fd)
{
    struct diagnostic diagnostic = {.blame = BLAME_GRADER};
    struct lint *lint = context;
    struct toolchain toolchain;
    struct sandbox sandbox;
    struct text line;

    close(stage_fd);
    const struct toolchain_setup setup =
        locations_toolchain(&lint->locations, lint->compiler, &sandbox);
    if (locations_sandbox(&lint->locations, lint->tier, &sandbox, &diagnostic) != ERROR_NONE ||
        toolchain_init(&setup, &toolchain, &diagnostic) != ERROR_NONE) {
        return (int)console_report(&diagnostic);
    }
    for (size_t i = 0; i < lint->options->positional_count; i++) {
        lint_one(lint, &toolchain, lint->options->positional[i]);
    }
    text_init(&line);
    text_printf(&line, "%zu passed, %zu failed, 0 skipped\n", lint->totals.passed,
                lint->totals.failed);
    print(lint, &line);
    text_release(&line);
    if (lint->is_cut) {
        console_complain("environment: the results cannot be written: %s", strerror(errno));
    }
    return status_of(lint);
}

int command_lint(const struct options *options)
{
    struct diagnostic diagnostic = {.blame = BLAME_GRADER};
    struct lint lint = {.options = options, .arena = arena_new()};
    enum error error = read_options(&lint, &diagnostic);
    int status = error == ERROR_NONE ? supervise(lint_all, &lint, NULL, NULL)
                                     : (int)console_report(&diagnostic);

    arena_free(lint.arena);
    return status;
}
