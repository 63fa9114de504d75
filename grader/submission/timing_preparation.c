/* timing_preparation.c: see timing_preparation.h. A program of the reference solution is built
 * once, whatever number of launches is learnt from it. */
#include "submission/timing_preparation.h"

#include "model/case.h"

#include <pthread.h>
#include <string.h>

/* One program of the reference solution. */
struct reference_program {
    bool is_built;
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
    struct reference_program *programs; /* [program_count] */
    struct prepared_timing *timings;    /* [criterion_count] */
    bool any;
};

/* Builds a program of the reference solution, if that has not been done. */
static enum error provide_program(struct timing_preparation *preparation,
                                  const struct device_plan *plan, size_t program,
                                  struct reference_program **out_program,
                                  struct diagnostic *diagnostic)
{
    const struct submission_config *config = preparation->config;
    struct reference_program *reference = &preparation->programs[program];

    *out_program = reference;
    if (reference->is_built) {
        return ERROR_NONE;
    }
    enum error error =
        toolchain_reference(config->toolchain, config->rubric, program, preparation->work_folder,
                            preparation->arena, &reference->built, diagnostic);
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
    reference->is_built = error == ERROR_NONE;
    return error;
}

/* Learns one launch; the session's configuration stays with the recipe. */
static enum error learn(struct timing_preparation *preparation, const struct device_plan *plan,
                        size_t launch, const int64_t *parameters, struct launch_recipe *out_recipe,
                        const struct session_config **out_config, struct diagnostic *diagnostic)
{
    struct reference_program *program = NULL;
    size_t index = preparation->config->rubric->launches[launch].program;
    enum error error = provide_program(preparation, plan, index, &program, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    *out_config = &program->session;
    return session_learn_launch(&program->session, preparation->arena, launch, parameters,
                                out_recipe, diagnostic);
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
                       "the shape at which %s is timed has no value for %u multiprocessors",
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
        .programs = arena_array(arena, rubric->program_count, sizeof *preparation->programs),
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
