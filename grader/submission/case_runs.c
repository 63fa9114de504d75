/* case_runs.c: see case_runs.h.
 *
 * A task is one case of one launch, a group the tasks of one build. Groups are taken in the order
 * of the cases. A launch's cut is the first of its cases that ended badly: a task behind it that
 * has not begun does not begin, and one that has is forgotten. How a whole program ends itself cuts
 * nothing. Cases run side by side, so each may use what was left before the first of them.
 */
#include "submission/case_runs.h"

#include "base/file.h"
#include "criteria/preconditions/whole_program.h"
#include "model/case.h"

#include <string.h>

struct case_task {
    size_t launch; /* in case_runs.launches */
    size_t number; /* in case_runs.cases */
    size_t group;
    int64_t parameters[RUBRIC_PARAMETERS_MAX];
    int64_t block;
    struct launch_run run;
};

struct case_group {
    int64_t values[RUBRIC_OVERRIDES_MAX];
    struct arena *results; /* what outlives the build */
    enum error error;
    struct diagnostic diagnostic;
};

struct case_work {
    const struct case_runs *runs;
    struct case_task *tasks; /* [task_count] by case, then by launch */
    size_t task_count;
    struct case_group *groups; /* [group_count] by their first tasks */
    size_t group_count;
    pthread_mutex_t mutex; /* of what follows */
    size_t next_group;
    size_t *cuts; /* [launch_count] numbers of cases; SIZE_MAX: none */
};

/* Listing ***********************************************************************************/

static size_t group_of(struct case_work *work, const int64_t *values, size_t value_count)
{
    size_t i = 0;

    while (i < work->group_count && value_count > 0 &&
           memcmp(work->groups[i].values, values, value_count * sizeof *values) != 0) {
        i++;
    }
    if (i == work->group_count) {
        memcpy(work->groups[work->group_count++].values, values, value_count * sizeof *values);
    }
    return i;
}

static bool add_task(struct case_work *work, size_t launch, size_t number)
{
    const struct case_runs *runs = work->runs;
    const struct rubric *rubric = runs->build.config->rubric;
    const struct rubric_program *program = &rubric->programs[runs->build.program];
    const struct cased_launch *cased = &runs->launches[launch];
    const struct rubric_launch *of = &rubric->launches[cased->launch];
    struct case_task *task = &work->tasks[work->task_count];
    int64_t values[RUBRIC_OVERRIDES_MAX] = {0};

    task->launch = launch;
    task->number = number;
    task->block = of->block != NULL ? case_block(rubric, of, &runs->cases[number]) : cased->block;
    if (!case_parameters(rubric, &runs->cases[number], task->block, task->parameters) ||
        !case_override_values(rubric, program, task->parameters, task->block, values)) {
        return false;
    }
    task->group = group_of(work, values, program->override_count);
    work->task_count++;
    return true;
}

static enum error list_tasks(struct case_work *work, struct arena *arena,
                             struct diagnostic *diagnostic)
{
    const struct case_runs *runs = work->runs;
    size_t most = runs->case_count * runs->launch_count;

    work->tasks = arena_array(arena, most, sizeof *work->tasks);
    work->groups = arena_array(arena, most, sizeof *work->groups);
    work->cuts = arena_array(arena, runs->launch_count, sizeof *work->cuts);
    for (size_t i = 0; i < runs->launch_count; i++) {
        work->cuts[i] = SIZE_MAX;
    }
    for (size_t i = 0; i < most; i++) {
        if (!add_task(work, i % runs->launch_count, i / runs->launch_count)) {
            diagnostic_set(
                diagnostic, BLAME_RUBRIC, "the case %s does not give the program %s whole numbers",
                runs->build.config->rubric->cases[runs->cases[i / runs->launch_count].case_index]
                    .id,
                runs->build.config->rubric->programs[runs->build.program].id);
            return ERROR_RANGE;
        }
    }
    return ERROR_NONE;
}

/* One build and its runs ********************************************************************/

static const struct tool_message *copy_message(struct arena *arena,
                                               const struct tool_message *message)
{
    struct tool_message *copy = arena_alloc(arena, sizeof *copy);

    *copy = *message;
    copy->file = arena_strdup(arena, message->file);
    copy->message = arena_strdup(arena, message->message);
    copy->symbol = message->symbol == NULL ? NULL : arena_strdup(arena, message->symbol);
    return copy;
}

/* What is seen of a case for which there is no program. */
static void refuse_task(const struct case_runs *runs, struct arena *arena, struct case_task *task,
                        enum code failure, const char *why, const struct tool_message *place)
{
    const struct drawn_case *drawn = &runs->cases[task->number];
    struct observation *observation = arena_alloc(arena, sizeof *observation);

    *observation = (struct observation){
        .case_index = drawn->case_index,
        .repetition = drawn->repetition,
        .block = task->block,
        .failure = failure,
        .failure_message = arena_strdup(arena, why),
        .failure_place = place == NULL ? NULL : copy_message(arena, place),
    };
    memcpy(observation->parameters, task->parameters, sizeof observation->parameters);
    task->run = (struct launch_run){.observations = observation, .observation_count = 1};
}

static void refuse_build(const struct case_runs *runs, struct arena *arena, struct case_task *task,
                         const struct program_build *build)
{
    bool has_error = build->message_count > 0 && build->messages[0].is_error;
    const struct tool_message *first = has_error ? &build->messages[0] : NULL;

    refuse_task(runs, arena, task, CODE_CASE_COMPILE_ERROR,
                first != NULL ? first->message : code_title(build->failure), first);
}

/* True if a whole program ended as it chose: also by a failure status or abort(), which is only
 * what it thinks of its results. */
static bool is_own_end(const struct case_runs *runs, const struct program_activity *activity)
{
    const struct rubric *rubric = runs->build.config->rubric;

    return program_is_whole(&rubric->programs[runs->build.program]) && exit_is_own_choice(activity);
}

static bool ends_itself(const struct case_runs *runs, const struct program_activity *activity)
{
    return (activity->end.ending == ENDING_EXITED || activity->end.ending == ENDING_STOPPED ||
            is_own_end(runs, activity)) &&
           !activity->protocol_broken;
}

/* True if a whole program crashed once the device had shown what is judged. */
static bool crashed_afterwards(const struct case_runs *runs, const struct launch_run *run)
{
    bool is_probed = run->observation_count > 0;

    for (size_t i = 0; i < run->observation_count; i++) {
        is_probed = is_probed && run->observations[i].sample_count > 0;
    }
    return is_probed &&
           program_is_whole(&runs->build.config->rubric->programs[runs->build.program]) &&
           activity_crashed(&run->activity);
}

/* True if no later case can tell more: they would end alike, each after a while. */
static bool ends_launch(const struct case_runs *runs, const struct launch_run *run)
{
    for (size_t i = 0; i < run->observation_count; i++) {
        const struct observation *observation = &run->observations[i];
        size_t count = observation->sample_count;
        if (observation->failure == CODE_CASE_COMPILE_ERROR ||
            observation->failure == CODE_DEVICE_CRASHED ||
            (count > 0 && observation->samples[count - 1].status != SAMPLE_DONE)) {
            return true;
        }
    }
    return run->activity.ran && !ends_itself(runs, &run->activity) &&
           !crashed_afterwards(runs, run);
}

static bool is_behind_cut(struct case_work *work, const struct case_task *task)
{
    pthread_mutex_lock(&work->mutex);
    bool is_behind = task->number > work->cuts[task->launch];
    pthread_mutex_unlock(&work->mutex);
    return is_behind;
}

static void note_end(struct case_work *work, const struct case_task *task)
{
    if (!ends_launch(work->runs, &task->run)) {
        return;
    }
    pthread_mutex_lock(&work->mutex);
    if (task->number < work->cuts[task->launch]) {
        work->cuts[task->launch] = task->number;
    }
    pthread_mutex_unlock(&work->mutex);
}

/* Runs one case with its program; device code that is refused for it alone is no error. */
static enum error run_task(const struct case_runs *runs, struct arena *arena,
                           const struct session_config *session, struct case_task *task,
                           struct diagnostic *diagnostic)
{
    const struct cased_launch *cased = &runs->launches[task->launch];
    struct session_config of_case = *session;
    struct session_account account = *session->account;

    of_case.kernel = cased->first != NULL ? cased->first->kernel : NULL;
    of_case.block = task->block;
    of_case.account = &account;
    enum error error = session_run_launch(&of_case, arena, cased->launch,
                                          &runs->cases[task->number], 1, &task->run, diagnostic);
    if (error != ERROR_NONE && diagnostic->blame == BLAME_STUDENT) {
        const char *why = toolchain_readable_message(arena, diagnostic->message);
        refuse_task(runs, arena, task,
                    error == ERROR_PEER ? CODE_DEVICE_CRASHED : CODE_CASE_COMPILE_ERROR, why, NULL);
        return ERROR_NONE;
    }
    return error;
}

/* Asks ptxas once for all, where it does not outlive the build. */
static enum error know_resources(const struct session_config *session, struct arena *scratch,
                                 struct diagnostic *diagnostic)
{
    struct diagnostic local = {.blame = BLAME_GRADER};
    enum error error = ERROR_NONE;

    for (size_t i = 0; i < session->program->code.module_count && error == ERROR_NONE; i++) {
        const struct kernel_resources *kernels = NULL;
        size_t count = 0;
        error = session_resources(session, scratch, i, &kernels, &count, &local);
    }
    if (error != ERROR_NONE && local.blame == BLAME_STUDENT) {
        return ERROR_NONE; /* the run says it again */
    }
    if (error != ERROR_NONE) {
        *diagnostic = local;
    }
    return error;
}

static enum error run_tasks(struct case_work *work, size_t group,
                            const struct session_config *session, struct diagnostic *diagnostic)
{
    struct case_group *of = &work->groups[group];
    enum error error = ERROR_NONE;

    for (size_t i = 0; i < work->task_count && error == ERROR_NONE; i++) {
        struct case_task *task = &work->tasks[i];
        if (task->group != group || is_behind_cut(work, task)) {
            continue;
        }
        if (session->program->build.linked) {
            error = run_task(work->runs, of->results, session, task, diagnostic);
        } else {
            refuse_build(work->runs, of->results, task, &session->program->build);
        }
        note_end(work, task);
    }
    return error;
}

static bool is_wanted(struct case_work *work, size_t group)
{
    for (size_t i = 0; i < work->task_count; i++) {
        if (work->tasks[i].group == group && !is_behind_cut(work, &work->tasks[i])) {
            return true;
        }
    }
    return false;
}

static enum error run_built_group(struct case_work *work, size_t group, struct arena *scratch,
                                  struct diagnostic *diagnostic)
{
    const struct case_runs *runs = work->runs;
    const struct rubric *rubric = runs->build.config->rubric;
    bool is_first = !program_is_whole(&rubric->programs[runs->build.program]);
    struct session_resource_cache resources = {0};
    struct session_config session = *runs->session;
    struct program_build_request request = runs->build;
    struct built_program built = *runs->first;
    const char *folder = NULL;
    enum error error = ERROR_NONE;

    if (!is_first) {
        request.values = work->groups[group].values;
        error = program_build_make(&request, scratch, &built, &folder, diagnostic);
    }
    session.program = &built;
    session.resources = is_first ? runs->first_resources : &resources;
    session.first_build = is_first ? NULL : &runs->first->build;
    if (error == ERROR_NONE && built.build.linked) {
        error = know_resources(&session, scratch, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = run_tasks(work, group, &session, diagnostic);
    }
    if (folder != NULL) {
        (void)folder_remove(folder); /* what is left goes with the submission's folder */
    }
    return error;
}

static void run_group(struct case_work *work, size_t group)
{
    struct case_group *of = &work->groups[group];
    struct arena *scratch = NULL;

    of->results = arena_new();
    core_pool_take(work->runs->pool);
    if (is_wanted(work, group)) {
        scratch = arena_new();
        of->error = run_built_group(work, group, scratch, &of->diagnostic);
    }
    core_pool_give(work->runs->pool);
    arena_free(scratch);
}

/* Side by side ******************************************************************************/

static void *run_groups(void *context)
{
    struct case_work *work = context;

    for (;;) {
        pthread_mutex_lock(&work->mutex);
        size_t group = work->next_group++;
        pthread_mutex_unlock(&work->mutex);
        if (group >= work->group_count) {
            return NULL;
        }
        run_group(work, group);
    }
}

/* The calling thread is one of those that work. */
static void run_all_groups(struct case_work *work, struct arena *arena)
{
    size_t cores = work->runs->pool->cores;
    size_t helpers = (work->group_count < cores ? work->group_count : cores);
    pthread_t *threads = arena_array(arena, helpers, sizeof *threads);
    size_t started = 0;

    while (started + 1 < helpers &&
           pthread_create(&threads[started], NULL, run_groups, work) == 0) {
        started++;
    }
    run_groups(work);
    for (size_t i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
    }
}

/* Joining ***********************************************************************************/

/* How much an activity tells: trouble more than a bad end that the program chose itself, and that
 * more than a good one. */
enum told { TOLD_NOTHING, TOLD_BAD_END, TOLD_TROUBLE };

static enum told what_is_reported(const struct case_runs *runs, const struct launch_run *run)
{
    const struct program_activity *activity = &run->activity;
    bool is_its_own = is_own_end(runs, activity) || crashed_afterwards(runs, run);
    bool ends_badly = activity->end.exit_status != 0 || activity->end.ending == ENDING_SIGNALLED;
    bool has_error = activity->call_error_count > 0 ||
                     (!ends_itself(runs, activity) && !is_its_own) || (ends_badly && !is_its_own);

    for (size_t i = 0; i < activity->finding_count; i++) {
        has_error = has_error || activity->findings[i].severity == SEVERITY_ERROR;
    }
    return has_error ? TOLD_TROUBLE : ends_badly ? TOLD_BAD_END : TOLD_NOTHING;
}

/* Adds what the cases have used that count. */
static void note_use(const struct case_work *work, struct session_account *account)
{
    for (size_t i = 0; i < work->task_count; i++) {
        const struct case_task *task = &work->tasks[i];
        if (task->number <= work->cuts[task->launch]) {
            session_note_use(account, &task->run.activity);
        }
    }
}

/* All observations of a launch, and the activity that tells most: the first of those, or the last
 * where none tells anything. */
static void join_launch(const struct case_work *work, size_t launch, struct arena *arena,
                        struct launch_run *out_run)
{
    const struct launch_run *first = work->runs->launches[launch].first;
    struct launch_run run = first != NULL ? *first : (struct launch_run){.kernel = NULL};
    size_t most = run.observation_count + work->task_count;
    struct observation *observations = arena_array(arena, most, sizeof *observations);
    enum told most_reported = TOLD_NOTHING;

    for (size_t i = 0; i < run.observation_count; i++) {
        observations[i] = run.observations[i];
    }
    for (size_t i = 0; i < work->task_count; i++) {
        const struct case_task *task = &work->tasks[i];
        if (task->launch != launch || task->number > work->cuts[launch]) {
            continue;
        }
        for (size_t j = 0; j < task->run.observation_count; j++) {
            observations[run.observation_count++] = task->run.observations[j];
        }
        if (!task->run.activity.ran) {
            continue;
        }
        enum told told = what_is_reported(work->runs, &task->run);
        if (told > most_reported || most_reported == TOLD_NOTHING) {
            run.activity = task->run.activity;
            most_reported = told;
        }
    }
    run.observations = observations;
    *out_run = run;
}

enum error case_runs_make(const struct case_runs *runs, struct arena *arena,
                          struct launch_run *out_runs, struct diagnostic *diagnostic)
{
    struct case_work work = {.runs = runs};
    enum error error = list_tasks(&work, arena, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    pthread_mutex_init(&work.mutex, NULL);
    run_all_groups(&work, arena);
    pthread_mutex_destroy(&work.mutex);
    for (size_t i = 0; i < work.group_count; i++) {
        const struct case_group *group = &work.groups[i];
        arena_adopt(arena, group->results);
        if (error == ERROR_NONE && group->error != ERROR_NONE) {
            error = group->error;
            *diagnostic = group->diagnostic;
        }
    }
    note_use(&work, runs->session->account);
    for (size_t i = 0; i < runs->launch_count && error == ERROR_NONE; i++) {
        join_launch(&work, i, arena, &out_runs[i]);
    }
    return error;
}
