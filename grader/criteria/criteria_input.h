/* criteria_input.h: what criteria decide by.
 *
 * Criteria are pure: they run no program and open no file. Everything that a verdict says lives in
 * the arena.
 */
#ifndef GPUGRADE_CRITERIA_CRITERIA_INPUT_H
#define GPUGRADE_CRITERIA_CRITERIA_INPUT_H

#include "base/arena.h"
#include "model/observation.h"
#include "model/oracle.h"
#include "model/report.h"
#include "model/verdict.h"
#include "occupancy/occupancy.h"

struct source_index;

/* The most GPUs that one criterion asks for. */
enum { OTHER_GPUS_MAX = 4 };

struct criteria_input {
    const struct rubric *rubric;
    const struct submission_evidence *evidence;
    const struct oracle *oracle;
    const struct gpu_model *model;
    const struct gpu_model *timing_model; /* the GPU that measures speed; NULL: there is none */
    bool is_emulated; /* the evidence comes from the emulated device: accesses were watched */
    /* per launch [launch_count]: resources of the observed kernel on that model; registers 0 where
     * it is unknown (not built, not found) */
    const struct kernel_resources *launch_resources;
    /* per program [program_count]: the student's sources equal the template's */
    const bool *is_template;
    const struct source_file *sources; /* [source_count] of the submission */
    size_t source_count;
    struct source_index *index; /* of the sources; NULL: they are read again for each question */
    /* per launch [launch_count]: the criterion `correct` has passed, so that results are compared
     * once; NULL: each question compares them */
    bool *is_known_correct;
};

#endif
