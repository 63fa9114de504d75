/* criteria.h: evidence in, verdict out. One file per kind of criterion (criteria.def of model/).
 *
 * Criteria are pure: they run no program and open no file. Everything that a verdict says lives in
 * the arena.
 */
#ifndef GPUGRADE_CRITERIA_CRITERIA_H
#define GPUGRADE_CRITERIA_CRITERIA_H

#include "base/arena.h"
#include "model/observation.h"
#include "model/oracle.h"
#include "model/report.h"
#include "model/verdict.h"
#include "occupancy/occupancy.h"

struct source_index;

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
    struct source_index *index; /* of the sources; NULL: they are read anew for each question */
};

/* Judges one criterion of the rubric. */
void criterion_judge(const struct criteria_input *input, struct arena *arena,
                     const struct rubric_criterion *criterion, struct verdict *out_verdict);

/* True if a criterion is of the kind speedup, there is a GPU to time its launch on, and nothing
 * that is known of the submission's launch makes its time worthless: it is right and, where
 * accesses were watched, free of races. The input needs no timings yet. */
bool criterion_wants_timing(const struct criteria_input *input, struct arena *arena,
                            const struct rubric_criterion *criterion);

/* The most GPUs that one criterion asks for. */
enum { OTHER_GPUS_MAX = 4 };

/* True if a criterion is of the kind occupancy or block-size, it passed on the emulated device, and
 * what its program prints on another GPU, *out_model, would show that the number is not computed.
 * `turn` counts these GPUs, from 0 on. Run it on each of them for that printout, with the registers
 * of the input's model, and judge again. */
bool criterion_wants_constant_detection(const struct criteria_input *input, struct arena *arena,
                                        const struct verdict *verdict, size_t turn,
                                        struct gpu_model *out_model);

#endif
