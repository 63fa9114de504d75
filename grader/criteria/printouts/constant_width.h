/* constant_width.h: constant_detection.h for a block size: finds block widths that are constants in
 * the source, or that follow the rule of block_choice.h only by luck, by what the program prints on
 * GPUs where the rule gives other widths.
 *
 *   the right width on the model --> GPUs with fewer registers, or less shared memory, each
 *   of which asks a question (questions[] in constant_width.c) --> the program prints there:
 *     the width of the rule      goes on to the next question
 *     still the same             it is a constant
 *     anything else              it is not chosen as the rule says: not from what the occupancy API
 *                                returns, or not rounded down to a power of four
 *
 * The GPUs are made up from the kernel's own registers and bytes, so that the limits bind: many
 * kernels have the same block width on all GPUs that are sold. A question is skipped if no limits
 * ask it with a block width that the launch allows.
 */
#ifndef GPUGRADE_CRITERIA_PRINTOUTS_CONSTANT_WIDTH_H
#define GPUGRADE_CRITERIA_PRINTOUTS_CONSTANT_WIDTH_H

#include "criteria/printouts/printouts.h"

/* Finds the GPU of a turn, from 0 on, whose answer is one of the blocks of the launch. False if the
 * program's table cannot be read, or there are no more. The same input gives the same GPUs. */
bool constant_width_find(const struct criteria_input *input, struct arena *arena,
                         const struct rubric_criterion *criterion, size_t turn,
                         struct gpu_model *out_model);

/* True if the evidence has what the program printed on one of those GPUs, and it is not the block
 * width of the rule; then with the cause. */
bool constant_width_shows_mistake(const struct criteria_input *input, struct arena *arena,
                                  const struct rubric_criterion *criterion,
                                  struct cause *out_cause);

#endif
