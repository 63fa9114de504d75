/* submission_config.h: how submissions are to be graded. */
#ifndef GPUGRADE_SUBMISSION_SUBMISSION_CONFIG_H
#define GPUGRADE_SUBMISSION_SUBMISSION_CONFIG_H

#include "base/arena.h"
#include "base/diagnostic.h"
#include "model/block_steps.h"
#include "model/report.h"
#include "toolchain/toolchain.h"

/* Where evidence comes from. */
enum device_mode {
    DEVICE_AUTO, /* diagnostics from the emulated device, speed from a real GPU if there is one */
    DEVICE_EMULATED, /* no real GPU is looked for */
    DEVICE_CUDA, /* everything from a real GPU; criteria that need the emulated one are skipped */
};

struct device_plan; /* device_plan.h */

struct submission_config {
    const struct rubric *rubric;
    const struct toolchain *toolchain;
    const char *device_path; /* the executable gpugrade-device */
    enum device_mode device;
    const char *gpu_model; /* of the emulated device; NULL: the real GPU's, or else the rubric's */
    const char *const *gpus; /* [gpu_count] numbers or UUIDs of the real GPUs to choose from; none:
                                all that the driver shows */
    size_t gpu_count;
    bool is_precise;                /* measure speed for up to 15 s instead of 2 s */
    const struct device_plan *plan; /* which devices there are, if known; NULL: it finds out */
    uint64_t seed;
    uint32_t threads;  /* of the emulated device; 0: all cores */
    const char *only;  /* id of the one criterion to judge; NULL: all */
    const char *name;  /* of the submission, for the report */
    const char *again; /* command that repeats the check */
    /* The same for students where the rubric hides something from them, without the rubric; NULL:
     * as above. */
    const char *again_student;
    const struct step_request *steps; /* the report has the steps of a block; NULL: it has none */
    bool for_instructor;              /* errors may name what is hidden */
    /* Called before each stage with a few words ("building", ...); may be NULL. */
    void (*progress)(void *context, const char *stage);
    void *progress_context;
};

#endif
