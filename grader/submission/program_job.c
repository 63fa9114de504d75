/* program_job.c: see program_job.h. */
#include "submission/program_job.h"

#include "base/clock.h"
#include "submission/case_runs.h"
#include "submission/program_build.h"

#include <string.h>

static double seconds_since(uint64_t start_ns)
{
    return (double)(clock_now_ns() - start_ns) / (double)CLOCK_NS_PER_S;
}

/* What is done with the program, for a user who waits. */
static void tell(const struct program_job *work, const char *verb)
{
    const struct submission_config *config = work->config;
    const char *id = config->rubric->programs[work->program].id;

    if (config->progress != NULL && !work->is_reference) {
        config->progress(config->progress_context, arena_printf(work->arena, "%s %s", verb, id));
    }
}

static enum error build_program(struct program_job *work, struct diagnostic *diagnostic)
{
    const struct rubric *rubric = work->config->rubric;
    int64_t values[RUBRIC_OVERRIDES_MAX];
    const struct program_build_request request = {
        .config = work->config,
        .work_folder = work->work_folder,
        .program = work->program,
        .values = program_first_values(rubric, work->program, values) ? values : NULL,
    };
    const char *folder = NULL;

    return program_build_make(&request, work->arena, &work->built, &folder, diagnostic);
}

static bool same_texts(const char *const *left, size_t left_count, const char *const *right,
                       size_t right_count)
{
    bool same = left_count == right_count;

    for (size_t i = 0; same && i < left_count; i++) {
        same = strcmp(left[i], right[i]) == 0;
    }
    return same;
}

static bool same_files(const struct rubric_printout *left, const struct rubric_printout *right)
{
    bool same = left->file_count == right->file_count;

    for (size_t i = 0; same && i < left->file_count; i++) {
        const struct given_file *one = &left->files[i];
        const struct given_file *other = &right->files[i];
        same = strcmp(one->name, other->name) == 0 && one->length == other->length &&
               memcmp(one->bytes, other->bytes, one->length) == 0;
    }
    return same;
}

static bool same_run(const struct rubric_printout *left, const struct rubric_printout *right)
{
    return left->program == right->program &&
           same_texts(left->arguments, left->argument_count, right->arguments,
                      right->argument_count) &&
           same_texts(left->input, left->input_count, right->input, right->input_count) &&
           strcmp(text_or_empty(left->file), text_or_empty(right->file)) == 0 &&
           same_files(left, right) && left->has_case == right->has_case &&
           left->case_index == right->case_index;
}

/* Printouts of the same run share it. */
static enum error run_printouts(struct program_job *work, const struct session_config *session,
                                const bool *wanted, struct print_run *runs,
                                struct diagnostic *diagnostic)
{
    const struct rubric *rubric = work->config->rubric;

    for (size_t i = 0; i < rubric->printout_count; i++) {
        const struct rubric_printout *printout = &rubric->printouts[i];
        bool shared = false;

        if (printout->program != work->program || !wanted[i]) {
            continue;
        }
        for (size_t j = 0; j < i && !shared; j++) {
            if (wanted[j] && same_run(&rubric->printouts[j], printout)) {
                runs[i] = runs[j];
                shared = true;
            }
        }
        if (shared) {
            continue;
        }
        enum error error = session_run_print(session, work->arena, printout, &runs[i], diagnostic);
        if (error != ERROR_NONE) {
            return error;
        }
    }
    return ERROR_NONE;
}

static bool ended_well(const struct print_run *run)
{
    const struct program_activity *activity = &run->activity;

    for (size_t i = 0; i < activity->finding_count; i++) {
        if (activity->findings[i].severity == SEVERITY_ERROR) {
            return false;
        }
    }
    return activity->ran && activity->end.ending == ENDING_EXITED && !activity->protocol_broken;
}

/* False if no judged criterion looks at any run of this program. */
static bool has_runs(const struct program_job *work)
{
    const struct rubric *rubric = work->config->rubric;
    bool any = false;

    for (size_t i = 0; i < rubric->launch_count; i++) {
        any = any || (rubric->launches[i].program == work->program && work->launch_wanted[i]);
    }
    for (size_t i = 0; i < rubric->printout_count; i++) {
        any = any || (rubric->printouts[i].program == work->program && work->printout_wanted[i]);
    }
    return any;
}

/* Takes a turn on a real GPU for work that is not timed. */
static enum error take_turn(struct program_job *work, const struct device_plan *plan,
                            struct session_config *session, struct gpu_turn *out_turn,
                            struct diagnostic *diagnostic)
{
    enum error error =
        gpu_choice_take(&plan->gpus, GPU_LOCK_SHARED, work->config, out_turn, diagnostic);

    if (error == ERROR_NONE) {
        work->used_gpu = true;
        work->gpu = out_turn->gpu;
        session->device = device_plan_gpu(plan, out_turn->gpu);
    }
    return error;
}

/* What ended well on the emulated device is printed once more on the real GPU that it stands for.
 */
static enum error run_gpu_printouts(struct program_job *work, const struct device_plan *plan,
                                    struct session_config session, struct diagnostic *diagnostic)
{
    const struct rubric *rubric = work->config->rubric;
    bool *wanted = arena_array(work->arena, rubric->printout_count, sizeof *wanted);
    struct gpu_turn turn = {.lock = {.fd = -1}};
    bool any = false;

    for (size_t i = 0; i < rubric->printout_count; i++) {
        wanted[i] = work->printout_wanted[i] && rubric->printouts[i].program == work->program &&
                    ended_well(&work->print_runs[i]);
        any = any || wanted[i];
    }
    if (!any || plan->gpus.count == 0 || plan->has_own_model) {
        return ERROR_NONE;
    }
    enum error error = take_turn(work, plan, &session, &turn, diagnostic);
    if (error == ERROR_NONE) {
        error = run_printouts(work, &session, wanted, work->gpu_print_runs, diagnostic);
    }
    gpu_lock_release(&turn.lock);
    return error;
}

/* Finds out by the first build which kernel a launch means and which block width it has. */
static enum error look_first(struct program_job *work, const struct session_config *session,
                             size_t launch, struct diagnostic *diagnostic)
{
    const struct rubric_launch *of = &work->config->rubric->launches[launch];
    struct first_look *look = &work->first_looks[launch];
    bool has_cases = of->input_count == 0;
    enum error error = ERROR_NONE;

    if (look->is_done || !of->has_first || (!of->is_pattern && !has_cases)) {
        return ERROR_NONE;
    }
    if (of->is_pattern) {
        error = session_select_kernel(session, work->arena, launch, of->first_values, &look->run,
                                      &look->block, diagnostic);
    } else {
        error = session_run_launch(session, work->arena, launch, NULL, 0, &look->run, diagnostic);
        if (error == ERROR_NONE && look->run.observations[0].failure == CODE_NONE) {
            look->block = look->run.observations[0].block;
        }
    }
    look->is_done = error == ERROR_NONE;
    return error;
}

/* True if the cases of a launch are worth running: in what was seen first nothing is missing. */
static bool is_worth_cases(const struct program_job *work, size_t launch)
{
    const struct rubric_launch *of = &work->config->rubric->launches[launch];
    const struct first_look *look = &work->first_looks[launch];

    if (!look->is_done) {
        return true;
    }
    return look->run.observations[0].launched && look->run.observations[0].failure == CODE_NONE &&
           (of->block != NULL || look->block != 0) && work->built.build.missing_macro_count == 0;
}

/* A launch that gets all its cases in one run. */
static enum error run_linked(struct program_job *work, const struct session_config *session,
                             size_t launch, struct diagnostic *diagnostic)
{
    const struct launch_run *first = &work->first_looks[launch].run;
    struct launch_run *run = &work->launch_runs[launch];
    struct session_config of_launch = *session;

    if (work->config->rubric->launches[launch].is_pattern) {
        if (first->kernel == NULL) {
            *run = *first;
            return ERROR_NONE;
        }
        of_launch.kernel = first->kernel;
    }
    enum error error = session_run_launch(&of_launch, work->arena, launch, work->cases,
                                          work->case_count, run, diagnostic);
    run->surveyed = first->surveyed;
    run->surveyed_count = first->surveyed_count;
    return error;
}

/* The launches that get one case in each run, all together: they share builds. */
static enum error run_cased(struct program_job *work, const struct session_config *session,
                            const struct cased_launch *launches, size_t count,
                            struct diagnostic *diagnostic)
{
    struct launch_run *joined = arena_array(work->arena, count, sizeof *joined);
    const struct case_runs runs = {
        .build = {.config = work->config,
                  .work_folder = work->work_folder,
                  .program = work->program},
        .session = session,
        .first = &work->built,
        .first_resources = &work->resources,
        .pool = work->pool,
        .cases = work->cases,
        .case_count = work->case_count,
        .launches = launches,
        .launch_count = count,
    };
    enum error error = case_runs_make(&runs, work->arena, joined, diagnostic);

    for (size_t i = 0; i < count && error == ERROR_NONE; i++) {
        work->launch_runs[launches[i].launch] = joined[i];
    }
    return error;
}

/* True if one session runs all cases of a launch, of a whole program that is one call each in a
 * process of its own. */
static bool has_one_run(const struct rubric_launch *launch)
{
    return launch->input_count > 0 || launch_is_program(launch);
}

static enum error run_launches(struct program_job *work, const struct session_config *session,
                               struct diagnostic *diagnostic)
{
    const struct rubric *rubric = work->config->rubric;
    struct cased_launch *cased = arena_array(work->arena, rubric->launch_count, sizeof *cased);
    size_t cased_count = 0;

    for (size_t i = 0; i < rubric->launch_count; i++) {
        const struct first_look *look = &work->first_looks[i];
        if (rubric->launches[i].program != work->program || !work->launch_wanted[i]) {
            continue;
        }
        enum error error = look_first(work, session, i, diagnostic);
        if (error == ERROR_NONE && has_one_run(&rubric->launches[i])) {
            error = run_linked(work, session, i, diagnostic);
        } else if (error == ERROR_NONE && is_worth_cases(work, i)) {
            cased[cased_count++] =
                (struct cased_launch){i, look->block, look->is_done ? &look->run : NULL};
        } else {
            work->launch_runs[i] = look->run;
        }
        if (error != ERROR_NONE) {
            return error;
        }
    }
    return cased_count == 0 ? ERROR_NONE : run_cased(work, session, cased, cased_count, diagnostic);
}

/* The kernel that was observed for a launch, or else the one of that name in the program. */
static bool is_launch_kernel(const struct rubric_launch *launch, const struct launch_run *run,
                             const struct kernel_resources *kernel)
{
    for (size_t i = 0; i < run->observation_count; i++) {
        if (run->observations[i].launched) {
            return strcmp(run->observations[i].kernel, kernel->name) == 0;
        }
    }
    const char *name = run->kernel != NULL ? run->kernel : launch->kernel;
    return strcmp(kernel->plain_name, name) == 0;
}

static void note_launch_resources(struct program_job *work, const struct kernel_resources *kernels,
                                  size_t count)
{
    const struct rubric *rubric = work->config->rubric;

    for (size_t i = 0; i < rubric->launch_count; i++) {
        for (size_t j = 0; j < count && rubric->launches[i].program == work->program; j++) {
            if (is_launch_kernel(&rubric->launches[i], &work->launch_runs[i], &kernels[j])) {
                work->launch_resources[i] = kernels[j];
            }
        }
    }
}

/* Asks ptxas for the registers of all kernels, before anything runs: what does not assemble cannot
 * be launched, and the device refuses blocks that need more registers than there are. */
static enum error collect_resources(struct program_job *work, const struct session_config *session,
                                    struct diagnostic *diagnostic)
{
    struct kernel_resources *all = NULL;
    size_t capacity = 0;
    size_t count = 0;

    for (size_t i = 0; i < work->built.code.module_count; i++) {
        const struct kernel_resources *kernels = NULL;
        size_t kernel_count = 0;
        enum error error =
            session_resources(session, work->arena, i, &kernels, &kernel_count, diagnostic);

        if (error != ERROR_NONE) {
            return error;
        }
        arena_grow(work->arena, &all, &capacity, count + kernel_count, sizeof *all);
        for (size_t j = 0; j < kernel_count; j++) {
            all[count++] = kernels[j];
        }
    }
    work->built.build.kernels = all;
    work->built.build.kernel_count = count;
    return ERROR_NONE;
}

/* Runs for what is printed, and the observed launches, on the device of the session. */
static enum error run_observed(struct program_job *work, const struct session_config *session,
                               struct diagnostic *diagnostic)
{
    enum error error =
        run_printouts(work, session, work->printout_wanted, work->print_runs, diagnostic);

    return error == ERROR_NONE ? run_launches(work, session, diagnostic) : error;
}

struct session_config program_job_session(const struct submission_config *config,
                                          struct program_job *work, const struct device_plan *plan)
{
    return (struct session_config){
        .rubric = config->rubric,
        .toolchain = config->toolchain,
        .oracle = work->oracle,
        .device_path = config->device_path,
        .device = {.model = plan->model_record, .model_bytes = GPU_MODEL_RECORD_BYTES},
        .compute_major = plan->model.compute_major,
        .compute_minor = plan->model.compute_minor,
        .threads = config->threads,
        .seed = config->seed,
        .work_folder = work->work_folder,
        .account = &work->account,
    };
}

static enum error run_program(struct program_job *work, const struct device_plan *plan,
                              struct diagnostic *diagnostic)
{
    struct gpu_turn turn = {.lock = {.fd = -1}};
    struct session_config session = program_job_session(work->config, work, plan);

    session.program = &work->built;
    session.is_reference = work->is_reference;
    session.resources = &work->resources;
    enum error error = collect_resources(work, &session, diagnostic);

    if (error == ERROR_NONE && plan->runs_on_gpu && has_runs(work)) {
        error = take_turn(work, plan, &session, &turn, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = run_observed(work, &session, diagnostic);
    }
    gpu_lock_release(&turn.lock);
    if (error == ERROR_NONE && !plan->runs_on_gpu) {
        error = run_gpu_printouts(work, plan, session, diagnostic);
    }
    if (error == ERROR_NONE) {
        note_launch_resources(work, work->built.build.kernels, work->built.build.kernel_count);
    }
    return error;
}

/* The name of a program's source as the rubric has it; "" if it is none. */
static const char *own_source(const struct rubric_program *program, const char *file)
{
    for (size_t i = 0; i < program->source_count; i++) {
        if (strcmp(program->sources[i], file) == 0) {
            return program->sources[i];
        }
    }
    return "";
}

/* True if ptxas refuses an instruction that other GPUs than that one have: in assembly that a
 * source holds, or of a program that is compiled for a newer one (compiler_run.h). Whatever it
 * says, the program is not built; this is only whether a person should look. */
static bool needs_newer_gpu(const char *message)
{
    return strstr(message, "requires .target") != NULL ||
           strstr(message, "SM version specified by .target") != NULL;
}

/* Device code that nvcc let pass and ptxas or the device refuses, or crashes at, is the
 * submission's fault: it counts as not built, and the other programs are graded all the same. */
static void refuse_device_code(struct program_job *work)
{
    const struct rubric *rubric = work->config->rubric;
    struct program_build *build = &work->built.build;
    struct tool_message *message = arena_alloc(work->arena, sizeof *message);
    const char *source = own_source(&rubric->programs[work->program], work->diagnostic.file);

    *message = (struct tool_message){
        .is_error = true,
        .file = source,
        .line = source[0] == '\0' ? 0 : work->diagnostic.line,
        .column = source[0] == '\0' ? 0 : work->diagnostic.column,
        .message = toolchain_readable_message(work->arena, work->diagnostic.message),
        .symbol = toolchain_message_symbol(work->arena, work->diagnostic.message),
    };
    build->linked = false;
    build->failure = CODE_COMPILE_ERROR;
    if (work->error == ERROR_UNSUPPORTED || needs_newer_gpu(message->message)) {
        build->failure = CODE_UNKNOWN_INSTRUCTION;
    } else if (work->error == ERROR_PEER) {
        build->failure = CODE_DEVICE_CRASHED;
    } else if (strstr(message->message, "Unresolved extern") != NULL) {
        build->failure = CODE_LINK_ERROR;
    }
    build->messages = message;
    build->message_count = 1;
    memset(work->launch_runs, 0, rubric->launch_count * sizeof *work->launch_runs);
    memset(work->print_runs, 0, rubric->printout_count * sizeof *work->print_runs);
    memset(work->gpu_print_runs, 0, rubric->printout_count * sizeof *work->gpu_print_runs);
    work->error = ERROR_NONE;
}

/* Makes the arena and the places for what will be seen. */
static void start_work(struct program_job *work)
{
    const struct rubric *rubric = work->config->rubric;

    work->arena = arena_new();
    work->launch_runs = arena_array(work->arena, rubric->launch_count, sizeof *work->launch_runs);
    work->print_runs = arena_array(work->arena, rubric->printout_count, sizeof *work->print_runs);
    work->gpu_print_runs =
        arena_array(work->arena, rubric->printout_count, sizeof *work->gpu_print_runs);
    work->launch_resources =
        arena_array(work->arena, rubric->launch_count, sizeof *work->launch_resources);
    work->first_looks = arena_array(work->arena, rubric->launch_count, sizeof *work->first_looks);
}

/* What comes after the build. */
static void run_built(struct program_job *work)
{
    const struct device_plan *plan = NULL;

    if (work->error == ERROR_NONE) {
        work->error = device_planning_wait(work->planning, &plan, &work->diagnostic);
    }
    if (work->error == ERROR_NONE && work->built.build.linked) {
        uint64_t start_ns = clock_now_ns();
        tell(work, "running");
        work->error = run_program(work, plan, &work->diagnostic);
        work->run_seconds = seconds_since(start_ns);
    }
    if (work->error != ERROR_NONE && work->diagnostic.blame == BLAME_STUDENT) {
        refuse_device_code(work);
    }
}

void program_job_run(struct program_job *work)
{
    uint64_t start_ns = clock_now_ns();

    start_work(work);
    tell(work, "compiling");
    work->error = build_program(work, &work->diagnostic);
    work->build_seconds = seconds_since(start_ns);
    run_built(work);
}

void program_job_run_again(struct program_job *work, const struct program_job *first)
{
    start_work(work);
    work->built = first->built;
    work->resources = first->resources;
    work->account = first->account;
    for (size_t i = 0; i < work->config->rubric->launch_count; i++) {
        work->first_looks[i] = first->first_looks[i];
    }
    run_built(work);
}
