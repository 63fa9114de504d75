/* batch_grading.c: see batch_grading.h. */
#include "cli/batch_grading.h"

#include "base/file.h"
#include "batch/batch_outcome.h"
#include "batch/loose_files.h"
#include "cli/console.h"
#include "cli/coursework_find.h"
#include "cli/supervise.h"
#include "report/score/report_archive.h"
#include "submission/fix_trial.h"
#include "submission/intake.h"
#include "submission/submission_refused.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ERRORS_BYTES_MAX = 4096 };

/* What messages call every submission: its files may be those of several students. */
static const char shown_name[] = "the submission";

/* One grading. */
struct work {
    const struct batch_grading *grading;
    const struct store_task *task;
    int fd;
    struct oracle_watch *watch;
    struct grader_bounds *bounds;
    enum code refused; /* the first attempt reached a bound: this is reported; CODE_NONE: it is the
                          first */
};

/* The names of all sources of the coursework, and NULL. */
static const char *const *list_sources(struct arena *arena, const struct rubric *rubric)
{
    const char **names = NULL;
    size_t capacity = 0, count = 0;

    for (size_t i = 0; i < rubric->program_count; i++) {
        const struct rubric_program *program = &rubric->programs[i];
        arena_grow(arena, &names, &capacity, count + program->source_count + 1, sizeof *names);
        for (size_t j = 0; j < program->source_count; j++) {
            names[count++] = program->sources[j];
        }
        names[count] = NULL;
    }
    return names;
}

/* Reads what was handed in. *out_is_lost: it could not be read by no fault of its own. */
static enum error take(const struct work *work, struct arena *arena, struct intake_files *out_files,
                       bool *out_is_lost, struct diagnostic *diagnostic)
{
    const struct batch_grading *grading = work->grading;
    const struct rubric *rubric = grading->config.rubric;
    const char *work_folder = getenv("TMPDIR");
    struct intake_source source = {
        .shown = shown_name,
        .path = work->task->path,
        .sandbox = grading->sandbox,
        .helper_folder = grading->locations->helper_folder,
        .work_folder = work_folder,
    };
    enum error error = ERROR_NONE;

    if (loose_files_is(source.path)) {
        source.path = arena_printf(arena, "%s/loose", work_folder);
        error = folder_make(source.path, 0700, diagnostic);
        if (error == ERROR_NONE) {
            error = loose_files_place(arena, work->task->path, source.path,
                                      list_sources(arena, rubric), diagnostic);
        }
    }
    if (error == ERROR_NONE) {
        error = intake_read(arena, &source, out_files, diagnostic);
    }
    if (error == ERROR_NONE) {
        coursework_enter(arena, rubric, out_files);
    }
    *out_is_lost = error == ERROR_IO || error == ERROR_NOT_FOUND;
    return error;
}

/* Whose fault it is that there is no report. */
static enum outcome_kind kind_of(const struct diagnostic *diagnostic)
{
    return diagnostic->blame == BLAME_STUDENT || diagnostic->blame == BLAME_USAGE ? OUTCOME_NOTHING
                                                                                  : OUTCOME_TROUBLE;
}

static bool send_failure(const struct work *work, struct arena *arena, struct outcome *outcome,
                         const struct diagnostic *diagnostic)
{
    const char *blame = outcome->kind == OUTCOME_TROUBLE ? blame_text(diagnostic->blame) : "";
    bool is_other = diagnostic->file[0] != '\0' && strcmp(diagnostic->file, shown_name) != 0;

    outcome->message =
        arena_printf(arena, "%s%s%s%s%s", blame, blame[0] == '\0' ? "" : ": ",
                     is_other ? diagnostic->file : "", is_other ? ": " : "", diagnostic->message);
    return outcome_send(work->fd, outcome);
}

static bool send_report(const struct work *work, const struct report *report,
                        struct outcome *outcome)
{
    struct text archive;

    text_init(&archive);
    report_archive_write(report, &archive);
    outcome->kind = OUTCOME_GRADED;
    outcome->archive = archive.bytes;
    outcome->archive_length = archive.length;
    bool sent = outcome_send(work->fd, outcome);
    text_release(&archive);
    return sent;
}

/* False if the batch is gone. */
static bool grade(const struct work *work, struct arena *arena)
{
    struct submission_config config = work->grading->config;
    struct toolchain toolchain = *config.toolchain;
    struct diagnostic diagnostic = {.blame = BLAME_GRADER};
    struct outcome outcome = {.message = ""};
    struct intake_files files;
    struct report report;
    bool is_lost = false;

    if (take(work, arena, &files, &is_lost, &diagnostic) != ERROR_NONE) {
        outcome.kind = is_lost ? OUTCOME_TROUBLE : kind_of(&diagnostic);
        return send_failure(work, arena, &outcome, &diagnostic);
    }
    intake_hash(&files, outcome.content);
    if (work->refused == CODE_NONE && !outcome_ask(work->fd, outcome.content)) {
        return true; /* known, or nobody wants to know */
    }
    toolchain.oracle_watch = work->watch;
    config.toolchain = &toolchain;
    config.name = ".";
    config.again = "gpugrade check .";
    if (work->refused != CODE_NONE) { /* the first attempt has asked */
        submission_refuse(&config, &files, work->refused, arena, &report);
        return send_report(work, &report, &outcome);
    }
    const struct limits limits = fix_trial_limits(config.rubric);
    grader_bounds_enter(work->bounds, &limits, work->watch);
    if (submission_grade(&config, &files, arena, &report, &diagnostic) != ERROR_NONE) {
        outcome.kind = kind_of(&diagnostic);
        return send_failure(work, arena, &outcome, &diagnostic);
    }
    return send_report(work, &report, &outcome);
}

/* The task of the supervised child. */
static int grade_and_send(void *context, int stage_fd)
{
    struct arena *arena = arena_new();
    bool sent = grade(context, arena);

    close(stage_fd);
    arena_free(arena);
    return sent ? EXIT_PASSED : EXIT_GRADER;
}

/* The last line that was written to standard error, which is a file in memory here. */
static const char *last_line(struct arena *arena, int fd)
{
    char bytes[ERRORS_BYTES_MAX];
    off_t end = lseek(fd, 0, SEEK_END);
    off_t start = end > ERRORS_BYTES_MAX ? end - ERRORS_BYTES_MAX : 0;
    ssize_t length = pread(fd, bytes, sizeof bytes, start);

    while (length > 0 && bytes[length - 1] == '\n') {
        length--;
    }
    ssize_t first = length < 0 ? 0 : length;
    while (first > 0 && bytes[first - 1] != '\n') {
        first--;
    }
    return length <= 0 ? "" : arena_strndup(arena, bytes + first, (size_t)(length - first));
}

/* The grader has crashed, or its oracle has ended it: only the supervisor is left to say so. */
static void report_crash(const struct work *work, int errors_fd)
{
    struct arena *arena = arena_new();
    const char *line = errors_fd < 0 ? "" : last_line(arena, errors_fd);
    const char *prefix = "gpugrade: ";
    struct outcome outcome = {.kind = OUTCOME_TROUBLE};

    line += text_starts_with(line, prefix) ? strlen(prefix) : 0;
    outcome.message = line[0] == '\0' ? "grader: it ended without a result" : line;
    outcome_send(work->fd, &outcome);
    arena_free(arena);
}

int batch_grading_run(void *context, const struct store_task *task, int fd)
{
    struct work work = {
        .grading = context,
        .task = task,
        .fd = fd,
        .watch = oracle_watch_new(ORACLE_LIMIT_MS),
        .bounds = grader_bounds_new(),
    };
    int errors_fd = memfd_create("errors", MFD_CLOEXEC);

    if (errors_fd >= 0) { /* else what it complains about is lost in that of others */
        dup2(errors_fd, STDERR_FILENO);
    }
    int status = supervise(grade_and_send, &work, work.watch, work.bounds);
    work.refused = grader_bounds_code(work.bounds);
    if (work.refused != CODE_NONE) {
        status = supervise(grade_and_send, &work, work.watch, NULL);
    }
    if (status == EXIT_GRADER || status == EXIT_USAGE) {
        report_crash(&work, errors_fd);
    }
    grader_bounds_free(work.bounds);
    oracle_watch_free(work.watch);
    return status;
}
