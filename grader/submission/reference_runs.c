/* reference_runs.c: see reference_runs.h. */
#include "submission/reference_runs.h"

#include "base/file.h"
#include "submission/program_build.h"
#include "submission/wanted_runs.h"
#include "toolchain/toolchain.h"

#include <string.h>

bool reference_build(const struct program_job *of, struct arena *arena,
                     struct built_program *out_built)
{
    const struct submission_config *config = of->config;
    int64_t values[RUBRIC_OVERRIDES_MAX];
    struct diagnostic unused = {.blame = BLAME_NONE};
    const struct build_request request = {
        .rubric = config->rubric,
        .program = of->program,
        .work_folder = arena_printf(arena, "%s/needs", of->work_folder),
        .macro_values = program_first_values(config->rubric, of->program, values) ? values : NULL,
    };

    return folder_make(request.work_folder, 0711, &unused) == ERROR_NONE &&
           toolchain_reference(config->toolchain, &request, arena, out_built, &unused) ==
               ERROR_NONE;
}

bool reference_run(const struct program_job *of, struct arena *arena, struct program_job *out_work)
{
    const struct rubric *rubric = of->config->rubric;
    const bool is_cased = program_is_whole(&rubric->programs[of->program]);
    struct program_job first = {
        .first_looks = arena_array(arena, rubric->launch_count, sizeof *first.first_looks)};
    struct program_job work = {
        .config = of->config,
        .planning = of->planning,
        .pool = of->pool,
        .work_folder = of->work_folder,
        .is_reference = true,
        .program = of->program,
        .cases = of->cases,
        .case_count = is_cased ? 0 : of->case_count,
        .launch_wanted = of->launch_wanted,
        .printout_wanted = of->printout_wanted,
    };

    if (!reference_build(of, arena, &first.built)) {
        return false;
    }
    program_job_run_again(&work, &first);
    arena_adopt(arena, work.arena);
    *out_work = work;
    return true;
}

/* Lists the runs that are compared with; false if there are none. */
static bool list_wanted(const struct submission_config *config, struct wanted_runs *wanted)
{
    const struct rubric *rubric = config->rubric;
    bool any = false;

    for (size_t i = 0; i < rubric->criterion_count; i++) {
        const struct rubric_criterion *criterion = &rubric->criteria[i];
        if (!criterion->needs_reference || !criterion_is_judged(config, criterion)) {
            continue;
        }
        any = true;
        if (criterion->has_launch) {
            wanted->launches[criterion->launch] = true;
        }
        if (criterion->has_printout) {
            wanted->printouts[criterion->printout] = true;
        }
    }
    return any;
}

static void *copy_of(struct arena *arena, const void *bytes, size_t length)
{
    return bytes == NULL ? NULL : memcpy(arena_alloc(arena, length + 1), bytes, length);
}

/* What is left of counts for sums: no lines. */
static struct launch_counts sums_of(struct arena *arena, const struct launch_counts *counts)
{
    struct launch_counts sums = *counts;

    sums.others = NULL;
    sums.lines = NULL;
    sums.barriers = NULL;
    sums.other_count = sums.line_count = sums.barrier_count = 0;
    sums.branches =
        copy_of(arena, counts->branches, counts->branch_count * sizeof *counts->branches);
    return sums;
}

static struct sample counts_of_sample(struct arena *arena, const struct sample *sample)
{
    struct kernel_counts *kernels = arena_array(arena, sample->kernel_count, sizeof *kernels);

    for (size_t i = 0; i < sample->kernel_count; i++) {
        kernels[i] = (struct kernel_counts){
            .kernel = arena_strdup(arena, sample->kernels[i].kernel),
            .plain_name = arena_strdup(arena, sample->kernels[i].plain_name),
            .launches = sample->kernels[i].launches,
            .counts = sums_of(arena, &sample->kernels[i].counts),
        };
    }
    return (struct sample){
        .kind = sample->kind,
        .status = sample->status,
        .counts = sums_of(arena, &sample->counts),
        .kernels = kernels,
        .kernel_count = sample->kernel_count,
        .call = sample->call,
    };
}

/* Copies what a run counted. The arrays that it worked on are as large as the submission's. */
static struct launch_run counts_of_run(struct arena *arena, const struct launch_run *run)
{
    struct observation *observations =
        arena_array(arena, run->observation_count, sizeof *observations);

    for (size_t i = 0; i < run->observation_count; i++) {
        const struct observation *from = &run->observations[i];
        struct sample *samples = arena_array(arena, from->sample_count, sizeof *samples);
        for (size_t k = 0; k < from->sample_count; k++) {
            samples[k] = counts_of_sample(arena, &from->samples[k]);
        }
        observations[i] = (struct observation){
            .case_index = from->case_index,
            .repetition = from->repetition,
            .samples = samples,
            .sample_count = from->sample_count,
        };
        memcpy(observations[i].parameters, from->parameters, sizeof from->parameters);
        memcpy(observations[i].element_counts, from->element_counts, sizeof from->element_counts);
    }
    return (struct launch_run){.observations = observations,
                               .observation_count = run->observation_count};
}

static struct print_run text_of_run(struct arena *arena, const struct print_run *run)
{
    struct print_run text = {.file_length = run->file_length};

    text.activity.ran = run->activity.ran;
    text.activity.output_length = run->activity.output_length;
    text.activity.output = copy_of(arena, run->activity.output, run->activity.output_length);
    text.file = copy_of(arena, run->file, run->file_length);
    return text;
}

void reference_runs_add(const struct submission_config *config, const struct program_job *works,
                        const struct drawn_case *cases, size_t case_count, struct arena *arena,
                        struct submission_evidence *evidence)
{
    const struct rubric *rubric = config->rubric;
    struct wanted_runs wanted = wanted_runs_list(arena, config, 0, 0);
    struct launch_run *launches = arena_array(arena, rubric->launch_count, sizeof *launches);
    struct print_run *prints = arena_array(arena, rubric->printout_count, sizeof *prints);
    bool any = false;

    if (!list_wanted(config, &wanted)) {
        return;
    }
    for (size_t i = 0; i < rubric->program_count; i++) {
        struct program_job of = works[i];
        struct program_job work;
        struct arena *own = arena_new();
        of.config = config;
        of.cases = cases;
        of.case_count = case_count;
        of.launch_wanted = wanted.launches;
        of.printout_wanted = wanted.printouts;
        const bool is_run = works[i].built.build.linked && reference_run(&of, own, &work) &&
                            work.error == ERROR_NONE;
        any = any || is_run;
        for (size_t k = 0; is_run && k < rubric->launch_count; k++) {
            if (rubric->launches[k].program == i) {
                launches[k] = counts_of_run(arena, &work.launch_runs[k]);
            }
        }
        for (size_t k = 0; is_run && k < rubric->printout_count; k++) {
            if (rubric->printouts[k].program == i) {
                prints[k] = text_of_run(arena, &work.print_runs[k]);
            }
        }
        arena_free(own);
    }
    if (any) {
        evidence->reference_runs = launches;
        evidence->reference_print_runs = prints;
    }
}
