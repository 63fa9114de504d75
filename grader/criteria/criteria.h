/* criteria.h: evidence in, verdict out. One file per kind of criterion (criteria.def of model/).
 */
#ifndef GPUGRADE_CRITERIA_CRITERIA_H
#define GPUGRADE_CRITERIA_CRITERIA_H

#include "criteria/criteria_input.h"

/* Judges one criterion of the rubric. */
void criterion_judge(const struct criteria_input *input, struct arena *arena,
                     const struct rubric_criterion *criterion, struct verdict *out_verdict);

/* True if a criterion is of the kind speedup, there is a GPU to time its launch on, and nothing
 * that is known of the submission's launch makes its time worthless: it is right and, where
 * accesses were watched, free of races. The input needs no timings yet. */
bool criterion_wants_timing(const struct criteria_input *input, struct arena *arena,
                            const struct rubric_criterion *criterion);

/* True if a criterion is of the kind occupancy or block-size, it passed on the emulated device, and
 * what its program prints on another GPU, *out_model, would show that the number is not computed.
 * `turn` counts these GPUs, from 0 on. Run it on each of them for that printout, with the registers
 * of the input's model, and judge again. */
bool criterion_wants_constant_detection(const struct criteria_input *input, struct arena *arena,
                                        const struct verdict *verdict, size_t turn,
                                        struct gpu_model *out_model);

#endif
