/* submission.c: from a folder to a report; see submission.h. */
#include "submission/submission.h"

#include "base/clock.h"
#include "base/file.h"
#include "criteria/criteria.h"
#include "model/case.h"
#include "occupancy/gpu_model_record.h"
#include "submission/findings_merge.h"
#include "submission/intake.h"
#include "submission/program_work.h"
#include "submission/remarks.h"

#include <pthread.h>
#include <string.h>
#include <sys/stat.h>

/* What grading one submission needs from stage to stage. */
struct grading {
    const struct submission_config *config;
    struct arena *arena;
    struct gpu_model model;
    uint8_t model_record[GPU_MODEL_RECORD_BYTES];
    char *work_folder;
    struct intake intake;
    const struct drawn_case *cases;
    size_t case_count;
    bool *launch_wanted;
    bool *printout_wanted;
    struct program_work *works; /* [program_count] */
    const struct oracle *oracle;
    struct submission_evidence evidence;
};

static void tell(const struct grading *grading, const char *stage)
{
    if (grading->config->progress != NULL) {
        grading->config->progress(grading->config->progress_context, stage);
    }
}

static bool is_judged(const struct submission_config *config,
                      const struct rubric_criterion *criterion)
{
    return config->only == NULL || strcmp(config->only, criterion->id) == 0;
}

/* With --only, runs that no judged criterion looks at are left out. */
static void note_wanted_runs(struct grading *grading)
{
    const struct rubric *rubric = grading->config->rubric;

    grading->launch_wanted = arena_array(grading->arena, rubric->launch_count, sizeof(bool));
    grading->printout_wanted = arena_array(grading->arena, rubric->printout_count, sizeof(bool));
    for (size_t i = 0; i < rubric->criterion_count; i++) {
        const struct rubric_criterion *criterion = &rubric->criteria[i];
        if (!is_judged(grading->config, criterion)) {
            continue;
        }
        if (criterion->has_launch) {
            grading->launch_wanted[criterion->launch] = true;
        }
        if (criterion->has_printout) {
            grading->printout_wanted[criterion->printout] = true;
        }
        if (criterion->has_bytes_printout) {
            grading->printout_wanted[criterion->bytes_printout] = true;
        }
    }
}

/* The private folder: source/ (the copy), cudart/ (our runtime), build-*, run-*. As root, sandboxed
 * programs have a user of their own, which must be able to walk through it. */
static enum error prepare_folder(struct grading *grading, const char *folder,
                                 struct diagnostic *diagnostic)
{
    const struct toolchain *toolchain = grading->config->toolchain;
    struct arena *arena = grading->arena;
    enum error error = folder_make_temporary(arena, &grading->work_folder, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    const char *cudart = arena_printf(arena, "%s/cudart", grading->work_folder);
    if (chmod(grading->work_folder, 0711) != 0 || mkdir(cudart, 0755) != 0) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "%s cannot be made", cudart);
        return ERROR_ENVIRONMENT;
    }
    error =
        file_copy(arena_printf(arena, "%s/%s", toolchain->cudart_folder, CUDART_SONAME),
                  arena_printf(arena, "%s/%s", cudart, CUDART_SONAME), 0755, 64 << 20, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    return intake_copy(arena, grading->config->rubric, folder, grading->work_folder,
                       &grading->intake, diagnostic);
}

static void *work_thread(void *work)
{
    program_work_run(work);
    return NULL;
}

/* All programs side by side; the calling thread loads the oracle meanwhile. */
static enum error run_programs(struct grading *grading, struct diagnostic *diagnostic)
{
    const struct rubric *rubric = grading->config->rubric;
    pthread_t *threads = arena_array(grading->arena, rubric->program_count, sizeof *threads);
    bool *started = arena_array(grading->arena, rubric->program_count, sizeof *started);

    grading->works = arena_array(grading->arena, rubric->program_count, sizeof *grading->works);
    for (size_t i = 0; i < rubric->program_count; i++) {
        grading->works[i] = (struct program_work){
            .config = grading->config,
            .model = &grading->model,
            .model_record = grading->model_record,
            .work_folder = grading->work_folder,
            .program = i,
            .cases = grading->cases,
            .case_count = grading->case_count,
            .launch_wanted = grading->launch_wanted,
            .printout_wanted = grading->printout_wanted,
        };
        started[i] = pthread_create(&threads[i], NULL, work_thread, &grading->works[i]) == 0;
        if (!started[i]) {
            program_work_run(&grading->works[i]);
        }
    }
    enum error error =
        toolchain_oracle(grading->config->toolchain, rubric, &grading->oracle, diagnostic);
    for (size_t i = 0; i < rubric->program_count; i++) {
        struct program_work *work = &grading->works[i];
        if (started[i]) {
            pthread_join(threads[i], NULL);
        }
        arena_adopt(grading->arena, work->arena);
        if (error == ERROR_NONE && work->error != ERROR_NONE) {
            error = work->error;
            *diagnostic = work->diagnostic;
        }
    }
    return error;
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
        const struct program_work *work = &grading->works[rubric->launches[i].program];
        launches[i] = work->launch_runs[i];
        resources[i] = work->launch_resources[i];
    }
    for (size_t i = 0; i < rubric->printout_count; i++) {
        prints[i] = grading->works[rubric->printouts[i].program].print_runs[i];
    }
    grading->evidence = (struct submission_evidence){
        .builds = builds, .launch_runs = launches, .print_runs = prints};
    *out_resources = resources;
}

static void judge(struct grading *grading, struct report *out_report)
{
    const struct rubric *rubric = grading->config->rubric;
    struct verdict *verdicts =
        arena_array(grading->arena, rubric->criterion_count, sizeof *verdicts);
    struct kernel_resources *resources = NULL;
    size_t count = 0;

    collect_evidence(grading, &resources);
    const struct criteria_input input = {
        .rubric = rubric,
        .evidence = &grading->evidence,
        .oracle = grading->oracle,
        .model = &grading->model,
        .is_emulated = true,
        .launch_resources = resources,
        .is_template = grading->intake.is_template,
    };
    for (size_t i = 0; i < rubric->criterion_count; i++) {
        if (is_judged(grading->config, &rubric->criteria[i])) {
            criterion_judge(&input, grading->arena, &rubric->criteria[i], &verdicts[count++]);
        }
    }
    out_report->verdicts = verdicts;
    out_report->verdict_count = count;
}

static void note_seconds(const struct grading *grading, uint64_t start_ns,
                         struct report *out_report)
{
    struct named_seconds *seconds = arena_array(grading->arena, 3, sizeof *seconds);

    seconds[0].name = "build";
    seconds[1].name = "run";
    seconds[2].name = "total";
    seconds[2].seconds = (double)(clock_now_ns() - start_ns) / (double)CLOCK_NS_PER_S;
    for (size_t i = 0; i < grading->config->rubric->program_count; i++) {
        const struct program_work *work = &grading->works[i];
        seconds[0].seconds += work->build_seconds;
        seconds[1].seconds += work->run_seconds;
    }
    out_report->seconds = seconds;
    out_report->seconds_count = 3;
}

static void fill_report(struct grading *grading, struct report *out_report)
{
    const struct submission_config *config = grading->config;
    const struct sandbox *sandbox = config->toolchain->sandbox;

    out_report->rubric = config->rubric;
    out_report->submission_name = config->name;
    memcpy(out_report->submission_sha256, grading->intake.sha256,
           sizeof out_report->submission_sha256);
    out_report->seed = config->seed;
    struct report_device *device = arena_alloc(grading->arena, sizeof *device);
    *device = (struct report_device){
        .kind = "emulated",
        .gpu_model = arena_strdup(grading->arena, grading->model.name),
        .uuid = "",
    };
    out_report->devices = device;
    out_report->device_count = 1;
    out_report->sandbox = sandbox_tier_name(sandbox->tier);
    out_report->sandbox_note = sandbox->note;
    out_report->cuda_version = config->toolchain->nvcc_version;
    out_report->grader_version = GPUGRADE_VERSION;
    out_report->sources = grading->intake.sources;
    out_report->source_count = grading->intake.source_count;
    out_report->again = config->again;
    findings_merge(grading->arena, config->rubric, &grading->evidence, &out_report->findings,
                   &out_report->finding_count);
    remarks_collect(grading->arena, config->rubric, &grading->evidence, &out_report->remarks,
                    &out_report->remark_count);
}

static enum error grade_in_folder(struct grading *grading, const char *folder,
                                  struct report *out_report, struct diagnostic *diagnostic)
{
    uint64_t start_ns = clock_now_ns();
    enum error error = prepare_folder(grading, folder, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    cases_draw(grading->arena, grading->config->rubric, grading->config->seed, &grading->cases,
               &grading->case_count);
    note_wanted_runs(grading);
    tell(grading, "building and running");
    error = run_programs(grading, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    tell(grading, "judging");
    memset(out_report, 0, sizeof *out_report);
    judge(grading, out_report);
    fill_report(grading, out_report);
    note_seconds(grading, start_ns, out_report);
    return ERROR_NONE;
}

enum error submission_grade(const struct submission_config *config, const char *folder,
                            struct arena *arena, struct report *out_report,
                            struct diagnostic *diagnostic)
{
    struct grading grading = {.config = config, .arena = arena};
    const char *model = config->gpu_model != NULL ? config->gpu_model : config->rubric->gpu_model;
    enum error error = gpu_model_find(model, &grading.model, diagnostic);

    if (error == ERROR_NONE) {
        gpu_model_pack(&grading.model, grading.model_record);
        error = grade_in_folder(&grading, folder, out_report, diagnostic);
    }
    if (grading.work_folder != NULL && !folder_remove(grading.work_folder) && error == ERROR_NONE) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "%s cannot be removed", grading.work_folder);
        error = ERROR_ENVIRONMENT;
    }
    return error;
}
