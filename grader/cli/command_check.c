/* command_check.c: resolve, then grade in a supervised child that also writes the results; see
 * command_check.h.
 */
#include "cli/command_check.h"

#include "cli/check_request.h"
#include "cli/console.h"
#include "cli/result_file.h"
#include "cli/step_target.h"
#include "cli/supervise.h"
#include "diagnosis/grouping/diagnostics.h"
#include "report/html/report_html.h"
#include "report/report_hints.h"
#include "report/report_student.h"
#include "report/score/report_json.h"
#include "report/terminal/report_terminal.h"
#include "submission/fix_trial.h"
#include "submission/submission.h"
#include "submission/submission_refused.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Sends a stage to the supervisor; if nobody listens, nothing is lost. */
static void send_stage(void *context, const char *stage)
{
    const int *fd = context;
    struct text line;

    text_init(&line);
    text_printf(&line, "%s\n", stage);
    console_write(*fd, &line);
    text_release(&line);
}

/* Only an archive needs the sandbox to be read: what is wrong with a folder is told at once. */
static enum error take_submission(const struct check_request *request, struct arena *arena,
                                  struct sandbox *out_sandbox, struct intake_files *out_files,
                                  const struct rubric **out_rubric, struct diagnostic *diagnostic)
{
    enum error error = ERROR_NONE;

    if (request->is_archive) {
        error = locations_sandbox(&request->locations, request->tier, out_sandbox, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = check_request_take(arena, request, out_sandbox, getenv("TMPDIR"), out_files,
                                   out_rubric, diagnostic);
    }
    if (error == ERROR_NONE && !request->is_archive) {
        error = locations_sandbox(&request->locations, request->tier, out_sandbox, diagnostic);
    }
    return error;
}

/* What the supervised child is to do. */
struct check {
    const struct check_request *request;
    struct oracle_watch *watch;
    struct grader_bounds *bounds;
    enum code refused; /* the first attempt reached a bound: this is reported; CODE_NONE: it is the
                          first */
};

/* Nothing that is hidden is replayed, nor anything where the rubric shows no findings. */
static enum error allow_steps(struct arena *arena, struct submission_config *config,
                              struct diagnostic *diagnostic)
{
    struct rubric *visible = arena_alloc(arena, sizeof *visible);

    *visible = rubric_public_view(config->rubric);
    config->rubric = visible;
    if (visible->hints == HINTS_NONE) {
        diagnostic_set(diagnostic, BLAME_USAGE,
                       "this coursework shows no hints, so no block of it can be replayed");
        return ERROR_UNSUPPORTED;
    }
    return ERROR_NONE;
}

static enum error grade(const struct check *check, int stage_fd, struct arena *arena,
                        struct report *out_report, struct diagnostic *diagnostic)
{
    const struct check_request *request = check->request;
    struct sandbox sandbox;
    struct toolchain toolchain;
    struct intake_files files;
    struct submission_config config = {
        .toolchain = &toolchain,
        .device_path = request->locations.device_path,
        .device = request->device,
        .gpu_model = request->gpu_model,
        .gpus = request->gpus,
        .gpu_count = request->gpu_count,
        .is_precise = request->is_precise,
        .seed = request->seed,
        .only = request->only,
        .name = request->name,
        .again = request->again,
        .again_student = request->again_student,
        .steps = request->step == NULL ? NULL : &request->step->request,
        .for_instructor = request->instructor,
        .progress = send_stage,
        .progress_context = &stage_fd,
    };
    enum error error =
        take_submission(request, arena, &sandbox, &files, &config.rubric, diagnostic);

    if (error == ERROR_NONE && request->step != NULL) {
        error = allow_steps(arena, &config, diagnostic);
    }
    if (error == ERROR_NONE) {
        const struct toolchain_setup setup =
            locations_toolchain(&request->locations, request->compiler, &sandbox);
        error = toolchain_init(&setup, &toolchain, diagnostic);
    }
    if (error == ERROR_NONE) {
        toolchain.oracle_watch = check->watch;
    }
    if (error != ERROR_NONE) {
        return error;
    }
    if (check->refused != CODE_NONE) {
        submission_refuse(&config, &files, check->refused, arena, out_report);
        return ERROR_NONE;
    }
    const struct limits limits = fix_trial_limits(config.rubric);
    grader_bounds_enter(check->bounds, &limits, check->watch);
    return submission_grade(&config, &files, arena, out_report, diagnostic);
}

/* 0, 1, 3 or 4, as the design says; skipped and open criteria do not count against a submission. */
static enum exit_status status_of(const struct report *report)
{
    enum exit_status status = EXIT_PASSED;
    bool judged = false;

    for (size_t i = 0; i < report->verdict_count; i++) {
        enum status verdict = report->verdicts[i].status;
        if (verdict == STATUS_ERROR) {
            return EXIT_GRADER;
        }
        if (verdict == STATUS_FAILED || verdict == STATUS_PARTIAL) {
            status = EXIT_SOME_FAILED;
        }
        judged = judged || (verdict != STATUS_SKIPPED && verdict != STATUS_OPEN);
    }
    return judged ? status : EXIT_NOTHING_GRADED;
}

/* Writes the score, the page and the screen; false if one of them could not be stored. All of them
 * are made before the first is written: a grader that reaches a bound has written nothing. */
static bool write_results(const struct check_request *request, const struct report *report)
{
    bool json_on_stdout = request->json_path != NULL && strcmp(request->json_path, "-") == 0;
    int screen_fd = json_on_stdout ? STDERR_FILENO : STDOUT_FILENO;
    struct terminal_style style = {
        .color = console_color(screen_fd, request->color),
        .columns = console_columns(screen_fd),
        .verbose = request->verbose,
    };
    bool written = true;
    struct text json, html, screen;

    text_init(&json);
    text_init(&html);
    text_init(&screen);
    if (request->json_path != NULL || request->score_fd >= 0) {
        report_json(report, &json);
    }
    if (request->html_path != NULL) {
        report_html(report, &html);
    }
    report_terminal(report, &style, &screen);
    if (request->json_path != NULL) {
        written = result_file_write(request->json_path, &json);
    }
    if (request->score_fd >= 0) {
        written = console_write(request->score_fd, &json) && written;
    }
    if (request->html_path != NULL) {
        written = result_file_write(request->html_path, &html) && written;
    }
    if (!console_write(screen_fd, &screen)) {
        console_complain("environment: the report cannot be written: %s", strerror(errno));
        written = false;
    }
    text_release(&json);
    text_release(&html);
    text_release(&screen);
    return written;
}

/* Writes the page on a block, and the HTML report beside it; if there is no page, the report says
 * what is wrong. */
static int write_steps(const struct check_request *request, struct report *report)
{
    struct text html;
    bool written = true;

    if (report->steps == NULL) {
        if (!step_target_is_chosen(request->step)) {
            write_results(request, report);
        }
        step_target_write(request->step, report, STDOUT_FILENO);
        return EXIT_SOME_FAILED;
    }
    report->step_page = request->step->link;
    if (request->html_path != NULL) {
        text_init(&html);
        report_html(report, &html);
        written = result_file_write(request->html_path, &html);
        text_release(&html);
    }
    return step_target_write(request->step, report, STDOUT_FILENO) && written ? EXIT_PASSED
                                                                              : EXIT_GRADER;
}

/* The task of the supervised child. */
static int grade_and_write(void *context, int stage_fd)
{
    const struct check *check = context;
    const struct check_request *request = check->request;
    struct arena *arena = arena_new();
    struct diagnostic diagnostic = {.blame = BLAME_GRADER};
    struct report full, shown;
    int status;

    if (grade(check, stage_fd, arena, &full, &diagnostic) != ERROR_NONE) {
        status = (int)console_report(&diagnostic);
    } else {
        shown = full;
        if (!request->instructor) {
            report_for_student(&full, arena, &shown);
            report_apply_hints(&shown, shown.rubric->hints, arena, &shown);
        }
        diagnostics_make(&shown, arena);
        status = request->step != NULL            ? write_steps(request, &shown)
                 : write_results(request, &shown) ? (int)status_of(&shown)
                                                  : EXIT_GRADER;
    }
    arena_free(arena);
    return status;
}

int command_check_request(const struct check_request *request)
{
    struct check check = {
        .request = request,
        .watch = oracle_watch_new(ORACLE_LIMIT_MS),
        .bounds = grader_bounds_new(),
    };
    int status = supervise(grade_and_write, &check, check.watch, check.bounds);

    check.refused = grader_bounds_code(check.bounds);
    if (check.refused != CODE_NONE) {
        status = supervise(grade_and_write, &check, check.watch, NULL);
    }
    grader_bounds_free(check.bounds);
    oracle_watch_free(check.watch);
    return status;
}

int command_check(const struct options *options)
{
    struct arena *arena = arena_new();
    struct check_request request;
    struct diagnostic diagnostic = {.blame = BLAME_GRADER};
    int status;

    if (check_request_make(arena, options, &request, &diagnostic) != ERROR_NONE) {
        status = (int)console_report(&diagnostic);
    } else {
        status = command_check_request(&request);
    }
    arena_free(arena);
    return status;
}
