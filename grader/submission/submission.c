/* submission.c: from files to a report; see submission.h. */
#include "submission/submission.h"

#include "base/clock.h"
#include "base/file.h"
#include "criteria/criteria.h"
#include "criteria/kinds/marks_again.h"
#include "diagnosis/location/exit_location.h"
#include "model/case.h"
#include "model/consistency.h"
#include "source/source_index.h"
#include "submission/constant_detection_job.h"
#include "submission/dataflow_fingerprint.h"
#include "submission/device_plan.h"
#include "submission/findings_merge.h"
#include "submission/fix_trial.h"
#include "submission/hidden_part.h"
#include "submission/intake.h"
#include "submission/launch_profiles.h"
#include "submission/operand_trial.h"
#include "submission/program_job.h"
#include "submission/program_outputs.h"
#include "submission/reference_needs.h"
#include "submission/reference_runs.h"
#include "submission/remarks.h"
#include "submission/step_job.h"
#include "submission/timing_job.h"
#include "submission/trace_job.h"
#include "submission/wanted_runs.h"

#include <pthread.h>
#include <string.h>
#include <sys/stat.h>

/* What grading one submission needs from stage to stage. Where the rubric hides something, all of
 * it is about the visible part, as if there were no other; `hidden` comes afterwards. */
struct grading {
    const struct submission_config *config;
    struct hidden_part *hidden; /* NULL: nothing is hidden */
    struct arena *arena;
    struct device_planning *planning;
    const struct device_plan *plan; /* once the programs are done */
    char *work_folder;
    struct core_pool pool;
    struct intake intake;
    const struct drawn_case *cases;
    size_t case_count;
    struct wanted_runs wanted;
    struct program_job *works; /* [program_count] */
    struct timing_preparation *preparation;
    struct timing_job timing;
    struct trace_job trace;
    struct constant_detection_job other_gpu;
    const struct oracle *oracle;
    struct session_oracle session_oracle; /* the same, for the programs' threads */
    struct submission_evidence evidence;
    struct criteria_input input; /* of the criteria */
    struct verdict *verdicts;    /* of the report */
};

static void tell(const struct grading *grading, const char *stage)
{
    if (grading->config->progress != NULL) {
        grading->config->progress(grading->config->progress_context, stage);
    }
}

/* The private folder: source/ (the copy), cudart/ (our runtime), build-*, run-*. As root, sandboxed
 * programs have a user of their own, which must be able to walk through it. */
static enum error prepare_folder(struct grading *grading, const struct intake_files *files,
                                 struct diagnostic *diagnostic)
{
    const struct toolchain *toolchain = grading->config->toolchain;
    struct arena *arena = grading->arena;
    enum error error = folder_make_temporary(arena, &grading->work_folder, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    const char *cudart = arena_printf(arena, "%s/cudart", grading->work_folder);
    if (chmod(grading->work_folder, 0711) != 0 || folder_make(cudart, 0755, NULL) != ERROR_NONE) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "%s cannot be created", cudart);
        return ERROR_ENVIRONMENT;
    }
    error =
        file_copy(arena_printf(arena, "%s/%s", toolchain->cudart_folder, CUDART_SONAME),
                  arena_printf(arena, "%s/%s", cudart, CUDART_SONAME), 0755, 64 << 20, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    return intake_place(arena, grading->config->rubric, files, grading->work_folder,
                        &grading->intake, diagnostic);
}

static void *work_thread(void *work)
{
    program_job_run(work);
    return NULL;
}

/* All programs side by side; the calling thread loads the oracle meanwhile. */
static enum error run_programs(struct grading *grading, struct diagnostic *diagnostic)
{
    const struct rubric *rubric = grading->config->rubric;
    pthread_t *threads = arena_array(grading->arena, rubric->program_count, sizeof *threads);
    bool *started = arena_array(grading->arena, rubric->program_count, sizeof *started);

    grading->session_oracle = (struct session_oracle)SESSION_ORACLE_NEW;
    grading->works = arena_array(grading->arena, rubric->program_count, sizeof *grading->works);
    for (size_t i = 0; i < rubric->program_count; i++) {
        grading->works[i] = (struct program_job){
            .config = grading->config,
            .planning = grading->planning,
            .pool = &grading->pool,
            .oracle = &grading->session_oracle,
            .work_folder = grading->work_folder,
            .program = i,
            .cases = grading->cases,
            .case_count = grading->case_count,
            .launch_wanted = grading->wanted.launches,
            .printout_wanted = grading->wanted.printouts,
        };
        started[i] = pthread_create(&threads[i], NULL, work_thread, &grading->works[i]) == 0;
    }
    enum error error = toolchain_oracle(grading->config->toolchain, grading->arena, rubric,
                                        &grading->oracle, diagnostic);
    session_oracle_set(&grading->session_oracle, grading->oracle);
    for (size_t i = 0; i < rubric->program_count; i++) {
        struct program_job *work = &grading->works[i];
        if (started[i]) {
            pthread_join(threads[i], NULL);
        } else {
            program_job_run(work);
        }
        arena_adopt(grading->arena, work->arena);
        if (error == ERROR_NONE && work->error != ERROR_NONE) {
            error = work->error;
            *diagnostic = work->diagnostic;
        }
    }
    return error != ERROR_NONE
               ? error
               : device_planning_wait(grading->planning, &grading->plan, diagnostic);
}

/* What the programs printed on a real GPU beside the emulated device; NULL if none did. */
static const struct print_run *gpu_print_runs(const struct grading *grading)
{
    const struct rubric *rubric = grading->config->rubric;
    struct print_run *runs = arena_array(grading->arena, rubric->printout_count, sizeof *runs);
    bool any = false;

    for (size_t i = 0; i < rubric->printout_count; i++) {
        runs[i] = grading->works[rubric->printouts[i].program].gpu_print_runs[i];
        any = any || runs[i].activity.ran;
    }
    return any ? runs : NULL;
}

static void collect_evidence(struct grading *grading, struct kernel_resources **out_resources)
{
    const struct rubric *rubric = grading->config->rubric;
    struct arena *arena = grading->arena;
    struct program_build *builds = arena_array(arena, rubric->program_count, sizeof *builds);
    struct launch_run *launches = arena_array(arena, rubric->launch_count, sizeof *launches);
    struct print_run *prints = arena_array(arena, rubric->printout_count, sizeof *prints);
    struct kernel_resources *resources =
        arena_array(arena, rubric->launch_count, sizeof *resources);

    for (size_t i = 0; i < rubric->program_count; i++) {
        builds[i] = grading->works[i].built.build;
    }
    for (size_t i = 0; i < rubric->launch_count; i++) {
        const struct program_job *work = &grading->works[rubric->launches[i].program];
        launches[i] = work->launch_runs[i];
        resources[i] = work->launch_resources[i];
    }
    for (size_t i = 0; i < rubric->printout_count; i++) {
        prints[i] = grading->works[rubric->printouts[i].program].print_runs[i];
    }
    grading->evidence = (struct submission_evidence){
        .builds = builds,
        .launch_runs = launches,
        .print_runs = prints,
        .gpu_print_runs = gpu_print_runs(grading),
    };
    *out_resources = resources;
}

/* What the criteria see, but for the times. */
static void prepare_input(struct grading *grading)
{
    const struct device_plan *plan = grading->plan;
    struct kernel_resources *resources = NULL;

    collect_evidence(grading, &resources);
    reference_runs_add(grading->config, grading->works, grading->cases, grading->case_count,
                       grading->arena, &grading->evidence);
    grading->input = (struct criteria_input){
        .rubric = grading->config->rubric,
        .evidence = &grading->evidence,
        .oracle = grading->oracle,
        .model = &plan->model,
        .timing_model = plan->gpus.count > 0 ? &plan->gpus.model : NULL,
        .is_emulated = !plan->runs_on_gpu,
        .launch_resources = resources,
        .is_template = grading->intake.is_template,
        .sources = grading->intake.sources,
        .source_count = grading->intake.source_count,
        .index =
            source_index_new(grading->arena, grading->intake.sources, grading->intake.source_count),
        .is_known_correct =
            arena_array(grading->arena, grading->config->rubric->launch_count + 1, sizeof(bool)),
    };
}

/* Times what is known to be right; the programs are done. */
static enum error measure_speed(struct grading *grading, struct diagnostic *diagnostic)
{
    grading->timing = (struct timing_job){
        .config = grading->config,
        .plan = grading->plan,
        .works = grading->works,
        .prepared = timing_preparation_finish(grading->preparation, grading->arena),
    };
    if (grading->hidden != NULL && grading->hidden->hidden.case_count > 0) {
        grading->timing.also = &grading->hidden->hidden.input;
    }
    grading->preparation = NULL;
    enum error error =
        timing_job_run(&grading->timing, &grading->input, grading->arena, diagnostic);
    grading->evidence.timings = grading->timing.timings;
    if (error == ERROR_NONE && grading->hidden != NULL) {
        error = hidden_part_time(grading->hidden, &grading->timing, grading->arena, diagnostic);
    }
    return error;
}

/* Takes out of the rubric what students do not see: everything is made without it first. */
static void split_rubric(struct grading *grading)
{
    const struct submission_config *config = grading->config;

    if (!rubric_hides(config->rubric)) {
        return;
    }
    struct rubric *visible = arena_alloc(grading->arena, sizeof *visible);
    struct submission_config *copy = arena_alloc(grading->arena, sizeof *copy);
    *visible = rubric_public_view(config->rubric);
    *copy = *config;
    copy->rubric = visible;
    grading->hidden = arena_alloc(grading->arena, sizeof *grading->hidden);
    grading->hidden->config = config;
    grading->config = copy;
}

/* Runs what is hidden; all that is visible has been run. */
static enum error run_hidden(struct grading *grading, struct diagnostic *diagnostic)
{
    struct hidden_part *hidden = grading->hidden;

    if (hidden == NULL) {
        return ERROR_NONE;
    }
    hidden->planning = grading->planning;
    hidden->works = grading->works;
    hidden->cases = grading->cases;
    hidden->case_count = grading->case_count;
    hidden->input = &grading->input;
    return hidden_part_run(hidden, grading->arena, diagnostic);
}

/* Looks closer at what was judged to be wrong. */
static void find_wrong_lines(struct grading *grading, struct verdict *verdicts, size_t count)
{
    grading->trace = (struct trace_job){
        .config = grading->config,
        .plan = grading->plan,
        .works = grading->works,
        .cases = grading->cases,
        .case_count = grading->case_count,
    };
    trace_job_run(&grading->trace, &grading->input, &grading->evidence, grading->arena, verdicts,
                  count);
}

/* Looks closer at what was judged to be right. */
static enum error find_constants(struct grading *grading, struct verdict *verdicts, size_t count,
                                 struct diagnostic *diagnostic)
{
    grading->other_gpu = (struct constant_detection_job){
        .config = grading->config,
        .works = grading->works,
        .pool = &grading->pool,
        .input = &grading->input,
        .evidence = &grading->evidence,
    };
    return constant_detection_job_run(&grading->other_gpu, grading->arena, verdicts, count,
                                      diagnostic);
}

/* Judges, and then explains what was judged. */
static enum error judge(struct grading *grading, struct report *out_report,
                        struct diagnostic *diagnostic)
{
    const struct rubric *rubric = grading->config->rubric;
    struct verdict *verdicts =
        arena_array(grading->arena, rubric->criterion_count, sizeof *verdicts);
    size_t count = 0;

    evidence_ensure(rubric, &grading->evidence);
    for (size_t i = 0; i < rubric->criterion_count; i++) {
        if (criterion_is_judged(grading->config, &rubric->criteria[i])) {
            criterion_judge(&grading->input, grading->arena, &rubric->criteria[i],
                            &verdicts[count++]);
        }
    }
    reference_needs_settle(grading->works, grading->arena, verdicts, count);
    find_wrong_lines(grading, verdicts, count);
    grading->verdicts = verdicts;
    out_report->verdicts = verdicts;
    out_report->verdict_count = count;
    enum error error = find_constants(grading, verdicts, count, diagnostic);
    for (size_t i = 0; i < count && error == ERROR_NONE; i++) {
        diagnosis_explain(&grading->input, grading->arena, &verdicts[i]);
    }
    return error;
}

/* What the parts of a check took, those of programs that were built and run at once added up. What
 * ran to find lines is no part of judging, whose times do not hold it. */
static void note_seconds(const struct grading *grading, uint64_t start_ns, uint64_t judge_ns,
                         uint64_t report_ns, struct report *out_report)
{
    enum { COMPILE, LINK, RUN, TIMING, JUDGE, REPORT, TOTAL, STAGES };
    static const char *const names[STAGES] = {
        [COMPILE] = "compile", [LINK] = "link",     [RUN] = "run",     [TIMING] = "timing",
        [JUDGE] = "judge",     [REPORT] = "report", [TOTAL] = "total",
    };
    struct named_seconds *seconds = arena_array(grading->arena, STAGES, sizeof *seconds);
    const double ran_late = grading->trace.seconds + grading->other_gpu.seconds;
    const uint64_t now_ns = clock_now_ns();

    for (size_t i = 0; i < STAGES; i++) {
        seconds[i].name = names[i];
    }
    seconds[RUN].seconds = ran_late;
    seconds[TIMING].seconds = grading->timing.seconds;
    seconds[JUDGE].seconds = (double)(report_ns - judge_ns) / (double)CLOCK_NS_PER_S - ran_late;
    seconds[JUDGE].seconds = seconds[JUDGE].seconds > 0 ? seconds[JUDGE].seconds : 0;
    seconds[REPORT].seconds = (double)(now_ns - report_ns) / (double)CLOCK_NS_PER_S;
    seconds[TOTAL].seconds = (double)(now_ns - start_ns) / (double)CLOCK_NS_PER_S;
    if (grading->hidden != NULL) { /* how long it takes is hidden as well */
        seconds[TOTAL].seconds -= grading->hidden->seconds;
    }
    for (size_t i = 0; i < grading->config->rubric->program_count; i++) {
        const struct program_job *work = &grading->works[i];
        seconds[COMPILE].seconds += work->build_seconds - work->built.link_seconds;
        seconds[LINK].seconds += work->built.link_seconds;
        seconds[RUN].seconds += work->run_seconds;
    }
    out_report->seconds = seconds;
    out_report->seconds_count = STAGES;
}

static bool is_gpu_used(const struct grading *grading, size_t gpu)
{
    for (size_t i = 0; i < grading->config->rubric->program_count; i++) {
        if (grading->works[i].used_gpu && grading->works[i].gpu == gpu) {
            return true;
        }
    }
    return grading->timing.used_gpus[gpu];
}

/* The device that gave the diagnostics, then the real GPUs that were used beside it; of those that
 * could have been, the first, if none was needed. */
static void list_devices(const struct grading *grading, struct report *out_report)
{
    const struct device_plan *plan = grading->plan;
    struct report_device *devices =
        arena_array(grading->arena, plan->gpus.count + 1, sizeof *devices);
    size_t count = 0;
    bool any_used = false;

    if (!plan->runs_on_gpu) {
        devices[count++] = (struct report_device){
            .kind = "emulated",
            .gpu_model = arena_strdup(grading->arena, plan->model.name),
            .uuid = "",
        };
    }
    for (size_t i = 0; i < plan->gpus.count; i++) {
        any_used = any_used || is_gpu_used(grading, i);
    }
    for (size_t i = 0; i < plan->gpus.count; i++) {
        if (is_gpu_used(grading, i) || (!any_used && i == 0)) {
            devices[count++] = (struct report_device){
                .kind = "cuda",
                .gpu_model = arena_strdup(grading->arena, plan->gpus.model.name),
                .uuid = arena_strdup(grading->arena, plan->gpus.gpus[i].uuid),
                .driver_version = plan->gpus.gpus[i].driver_version,
            };
        }
    }
    out_report->devices = devices;
    out_report->device_count = count;
    out_report->gpu_note = grading->config->device == DEVICE_AUTO
                               ? arena_strdup(grading->arena, plan->gpus.reason)
                               : "";
}

/* What was left out at the intake, then what the runs showed. */
static void collect_remarks(struct grading *grading, struct report *out_report)
{
    const struct intake *intake = &grading->intake;
    const struct remark *seen = NULL;
    size_t count = 0;

    const struct remark_sources sources = {grading->config->rubric, &grading->evidence,
                                           out_report->verdicts, out_report->verdict_count,
                                           grading->input.index};
    remarks_collect(grading->arena, &sources, &seen, &count);
    struct remark *all = arena_array(grading->arena, intake->remark_count + count, sizeof *all);
    for (size_t i = 0; i < intake->remark_count + count; i++) {
        all[i] = i < intake->remark_count ? intake->remarks[i] : seen[i - intake->remark_count];
    }
    out_report->remarks = all;
    out_report->remark_count = intake->remark_count + count;
}

/* True if programs ran on the emulated device, and its process was confined each time. */
static bool is_device_confined(const struct grading *grading)
{
    const struct rubric *rubric = grading->config->rubric;
    const struct submission_evidence *evidence = &grading->evidence;
    bool any_ran = false;

    for (size_t i = 0; i < rubric->launch_count + rubric->printout_count; i++) {
        const struct program_activity *activity =
            i < rubric->launch_count ? &evidence->launch_runs[i].activity
                                     : &evidence->print_runs[i - rubric->launch_count].activity;
        if (activity->ran && !activity->device_is_confined) {
            return false;
        }
        any_ran = any_ran || activity->ran;
    }
    return any_ran;
}

/* What a batch compares submissions by. */
static void collect_device_code(struct grading *grading, struct report *out_report)
{
    const struct rubric *rubric = grading->config->rubric;
    struct device_code *codes = arena_array(grading->arena, rubric->program_count, sizeof *codes);
    size_t count = 0;

    for (size_t i = 0; i < rubric->program_count; i++) {
        const struct fat_program *code = &grading->works[i].built.code;
        if (code->module_count > 0) {
            codes[count++] =
                dataflow_fingerprint_make(grading->arena, rubric->programs[i].id, code);
        }
    }
    out_report->device_code = codes;
    out_report->device_code_count = count;
}

static void fill_report(struct grading *grading, struct report *out_report)
{
    const struct submission_config *config = grading->config;
    const struct sandbox *sandbox = config->toolchain->sandbox;

    out_report->rubric = config->rubric;
    out_report->submission_name = config->name;
    out_report->only = config->only;
    memcpy(out_report->submission_sha256, grading->intake.sha256,
           sizeof out_report->submission_sha256);
    out_report->seed = config->seed;
    list_devices(grading, out_report);
    out_report->sandbox = (struct report_sandbox){
        .tier = sandbox_tier_name(sandbox->tier),
        .note = sandbox->note,
        .memory = sandbox_bound_name(sandbox->bound),
        .own_user = sandbox->uses_slots,
        .filters_calls = sandbox->filters_calls,
        .confines_device = is_device_confined(grading),
    };
    out_report->compiler = config->toolchain->compiler.name;
    out_report->grader_version = GPUGRADE_VERSION;
    out_report->sources = grading->intake.sources;
    out_report->source_count = grading->intake.source_count;
    out_report->again = config->again;
    findings_merge(grading->arena, config->rubric, &grading->evidence, &out_report->findings,
                   &out_report->finding_count);
    locate_exits(grading->arena, grading->input.index, out_report);
    collect_remarks(grading, out_report);
    collect_device_code(grading, out_report);
    program_outputs_collect(grading->arena, config->rubric, &grading->evidence,
                            &out_report->outputs, &out_report->output_count);
    launch_profiles_make(&grading->input, grading->arena, &out_report->profiles,
                         &out_report->profile_count);
}

/* The verdicts are still our own. */
static void try_fixes(struct grading *grading, const struct intake_files *files,
                      const struct report *report)
{
    const struct fix_trial trial = {grading->config, grading->plan, files, &grading->input,
                                    submission_grade};

    fix_trial_run(&trial, grading->arena, report, grading->verdicts);
}

/* Likewise. */
static void try_operands(struct grading *grading, const struct intake_files *files,
                         const struct report *report)
{
    const struct operand_trial trial = {
        .config = grading->config,
        .plan = grading->plan,
        .files = files,
        .input = &grading->input,
        .works = grading->works,
        .cases = grading->cases,
        .case_count = grading->case_count,
        .work_folder = grading->work_folder,
    };

    operand_trial_run(&trial, grading->arena, report, grading->verdicts);
}

/* Points for what could not be measured here. What other criteria say of the submission decides, so
 * one criterion alone stays skipped. */
static void settle_unmeasured(const struct grading *grading, struct report *report)
{
    const struct rubric *rubric = grading->config->rubric;

    if (grading->config->only != NULL || rubric->unmeasured == UNMEASURED_LEAVE_OUT) {
        return;
    }
    report->verdicts =
        marks_settle_unmeasured(rubric, grading->arena, report->verdicts, report->verdict_count);
    if (report->student != NULL) {
        struct report *student = arena_alloc(grading->arena, sizeof *student);
        *student = *report->student;
        student->verdicts = marks_settle_unmeasured(rubric, grading->arena, student->verdicts,
                                                    student->verdict_count);
        report->student = student;
    }
}

static enum error grade_in_folder(struct grading *grading, const struct intake_files *files,
                                  struct report *out_report, struct diagnostic *diagnostic)
{
    uint64_t start_ns = clock_now_ns();
    enum error error = prepare_folder(grading, files, diagnostic);

    if (error == ERROR_NONE) {
        grading->planning = device_planning_start(grading->config);
    }
    if (error == ERROR_NONE && grading->config->device != DEVICE_AUTO) {
        /* what must fail, fails before anything is built */
        error = device_planning_wait(grading->planning, &grading->plan, diagnostic);
    }
    if (error != ERROR_NONE) {
        return error;
    }
    const struct rubric *rubric = grading->config->rubric;
    cases_draw(grading->arena, rubric, grading->config->seed, &grading->cases,
               &grading->case_count);
    grading->wanted = wanted_runs_list(grading->arena, grading->config, 0, rubric->criterion_count);
    tell(grading, "building and running");
    grading->preparation = timing_preparation_start(
        grading->hidden != NULL ? grading->hidden->config : grading->config, grading->planning,
        grading->work_folder);
    error = run_programs(grading, diagnostic);
    if (error == ERROR_NONE) {
        prepare_input(grading);
        error = run_hidden(grading, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = measure_speed(grading, diagnostic);
    }
    if (error != ERROR_NONE) {
        return error;
    }
    tell(grading, "judging");
    memset(out_report, 0, sizeof *out_report);
    const uint64_t judge_ns = clock_now_ns();
    error = judge(grading, out_report, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    const uint64_t report_ns = clock_now_ns();
    fill_report(grading, out_report);
    if (grading->config->steps != NULL) {
        tell(grading, "replaying a block");
        const struct step_job job = {
            .config = grading->config,
            .plan = grading->plan,
            .works = grading->works,
            .cases = grading->cases,
            .case_count = grading->case_count,
            .verdicts = out_report->verdicts,
            .verdict_count = out_report->verdict_count,
        };
        out_report->steps = step_job_run(&job, &grading->input, &grading->evidence, grading->arena);
    }
    try_fixes(grading, files, out_report);
    try_operands(grading, files, out_report);
    note_seconds(grading, start_ns, judge_ns, report_ns, out_report);
    if (grading->hidden != NULL) {
        hidden_part_judge(grading->hidden, grading->arena, out_report);
    }
    settle_unmeasured(grading, out_report);
    return ERROR_NONE;
}

enum error submission_grade(const struct submission_config *config,
                            const struct intake_files *files, struct arena *arena,
                            struct report *out_report, struct diagnostic *diagnostic)
{
    struct grading grading = {.config = config, .arena = arena};

    split_rubric(&grading);
    core_pool_init(&grading.pool, config->threads);
    enum error error = grade_in_folder(&grading, files, out_report, diagnostic);

    if (error == ERROR_NONE) {
        report_ensure(out_report);
    }
    (void)timing_preparation_finish(grading.preparation, arena);
    device_planning_end(grading.planning, arena);
    core_pool_release(&grading.pool);
    if (grading.work_folder != NULL && !folder_remove(grading.work_folder) && error == ERROR_NONE) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "%s cannot be removed", grading.work_folder);
        error = ERROR_ENVIRONMENT;
    }
    return error;
}
