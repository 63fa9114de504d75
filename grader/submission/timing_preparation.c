/* timing_preparation.c: see timing_preparation.h. A program of the reference solution is built
 * once, whatever number of launches is learnt from it; a whole program once for each shape. */
#include "submission/timing_preparation.h"

#include "model/case.h"
#include "submission/case_program.h"
#include "submission/program_build.h"

#include <pthread.h>
#include <string.h>

/* One program of the reference solution, as it is or for some values of its overrides. */
struct reference_program {
    struct reference_program *next; /* NULL: the last one */
    size_t program;
    const int64_t *values; /* [override_count]; NULL: it is built as it is */
    struct built_program built;
    struct session_resource_cache resources;
    struct session_config session;
};

struct timing_preparation {
    const struct submission_config *config;
    struct device_planning *planning;
    const char *work_folder;
    struct arena *arena;
    pthread_t thread;
    bool has_thread;
    struct reference_program *programs; /* those that are built */
    struct prepared_timing *timings;    /* [criterion_count] */
    bool any;
};

/* A program that is built already; NULL if it is not. */
static struct reference_program *find_program(const struct timing_preparation *preparation,
                                              size_t program, const int64_t *values)
{
    size_t count = preparation->config->rubric->programs[program].override_count;

    for (struct reference_program *known = preparation->programs; known != NULL;
         known = known->next) {
        bool has_values = values != NULL && known->values != NULL;
        if (known->program == program && (values == NULL) == (known->values == NULL) &&
            (!has_values || memcmp(values, known->values, count * sizeof *values) == 0)) {
            return known;
        }
    }
    return NULL;
}

/* Builds a program of the reference solution, if that has not been done. */
static enum error provide_program(struct timing_preparation *preparation,
                                  const struct device_plan *plan, size_t program,
                                  const int64_t *values, struct reference_program **out_program,
                                  struct diagnostic *diagnostic)
{
    const struct submission_config *config = preparation->config;
    size_t count = config->rubric->programs[program].override_count;
    struct arena *arena = preparation->arena;
    int64_t *copy = values == NULL ? NULL : arena_array(arena, count, sizeof *copy);
    struct reference_program *reference = find_program(preparation, program, values);

    if (reference != NULL) {
        *out_program = reference;
        return ERROR_NONE;
    }
    if (values != NULL) {
        memcpy(copy, values, count * sizeof *copy);
    }
    const struct build_request request = {
        .rubric = config->rubric,
        .program = program,
        .work_folder = preparation->work_folder,
        .macro_values = copy,
    };
    reference = arena_alloc(arena, sizeof *reference);
    enum error error =
        toolchain_reference(config->toolchain, &request, arena, &reference->built, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    reference->program = program;
    reference->values = copy;
    reference->session = (struct session_config){
        .rubric = config->rubric,
        .toolchain = config->toolchain,
        .program = &reference->built,
        .device_path = config->device_path,
        .device = device_plan_emulated_gpu(plan),
        .compute_major = plan->gpus.model.compute_major,
        .compute_minor = plan->gpus.model.compute_minor,
        .threads = config->threads,
        .seed = config->seed,
        .work_folder = preparation->work_folder,
        .resources = &reference->resources,
    };
    reference->next = preparation->programs;
    preparation->programs = reference;
    *out_program = reference;
    return ERROR_NONE;
}

/* The kernel that a pattern means in the reference solution, and the block width of a launch that
 * is not told one: its build for the first shape shows them. */
static enum error look_first(struct timing_preparation *preparation, const struct device_plan *plan,
                             size_t launch, const char **out_kernel, int64_t *out_block,
                             struct diagnostic *diagnostic)
{
    const struct rubric *rubric = preparation->config->rubric;
    const struct rubric_launch *of = &rubric->launches[launch];
    struct reference_program *program = NULL;
    struct launch_run run = {.kernel = NULL};
    int64_t values[RUBRIC_OVERRIDES_MAX];
    bool has_values = program_first_values(rubric, of->program, values);
    enum error error = provide_program(preparation, plan, of->program, has_values ? values : NULL,
                                       &program, diagnostic);

    if (error == ERROR_NONE && of->is_pattern) {
        error = session_select_kernel(&program->session, preparation->arena, launch,
                                      of->first_values, &run, out_block, diagnostic);
        *out_kernel = run.kernel;
    } else if (error == ERROR_NONE) {
        error = session_run_launch(&program->session, preparation->arena, launch, NULL, 0, &run,
                                   diagnostic);
        *out_block = error == ERROR_NONE ? case_program_learnt_block_width(&run) : 0;
    }
    if (error == ERROR_NONE && ((of->is_pattern && *out_kernel == NULL) || *out_block == 0)) {
        diagnostic_set(diagnostic, BLAME_RUBRIC,
                       "the reference solution does not launch `%s` for the first shape",
                       of->kernel);
        error = ERROR_COURSEWORK;
    }
    return error;
}

/* Learns one launch; the session's configuration stays with the recipe. */
static enum error learn(struct timing_preparation *preparation, const struct device_plan *plan,
                        size_t launch, const int64_t *parameters, struct launch_recipe *out_recipe,
                        const struct session_config **out_config, struct diagnostic *diagnostic)
{
    const struct rubric *rubric = preparation->config->rubric;
    const struct rubric_launch *of = &rubric->launches[launch];
    const struct rubric_program *program = &rubric->programs[of->program];
    struct session_config *session = arena_alloc(preparation->arena, sizeof *session);
    struct reference_program *reference = NULL;
    struct drawn_case shape = {.case_index = SIZE_MAX};
    int64_t values[RUBRIC_OVERRIDES_MAX];
    const char *kernel = NULL;
    bool has_values = program_is_whole(program);
    enum error error = ERROR_NONE;

    memcpy(shape.units, parameters, sizeof shape.units); /* those that count have no unit */
    int64_t block = case_block(rubric, of, &shape);
    if (of->is_pattern || (of->input_count == 0 && of->has_first && block == 0)) {
        int64_t learnt = 0;
        error = look_first(preparation, plan, launch, &kernel, &learnt, diagnostic);
        block = block != 0 || of->input_count > 0 ? block : learnt;
    }
    if (error == ERROR_NONE && has_values &&
        !case_override_values(rubric, program, parameters, block, values)) {
        diagnostic_set(diagnostic, BLAME_RUBRIC,
                       "an override of the program %s cannot be evaluated at the timed shape",
                       program->id);
        error = ERROR_RANGE;
    }
    if (error == ERROR_NONE) {
        error = provide_program(preparation, plan, of->program, has_values ? values : NULL,
                                &reference, diagnostic);
    }
    if (error != ERROR_NONE) {
        return error;
    }
    *session = reference->session;
    session->kernel = kernel;
    session->block = block;
    session->is_trusted = session->is_reference = true;
    *out_config = session;
    return session_learn_launch(session, preparation->arena, launch, parameters, out_recipe,
                                diagnostic);
}

static enum error prepare_timing(struct timing_preparation *preparation,
                                 const struct device_plan *plan,
                                 const struct rubric_criterion *criterion,
                                 struct prepared_timing *timing, struct diagnostic *diagnostic)
{
    uint32_t multiprocessors = plan->gpus.model.multiprocessors;

    if (!case_timing_parameters(preparation->config->rubric, criterion, multiprocessors,
                                timing->parameters)) {
        diagnostic_set(diagnostic, BLAME_RUBRIC,
                       "the timed shape of %s cannot be evaluated for %u multiprocessors",
                       criterion->id, multiprocessors);
        return ERROR_RANGE;
    }
    enum error error = learn(preparation, plan, criterion->baseline, timing->parameters,
                             &timing->baseline, &timing->baseline_config, diagnostic);
    if (error == ERROR_NONE) {
        error = learn(preparation, plan, criterion->launch, timing->parameters, &timing->reference,
                      &timing->reference_config, diagnostic);
    }
    return error;
}

static void *preparation_thread(void *context)
{
    struct timing_preparation *preparation = context;
    const struct submission_config *config = preparation->config;
    const struct rubric *rubric = config->rubric;
    const struct device_plan *plan = NULL;
    struct diagnostic diagnostic = {.blame = BLAME_GRADER};

    if (device_planning_wait(preparation->planning, &plan, NULL) != ERROR_NONE ||
        plan->gpus.count == 0) {
        return NULL;
    }
    for (size_t i = 0; i < rubric->criterion_count; i++) {
        const struct rubric_criterion *criterion = &rubric->criteria[i];
        struct prepared_timing *timing = &preparation->timings[i];
        timing->trouble = "";
        if (criterion->kind != CRITERION_SPEEDUP ||
            (config->only != NULL && strcmp(config->only, criterion->id) != 0)) {
            continue;
        }
        preparation->any = true;
        if (prepare_timing(preparation, plan, criterion, timing, &diagnostic) != ERROR_NONE) {
            timing->trouble =
                arena_printf(preparation->arena, "the reference solution cannot be timed: %s",
                             diagnostic.message);
        }
    }
    return NULL;
}

struct timing_preparation *timing_preparation_start(const struct submission_config *config,
                                                    struct device_planning *planning,
                                                    const char *work_folder)
{
    const struct rubric *rubric = config->rubric;
    struct arena *arena = arena_new();
    struct timing_preparation *preparation = arena_alloc(arena, sizeof *preparation);

    *preparation = (struct timing_preparation){
        .config = config,
        .planning = planning,
        .work_folder = work_folder,
        .arena = arena,
        .timings = arena_array(arena, rubric->criterion_count, sizeof *preparation->timings),
    };
    preparation->has_thread =
        pthread_create(&preparation->thread, NULL, preparation_thread, preparation) == 0;
    if (!preparation->has_thread) {
        preparation_thread(preparation);
    }
    return preparation;
}

const struct prepared_timing *timing_preparation_finish(struct timing_preparation *preparation,
                                                        struct arena *arena)
{
    if (preparation == NULL) {
        return NULL;
    }
    if (preparation->has_thread) {
        pthread_join(preparation->thread, NULL);
    }
    const struct prepared_timing *timings = preparation->any ? preparation->timings : NULL;
    arena_adopt(arena, preparation->arena);
    return timings;
}
