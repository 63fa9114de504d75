/* device_plan.c: a thread that asks the driver, and those who wait for it; see device_plan.h. */
#include "submission/device_plan.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct device_planning {
    const struct submission_config *config;
    struct arena *arena;
    pthread_t thread;
    bool has_thread;
    pthread_mutex_t mutex; /* over what follows */
    pthread_cond_t done_changed;
    bool done;
    struct device_plan plan;
    enum error error;
    struct diagnostic diagnostic;
};

/* Asks the driver and chooses. */
static enum error choose_gpus(struct device_planning *planning, struct gpu_choice *out_choice,
                              struct diagnostic *diagnostic)
{
    const struct submission_config *config = planning->config;
    const struct session_gpu *listed = NULL;
    size_t count = 0;
    const char *reason = "";
    enum error error = session_list_gpus(config->device_path, planning->arena, &listed, &count,
                                         &reason, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    if (count == 0 && config->gpu_count > 0) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "--gpus names real GPUs, but none was found: %s", reason);
        return ERROR_ENVIRONMENT;
    }
    if (count == 0) {
        out_choice->reason = reason;
        return ERROR_NONE;
    }
    return gpu_choice_make(planning->arena, listed, count, config->gpus, config->gpu_count,
                           out_choice, diagnostic);
}

static enum error make_plan(struct device_planning *planning, struct device_plan *plan,
                            struct diagnostic *diagnostic)
{
    const struct submission_config *config = planning->config;
    const char *model = config->gpu_model != NULL ? config->gpu_model : config->rubric->gpu_model;
    enum error error = ERROR_NONE;

    plan->gpus.reason = "none was looked for";
    if (config->device != DEVICE_EMULATED) {
        error = choose_gpus(planning, &plan->gpus, diagnostic);
    }
    if (error != ERROR_NONE) {
        return error;
    }
    if (config->device == DEVICE_CUDA && plan->gpus.count == 0) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "--device cuda needs a GPU: %s",
                       plan->gpus.reason);
        return ERROR_ENVIRONMENT;
    }
    plan->runs_on_gpu = config->device == DEVICE_CUDA;
    plan->has_own_model = plan->gpus.count > 0 && config->gpu_model != NULL;
    if (plan->gpus.count > 0 && config->gpu_model == NULL) {
        plan->model = plan->gpus.model;
    } else {
        error = gpu_model_find(model, &plan->model, diagnostic);
    }
    if (error == ERROR_NONE) {
        gpu_model_pack(&plan->model, plan->model_record);
    }
    return error;
}

static void *planning_thread(void *context)
{
    struct device_planning *planning = context;
    struct device_plan plan = {0};
    struct diagnostic diagnostic = {.blame = BLAME_GRADER};
    enum error error = ERROR_NONE;

    if (planning->config->plan != NULL) {
        plan = *planning->config->plan;
    } else {
        error = make_plan(planning, &plan, &diagnostic);
    }
    pthread_mutex_lock(&planning->mutex);
    planning->plan = plan;
    planning->error = error;
    planning->diagnostic = diagnostic;
    planning->done = true;
    pthread_cond_broadcast(&planning->done_changed);
    pthread_mutex_unlock(&planning->mutex);
    return NULL;
}

struct device_planning *device_planning_start(const struct submission_config *config)
{
    struct arena *arena = arena_new();
    struct device_planning *planning = arena_alloc(arena, sizeof *planning);

    planning->config = config;
    planning->arena = arena;
    pthread_mutex_init(&planning->mutex, NULL);
    pthread_cond_init(&planning->done_changed, NULL);
    planning->has_thread = config->device != DEVICE_EMULATED && config->plan == NULL &&
                           pthread_create(&planning->thread, NULL, planning_thread, planning) == 0;
    if (!planning->has_thread) {
        planning_thread(planning);
    }
    return planning;
}

enum error device_planning_wait(struct device_planning *planning,
                                const struct device_plan **out_plan, struct diagnostic *diagnostic)
{
    pthread_mutex_lock(&planning->mutex);
    while (!planning->done) {
        pthread_cond_wait(&planning->done_changed, &planning->mutex);
    }
    pthread_mutex_unlock(&planning->mutex);
    if (planning->error != ERROR_NONE) {
        if (diagnostic != NULL) {
            *diagnostic = planning->diagnostic;
        }
        return planning->error;
    }
    *out_plan = &planning->plan;
    return ERROR_NONE;
}

void device_planning_end(struct device_planning *planning, struct arena *arena)
{
    if (planning == NULL) {
        return;
    }
    if (planning->has_thread) {
        pthread_join(planning->thread, NULL);
    }
    pthread_cond_destroy(&planning->done_changed);
    pthread_mutex_destroy(&planning->mutex);
    arena_adopt(arena, planning->arena);
}

struct device_choice device_plan_gpu(const struct device_plan *plan, size_t gpu)
{
    return (struct device_choice){.is_gpu = true, .gpu = plan->gpus.gpus[gpu].uuid};
}

struct device_choice device_plan_emulated_gpu(const struct device_plan *plan)
{
    return (struct device_choice){.model = plan->gpus.gpus[0].model,
                                  .model_bytes = plan->gpus.gpus[0].model_bytes};
}
