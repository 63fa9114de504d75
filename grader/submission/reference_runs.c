/* reference_runs.c: see reference_runs.h. */
#include "submission/reference_runs.h"

#include "base/file.h"
#include "submission/program_build.h"
#include "submission/wanted_runs.h"
#include "toolchain/toolchain.h"

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
        .oracle = of->oracle,
        .work_folder = of->work_folder,
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
        of.config = config;
        of.cases = cases;
        of.case_count = case_count;
        of.launch_wanted = wanted.launches;
        of.printout_wanted = wanted.printouts;
        if (!works[i].built.build.linked || !reference_run(&of, arena, &work) ||
            work.error != ERROR_NONE) {
            continue;
        }
        any = true;
        for (size_t k = 0; k < rubric->launch_count; k++) {
            if (rubric->launches[k].program == i) {
                launches[k] = work.launch_runs[k];
            }
        }
        for (size_t k = 0; k < rubric->printout_count; k++) {
            if (rubric->printouts[k].program == i) {
                prints[k] = work.print_runs[k];
            }
        }
    }
    if (any) {
        evidence->reference_runs = launches;
        evidence->reference_print_runs = prints;
    }
}
