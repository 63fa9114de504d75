/* constant_detection.h: finds printed numbers that are constants in the source, by what the program
 * prints on another GPU.
 *
 *   the right number on the model --> a GPU with other limits, on which every formula gives another
 *   value --> the program prints again, on that GPU. The same number: it is a constant. A number
 *   that no formula gives there: it is not computed from what the API returns.
 *
 * The other GPU has the model's compute capability, so that the same machine code with the same
 * registers runs there, and nothing is compiled again. It is not a GPU that is sold: real ones give
 * the same occupancy too often.
 */
#ifndef GPUGRADE_CRITERIA_PRINTOUTS_CONSTANT_DETECTION_H
#define GPUGRADE_CRITERIA_PRINTOUTS_CONSTANT_DETECTION_H

#include "criteria/printouts/printouts.h"

/* Finds a GPU on which no formula of the criterion, for no block that the launch may have, gives
 * what is printed on the input's model, nor what rounds to it. False if the number cannot be read,
 * or there is none. The same input gives the same GPU. */
bool constant_detection_gpu(const struct criteria_input *input, struct arena *arena,
                            const struct rubric_criterion *criterion, struct gpu_model *out_model);

/* Reads what the program printed for the criterion's printout, on the input's model and on the GPU
 * that it was asked for at that turn. False if the evidence lacks that run, or one of the numbers
 * cannot be read. */
bool constant_detection_read(const struct criteria_input *input, struct arena *arena,
                             const struct rubric_criterion *criterion, size_t turn,
                             struct printed_number *out_here, struct printed_number *out_there);

/* True if both numbers are the same, to the last digit. */
bool constant_detection_prints_same(const struct printed_number *here,
                                    const struct printed_number *there);

/* True if the same number is printed on the GPU of constant_detection_gpu, or one that no formula
 * gives there; then with the cause. `formula` is the one that the number equals on the input's
 * model. */
bool constant_detection_shows_mistake(const struct criteria_input *input, struct arena *arena,
                                      const struct rubric_criterion *criterion,
                                      const struct rubric_formula *formula,
                                      struct cause *out_cause);

#endif
