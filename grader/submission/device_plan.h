/* device_plan.h: decides which devices grade one submission, while its programs are built.
 *
 *   mode      diagnostics from                            speed from
 *   emulated  the emulated device                         -
 *   auto      the emulated device, with the real GPU's    the real GPU, if there is one
 *             properties unless another model is chosen
 *   cuda      the real GPU                                the real GPU
 */
#ifndef GPUGRADE_SUBMISSION_DEVICE_PLAN_H
#define GPUGRADE_SUBMISSION_DEVICE_PLAN_H

#include "occupancy/gpu_model_record.h"
#include "submission/gpu_choice.h"

struct device_plan {
    bool runs_on_gpu;                             /* diagnostics come from the real GPU too */
    struct gpu_model model;                       /* of the device that gives the diagnostics */
    uint8_t model_record[GPU_MODEL_RECORD_BYTES]; /* the same */
    struct gpu_choice gpus;                       /* the real ones; none in mode emulated */
    bool has_own_model; /* the emulated device stands for another model than the real GPU */
};

/* Planning in progress. */
struct device_planning;

/* Starts planning, on its own thread if it must look for a GPU. If the configuration has a plan,
 * that is used. */
struct device_planning *device_planning_start(const struct submission_config *config);

/* Waits for the plan, which lives as long as the planning; any number of threads may wait. Errors:
 * ERROR_NOT_FOUND (an unknown model, a GPU that --gpus names and that is not there),
 * ERROR_ENVIRONMENT (mode cuda without a GPU). */
enum error device_planning_wait(struct device_planning *planning,
                                const struct device_plan **out_plan, struct diagnostic *diagnostic);

/* Ends planning; its allocations move to the arena. NULL is allowed. */
void device_planning_end(struct device_planning *planning, struct arena *arena);

/* The device of a session on one of the plan's GPUs, or on the emulated device with the GPUs'
 * properties. */
struct device_choice device_plan_gpu(const struct device_plan *plan, size_t gpu);
struct device_choice device_plan_emulated_gpu(const struct device_plan *plan);

#endif
