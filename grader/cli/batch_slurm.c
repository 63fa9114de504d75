/* batch_slurm.c: see batch_slurm.h. */
#include "cli/batch_slurm.h"

#include "base/file.h"
#include "base/shell_word.h"
#include "batch/slurm_chunks.h"
#include "cli/console.h"
#include "cli/slurm_submit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A task should last longer than Slurm needs to start it, and an array has at most 1000 of them
 * unless the cluster's MaxArraySize is another. */
enum { ROUNDS_PER_TASK = 5, TASKS_MAX = 1000 };

enum store_mode batch_slurm_mode(const struct batch_request *request, enum store_mode mode)
{
    bool is_alone = request->slurm.is_wanted || request->slurm.only_takes || request->is_chunk;

    return is_alone ? mode | STORE_ALONE : mode;
}

static void report_remarks(const struct slurm_taken *taken)
{
    for (size_t i = 0; i < taken->remark_count; i++) {
        console_complain("%s", taken->remarks[i]);
    }
}

enum error batch_slurm_resume(const struct batch_request *request, struct store *store,
                              struct arena *arena, struct diagnostic *diagnostic)
{
    struct slurm_taken taken = {.taken = 0};
    enum error error = slurm_chunks_take(store, request->results, true, arena, &taken, diagnostic);

    if (error == ERROR_NONE) {
        report_remarks(&taken);
    }
    return error;
}

bool batch_slurm_makes_known_code(const struct batch_request *request)
{
    return !request->is_chunk || strcmp(path_name(request->results), "chunk-1") == 0;
}

static bool needs_gpu(const struct batch_request *request, const struct rubric *rubric)
{
    bool has_speed = false;

    for (size_t i = 0; i < rubric->criterion_count; i++) {
        has_speed = has_speed || rubric->criteria[i].kind == CRITERION_SPEEDUP;
    }
    return request->shared.device == DEVICE_CUDA ||
           (request->shared.device == DEVICE_AUTO && has_speed);
}

static size_t chunk_size(const struct slurm_site *site, size_t count)
{
    size_t least = (count + TASKS_MAX - 1) / TASKS_MAX;
    size_t usual = site->jobs * ROUNDS_PER_TASK;

    if (site->chunk > 0) {
        return site->chunk;
    }
    return usual > least ? usual : least;
}

static void say(const char *line)
{
    struct text text;

    text_init(&text);
    text_append(&text, line);
    text_append_char(&text, '\n');
    console_write(STDOUT_FILENO, &text);
    text_release(&text);
}

/* "1 task", "2 tasks" */
static const char *counted(struct arena *arena, size_t count, const char *word)
{
    return arena_printf(arena, "%zu %s%s", count, word, count == 1 ? "" : "s");
}

/* Says what was handed over, and how it goes on. */
static void report_jobs(const struct slurm_submit *submit, const struct slurm_jobs *jobs,
                        const char *resume, size_t count, struct arena *arena)
{
    const char *tasks = counted(arena, submit->chunks->count, "task");
    const char *submissions = counted(arena, count, "submission");

    if (submit->site->pod != NULL) {
        say(arena_printf(arena, "%s in %s for Kubernetes: kubectl create -f %s/job.json",
                         submissions, tasks, shell_word(arena, submit->chunks->folder)));
        console_complain("when the Job has ended, merge what it has graded, and grade the rest on "
                         "this machine: %s",
                         resume);
        return;
    }
    if (submit->site->only_writes) {
        say(arena_printf(arena, "%s in %s for Slurm, written to %s", submissions, tasks,
                         submit->chunks->folder));
        console_complain("nothing was submitted; see submit.txt there, or submit the rest with: %s",
                         resume);
        return;
    }
    say(arena_printf(arena, "%s sent to Slurm: job %s grades them in %s, job %s merges the results",
                     submissions, jobs->array, tasks, jobs->merge));
    console_complain("their logs are in %s; if tasks are lost, run this (without --slurm to finish "
                     "on this machine): %s",
                     submit->chunks->folder, resume);
}

/* Says what stays after sbatch has failed. */
static int report_failure(const struct batch_request *request, const struct slurm_jobs *jobs,
                          struct arena *arena, const struct diagnostic *diagnostic)
{
    int status = (int)console_report(diagnostic);

    if (jobs->array[0] == '\0') {
        console_complain(
            "the submissions still have to be graded (without --slurm on this machine): %s",
            batch_request_command(arena, request, "--resume --slurm"));
    } else {
        console_complain("job %s still grades them, but no job merges the results; when it has "
                         "ended: %s batch --slurm-merge -o %s",
                         jobs->array, locations_command(arena),
                         shell_word(arena, request->results));
    }
    return status;
}

static int hand_over(const struct batch_request *request, const struct slurm_submit *submit,
                     size_t count, struct arena *arena, struct diagnostic *diagnostic)
{
    struct slurm_jobs jobs = {.array = ""};

    if (slurm_submit(submit, arena, &jobs, diagnostic) != ERROR_NONE) {
        return report_failure(request, &jobs, arena, diagnostic);
    }
    const char *way = submit->site->pod != NULL ? "--resume" : "--resume --slurm";
    report_jobs(submit, &jobs, batch_request_command(arena, request, way), count, arena);
    return EXIT_PASSED;
}

int batch_slurm_submit(const struct batch_request *request, struct store *store,
                       const struct rubric *rubric, struct arena *arena,
                       struct diagnostic *diagnostic)
{
    enum store_choice choice = request->only_failed ? STORE_FAILED : STORE_PENDING;
    char *results = realpath(request->results, NULL);
    struct slurm_chunks chunks = {.folder = NULL};
    const struct slurm_submit submit = {
        .site = &request->slurm,
        .locations = &request->shared.locations,
        .chunks = &chunks,
        .results = arena_strdup(arena, results == NULL ? request->results : results),
        .scratch = request->scratch,
        .needs_gpu = needs_gpu(request, rubric),
    };
    const struct store_task *tasks = NULL;
    size_t count = 0;

    free(results);
    if (submit.site->pod == NULL && !slurm_can_log(submit.results)) {
        console_complain(
            "%s contains a '%%' or a '\\', which Slurm does not accept in the path of a log; move "
            "the results to another path PATH, then: %s batch --resume --slurm -o PATH",
            submit.results, locations_command(arena));
        return EXIT_USAGE;
    }
    enum error error = store_tasks(store, arena, choice, &tasks, &count, diagnostic);
    if (error == ERROR_NONE && count == 0) {
        say("left to grade: 0 submissions; there is nothing for a cluster to do");
        return EXIT_PASSED;
    }
    if (error == ERROR_NONE) {
        error = slurm_chunks_write(store, submit.results, tasks, count,
                                   chunk_size(submit.site, count), arena, &chunks, diagnostic);
    }
    return error == ERROR_NONE ? hand_over(request, &submit, count, arena, diagnostic)
                               : (int)console_report(diagnostic);
}

/* Says what has come of the tasks. */
static int conclude(const struct batch_request *request, struct store *store,
                    const struct slurm_taken *taken, struct arena *arena,
                    struct diagnostic *diagnostic)
{
    const struct store_task *tasks = NULL;
    size_t pending = 0, failed = 0;

    enum error error = store_tasks(store, arena, STORE_PENDING, &tasks, &pending, diagnostic);
    if (error == ERROR_NONE) {
        error = store_tasks(store, arena, STORE_FAILED, &tasks, &failed, diagnostic);
    }
    if (error != ERROR_NONE) {
        return (int)console_report(diagnostic);
    }
    report_remarks(taken);
    say(arena_printf(arena, "merged: %s; left to grade: %s", counted(arena, taken->taken, "chunk"),
                     counted(arena, pending, "submission")));
    if (taken->running > 0) {
        console_complain("skipped, because tasks are still grading them: %s",
                         counted(arena, taken->running, "chunk"));
    }
    if (pending > 0) {
        console_complain("to grade the rest on this machine (on a cluster with --slurm or --k8s): "
                         "%s",
                         batch_request_command(arena, request, "--resume"));
    } else if (failed > 0) {
        console_complain("%zu could not be graded completely because the grader or the machine "
                         "failed; once that is fixed: %s",
                         failed, batch_request_command(arena, request, "--only-failed"));
    }
    return pending == 0 && failed == 0 ? EXIT_PASSED : EXIT_GRADER;
}

int batch_slurm_merge(const struct batch_request *request, struct arena *arena,
                      struct diagnostic *diagnostic)
{
    struct slurm_taken taken = {.taken = 0};
    struct store *store = NULL;
    int status = EXIT_GRADER;

    enum error error =
        store_open(request->results, batch_slurm_mode(request, STORE_WRITE), &store, diagnostic);
    if (error == ERROR_NONE) {
        error = slurm_chunks_take(store, request->results, false, arena, &taken, diagnostic);
    }
    if (error == ERROR_NONE) {
        status = conclude(request, store, &taken, arena, diagnostic);
    } else {
        status = (int)console_report(diagnostic);
    }
    store_close(store);
    return status;
}
