/* gpu_printouts.h: what a program prints on the real GPU, next to what it prints on the emulated
 * device with that GPU's properties.
 *
 * The real GPU's number counts: it is compared with what is expected on that GPU. If the emulated
 * run is right and the real number is one that another driver could give, the machine disagrees
 * with the calculator, and neither number is judged.
 */
#ifndef GPUGRADE_CRITERIA_PRINTOUTS_GPU_PRINTOUTS_H
#define GPUGRADE_CRITERIA_PRINTOUTS_GPU_PRINTOUTS_H

#include "criteria/criteria_input.h"

/* An input whose printouts and model are the real GPU's; it must not be moved. */
struct gpu_input {
    struct submission_evidence evidence;
    struct criteria_input input;
};

/* Makes it for a criterion's printouts. False if the real GPU made none, or the emulated device
 * has the properties of another GPU. */
bool gpu_input_init(const struct criteria_input *input, const struct rubric_criterion *criterion,
                    struct gpu_input *out);

/* Replaces a verdict on the emulated run by that on the real GPU's run, and notes the number that
 * the emulated run printed. A cause that only the real GPU shows says so. */
void gpu_verdict_take(const struct gpu_input *gpu, struct arena *arena, const struct verdict *real,
                      struct verdict *verdict);

#endif
