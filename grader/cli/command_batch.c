/* command_batch.c: see command_batch.h.
 *
 *     gpugrade (supervisor)     a work folder, and an end to whatever is left
 *       gpugrade (batch)        the store; finds out once what holds for all; batch_run
 *         gpugrade (worker)     one for each submission that is being graded: batch_grading.h
 *
 * What is new in RESULTS is put into the store before anything is graded: rubric, settings, class.
 * A batch that was stopped between two of these is begun again by --resume.
 */
#include "cli/command_batch.h"

#include "base/file.h"
#include "base/machine_cores.h"
#include "base/text.h"
#include "batch/batch_run.h"
#include "batch/loose_files.h"
#include "batch/progress.h"
#include "cli/batch_display.h"
#include "cli/batch_grading.h"
#include "cli/batch_machine.h"
#include "cli/batch_request.h"
#include "cli/batch_slurm.h"
#include "cli/class_zone.h"
#include "cli/console.h"
#include "cli/coursework_find.h"
#include "cli/supervise.h"
#include "submission/known_code.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GRADING_LIMIT_S = 2 * 3600 }; /* longer than all limits of a submission together */

/* A batch on its way. */
struct course {
    const struct options *options;
    struct batch_request request;
    struct arena *arena;
    struct store *store;
    bool is_begun;   /* RESULTS holds settings and a rubric */
    bool is_changed; /* the files of the coursework are others than those of RESULTS */
    const struct rubric *rubric;
    struct class_list list;
    bool has_list;
    struct batch_machine machine;
};

/* Opens RESULTS if it is there; what it was begun with holds on. */
static enum error open_begun(struct course *course, struct diagnostic *diagnostic)
{
    struct batch_request *request = &course->request;
    struct store_settings settings;
    enum error error = store_open(request->results, batch_slurm_mode(request, STORE_WRITE),
                                  &course->store, diagnostic);

    if (error == ERROR_NOT_FOUND && request->submissions != NULL && !request->only_failed) {
        return ERROR_NONE; /* it was stopped before it had begun */
    }
    if (error == ERROR_NONE) {
        error = store_settings(course->store, course->arena, &settings, diagnostic);
        if (error == ERROR_NOT_FOUND && request->submissions != NULL && !request->only_failed) {
            return ERROR_NONE;
        }
    }
    if (error == ERROR_NONE) {
        error = batch_request_resume(course->arena, course->options, settings.options, request,
                                     diagnostic);
    }
    if (error == ERROR_NONE && request->has_seed && request->shared.seed != settings.seed) {
        diagnostic_set(diagnostic, BLAME_USAGE,
                       "--seed cannot change: the results were started with 0x%llx; leave the "
                       "option out, or start new results with another -o",
                       (unsigned long long)settings.seed);
        error = ERROR_RANGE;
    }
    if (error == ERROR_NONE) {
        request->shared.seed = settings.seed;
        request->submissions =
            request->submissions != NULL ? request->submissions : settings.submissions;
        course->is_begun = true;
    }
    return error;
}

/* The rubric in RESULTS; one that is named must be the same. */
static enum error reload_rubric(struct course *course, struct diagnostic *diagnostic)
{
    const struct check_request *shared = &course->request.shared;
    const char *root = shared->locations.root;
    const struct rubric *named = NULL;
    struct store_rubric stored;
    enum error error =
        coursework_stored(course->arena, root, course->store, &stored, &course->rubric, diagnostic);

    if (error == ERROR_NONE && (shared->coursework != NULL || shared->rubric_path != NULL)) {
        error = coursework_load(course->arena, root, shared->coursework, shared->rubric_path,
                                &named, diagnostic);
    }
    if (error == ERROR_NONE && named != NULL &&
        strcmp(named->sha256, course->rubric->sha256) != 0) {
        diagnostic_set(diagnostic, BLAME_USAGE,
                       "this is not the rubric of the results; to change it: gpugrade regrade "
                       "RESULTS --rubric FILE");
        error = ERROR_RANGE;
    }
    if (error != ERROR_NONE || strcmp(stored.evidence, course->rubric->evidence_sha256) == 0) {
        return error;
    }
    if (course->request.only_failed) {
        diagnostic_set(diagnostic, BLAME_USAGE,
                       "the files of the coursework have changed since the results were started; "
                       "--resume grades everything again");
        return ERROR_RANGE;
    }
    console_complain("the files of the coursework have changed since the results were started; "
                     "everything is graded again");
    course->is_changed = true;
    return ERROR_NONE;
}

/* Where the files of a submission can be read together; NULL if loose ones cannot be put there. */
static const char *gather(struct arena *arena, const char *path)
{
    static const char *const as_they_are[] = {NULL};

    if (!loose_files_is(path)) {
        return path;
    }
    const char *folder = arena_printf(arena, "%s/recognised", getenv("TMPDIR"));
    folder_remove(folder); /* of the one before */
    return folder_make(folder, 0700, NULL) == ERROR_NONE &&
                   loose_files_place(arena, path, folder, as_they_are, NULL) == ERROR_NONE
               ? folder
               : NULL;
}

/* True if the submission holds all files of a known coursework: that is the rubric. */
static bool recognise(struct course *course, const struct class_entry *entry)
{
    const struct check_request *shared = &course->request.shared;
    struct arena *files_arena = arena_new();
    const struct intake_source source = {
        .shown = entry->submission,
        .path = gather(files_arena, entry->path),
        .sandbox = &course->machine.sandbox,
        .helper_folder = shared->locations.helper_folder,
        .work_folder = getenv("TMPDIR"),
    };
    struct intake_files files;
    bool found = source.path != NULL &&
                 intake_read(files_arena, &source, &files, NULL) == ERROR_NONE &&
                 coursework_find(course->arena, shared->locations.root, &files, NULL, NULL,
                                 &course->rubric, NULL) == ERROR_NONE;

    arena_free(files_arena);
    return found;
}

/* Recognises the coursework by the first submission that fits one. */
static enum error recognise_rubric(struct course *course, struct diagnostic *diagnostic)
{
    for (size_t i = 0; i < course->list.entry_count; i++) {
        if (recognise(course, &course->list.entries[i])) {
            return ERROR_NONE;
        }
    }
    diagnostic_set(diagnostic, BLAME_USAGE,
                   "none of the %zu submissions has all files of a known coursework; choose one "
                   "with --coursework ID or --rubric FILE",
                   course->list.entry_count);
    return ERROR_NOT_FOUND;
}

static enum error choose_rubric(struct course *course, struct diagnostic *diagnostic)
{
    const struct check_request *shared = &course->request.shared;

    if (course->is_begun) {
        return reload_rubric(course, diagnostic);
    }
    if (shared->coursework == NULL && shared->rubric_path == NULL) {
        return recognise_rubric(course, diagnostic);
    }
    return coursework_load(course->arena, shared->locations.root, shared->coursework,
                           shared->rubric_path, &course->rubric, diagnostic);
}

/* Reads the class; those that failed before are known already. */
static enum error read_class(struct course *course, struct diagnostic *diagnostic)
{
    const struct batch_request *request = &course->request;
    struct class_known known = {.student_count = 0};
    bool is_asked = course->options->positional_count > 0 || request->roster.path != NULL;
    enum error error = ERROR_NONE;

    if (request->is_chunk || (request->only_failed && !is_asked)) {
        return ERROR_NONE;
    }
    if (course->store != NULL) {
        error = store_known(course->store, course->arena, &known, diagnostic);
    }
    if (error == ERROR_NONE && course->store != NULL) {
        error =
            class_zone_find(course->arena, course->store, &course->request.roster.zone, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = class_list_read(course->arena, request->submissions,
                                request->roster.path != NULL ? &request->roster : NULL, &known,
                                &course->list, diagnostic);
    }
    course->has_list = error == ERROR_NONE;
    for (size_t i = 0; course->has_list && i < course->list.remark_count; i++) {
        console_complain("%s", course->list.remarks[i]);
    }
    return error;
}

/* Puts everything into the store that grading needs. */
static enum error begin(struct course *course, struct diagnostic *diagnostic)
{
    const struct batch_request *request = &course->request;
    const struct rubric *rubric = course->rubric;
    const struct store_rubric stored = {
        .sha256 = rubric->sha256,
        .evidence = rubric->evidence_sha256,
        .text = rubric->whole_text,
    };
    const struct store_settings settings = {
        .coursework = rubric->id,
        .submissions = request->submissions,
        .options = request->kept,
        .seed = request->shared.seed,
    };
    enum error error = ERROR_NONE;

    if (course->store == NULL) {
        error = store_open(request->results, batch_slurm_mode(request, STORE_CREATE),
                           &course->store, diagnostic);
    }
    if (error == ERROR_NONE && (!course->is_begun || course->is_changed)) {
        error = store_put_rubric(course->store, &stored, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = store_put_settings(course->store, &settings, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = class_zone_keep(course->arena, course->store, course->options->values[OPTION_ZONE],
                                diagnostic);
    }
    if (error == ERROR_NONE && course->has_list) {
        error = store_put_class(course->store, &course->list, diagnostic);
    }
    return error;
}

/* Makes the device code that everybody may have, if the store has none: without it submissions are
 * found to be alike by what the template gives them. */
static enum error put_known_code(struct course *course, struct diagnostic *diagnostic)
{
    const struct device_code *codes = NULL;
    const char *remark = "";
    size_t count = 0;
    bool is_there = false;
    enum error error = store_has_known_code(course->store, &is_there, diagnostic);

    if (error != ERROR_NONE || is_there || !batch_slurm_makes_known_code(&course->request)) {
        return error;
    }
    known_code_make(&course->machine.toolchain, course->rubric, getenv("TMPDIR"), course->arena,
                    &codes, &count, &remark);
    if (remark[0] != '\0') {
        console_complain("the search for similar submissions cannot ignore all code that students "
                         "were given: %s",
                         remark);
    }
    return store_put_known_code(course->store, codes, count, diagnostic);
}

/* False if files of the class have to be looked at for it. */
static bool is_rubric_known(const struct course *course)
{
    const struct check_request *shared = &course->request.shared;

    return course->is_begun || shared->coursework != NULL || shared->rubric_path != NULL;
}

/* Everything before the first submission. */
static enum error prepare(struct course *course, struct diagnostic *diagnostic)
{
    bool goes_on = course->request.resume || course->request.only_failed;
    bool grades_here = !course->request.slurm.is_wanted;
    enum error error = goes_on ? open_begun(course, diagnostic) : ERROR_NONE;

    if (error == ERROR_NONE && course->is_begun) {
        error = batch_slurm_resume(&course->request, course->store, course->arena, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = read_class(course, diagnostic);
    }
    if (error == ERROR_NONE && (grades_here || !is_rubric_known(course))) {
        error = batch_machine_sandbox(&course->request, &course->machine, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = choose_rubric(course, diagnostic);
    }
    if (error == ERROR_NONE && grades_here) {
        error = batch_machine_tools(&course->request, course->rubric, course->arena,
                                    &course->machine, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = begin(course, diagnostic);
    }
    return error == ERROR_NONE && grades_here ? put_known_code(course, diagnostic) : error;
}

static void show_summary(const struct batch_progress *progress)
{
    struct text text;

    text_init(&text);
    progress_summary(progress, &text);
    console_write(STDOUT_FILENO, &text);
    text_release(&text);
}

/* Lists what a person should look at, if there is something; `why` goes after "3 to look at",
 * `rest` after "and 4 more". */
static enum error show_some(const struct course *course, enum store_choice choice, const char *why,
                            const char *rest, struct diagnostic *diagnostic)
{
    enum { SHOWN = 20 };
    const struct store_task *tasks = NULL;
    size_t count = 0;
    struct text text;
    enum error error =
        store_tasks(course->store, course->arena, choice, &tasks, &count, diagnostic);

    if (error != ERROR_NONE || count == 0) {
        return error;
    }
    text_init(&text);
    text_printf(&text, "%zu to look at: %s\n", count, why);
    for (size_t i = 0; i < count && i < SHOWN; i++) {
        text_append(&text, "   ");
        text_append_printable(&text, tasks[i].submission, strlen(tasks[i].submission), false);
        text_append_char(&text, '\n');
    }
    if (count > SHOWN) {
        text_printf(&text, "   and %zu more%s\n", count - SHOWN, rest);
    }
    console_write(STDOUT_FILENO, &text);
    text_release(&text);
    return ERROR_NONE;
}

static enum error show_reviews(const struct course *course, struct diagnostic *diagnostic)
{
    enum error error = show_some(course, STORE_REVIEW,
                                 "they failed because of something that gpugrade does not know",
                                 "; the class page lists all of them", diagnostic);

    return error != ERROR_NONE
               ? error
               : show_some(
                     course, STORE_OLD_TIME,
                     "their files have changed, but no newer time came with them, so they are "
                     "as late as before; a roster with a column 'submitted' says when they came",
                     "", diagnostic);
}

/* Says how it goes on, and returns the exit status. */
static int conclude(const struct course *course, int signal, struct diagnostic *diagnostic)
{
    const struct store_task *failed = NULL;
    size_t count = 0;

    if (signal != 0) {
        console_complain("stopped; continue with: %s",
                         batch_request_command(course->arena, &course->request, "--resume"));
        return 128 + signal;
    }
    if (show_reviews(course, diagnostic) != ERROR_NONE ||
        store_tasks(course->store, course->arena, STORE_FAILED, &failed, &count, diagnostic) !=
            ERROR_NONE) {
        return (int)console_report(diagnostic);
    }
    if (count > 0) {
        console_complain("%zu could not be graded completely because the grader or the machine "
                         "failed, so they have no mark; once that is fixed: %s",
                         count,
                         batch_request_command(course->arena, &course->request, "--only-failed"));
        return EXIT_GRADER;
    }
    return EXIT_PASSED;
}

static int grade_class(struct course *course, struct diagnostic *diagnostic)
{
    const struct check_request *shared = &course->request.shared;
    size_t jobs = course->request.jobs > 0 ? course->request.jobs : machine_jobs();
    size_t cores = machine_cores();
    struct batch_grading grading = {
        .locations = &shared->locations,
        .sandbox = &course->machine.sandbox,
        .config =
            {
                .rubric = course->rubric,
                .toolchain = &course->machine.toolchain,
                .device_path = shared->locations.device_path,
                .device = shared->device,
                .gpu_model = shared->gpu_model,
                .gpus = shared->gpus,
                .gpu_count = shared->gpu_count,
                .is_precise = shared->is_precise,
                .plan = course->machine.plan,
                .seed = shared->seed,
                .threads = (uint32_t)((cores + jobs - 1) / jobs),
                .for_instructor = true,
            },
    };
    struct batch_display display;
    const struct batch_config config = {
        .rubric = course->rubric,
        .evidence = batch_machine_evidence(&course->request, course->rubric, &course->machine,
                                           course->arena),
        .jobs = jobs,
        .choice = course->request.only_failed ? STORE_FAILED : STORE_PENDING,
        .tries = STORE_TRIES,
        .limit_s = GRADING_LIMIT_S,
        .grade = batch_grading_run,
        .grade_context = &grading,
        .progress = batch_display_show,
        .progress_context = &display,
    };
    struct batch_progress progress = {0};
    int signal = 0;

    batch_display_init(&display);
    enum error error = batch_run(course->store, &config, &progress, &signal, diagnostic);
    batch_display_end(&display);
    if (error != ERROR_NONE) {
        return (int)console_report(diagnostic);
    }
    show_summary(&progress);
    return conclude(course, signal, diagnostic);
}

/* The task of the supervised child. */
static int run_batch(void *context, int stage_fd)
{
    struct course *course = context;
    struct diagnostic diagnostic = {.blame = BLAME_GRADER};
    int status;

    close(stage_fd);
    if (course->request.slurm.only_takes) {
        status = batch_slurm_merge(&course->request, course->arena, &diagnostic);
    } else if (prepare(course, &diagnostic) != ERROR_NONE) {
        status = (int)console_report(&diagnostic);
    } else if (course->request.slurm.is_wanted) {
        status = batch_slurm_submit(&course->request, course->store, course->rubric, course->arena,
                                    &diagnostic);
    } else {
        status = grade_class(course, &diagnostic);
    }
    store_close(course->store);
    return status;
}

int command_batch(const struct options *options)
{
    struct arena *arena = arena_new();
    struct course course = {.options = options, .arena = arena};
    struct diagnostic diagnostic = {.blame = BLAME_GRADER};
    int status;

    if (batch_request_make(arena, options, &course.request, &diagnostic) != ERROR_NONE) {
        status = (int)console_report(&diagnostic);
    } else {
        status = supervise_program(run_batch, &course);
    }
    arena_free(arena);
    return status;
}
