/* other_edge.h: other_gpu.h for a block size: tells an edge that follows the rule of block_choice.h
 * from one that is written down, or that is the rule's by luck, by what the program prints on a GPU
 * where the rule gives another one.
 *
 *   the right edge on the model --> a GPU with fewer registers and smaller blocks, whose edge is
 *   another one that the launch may have --> the program prints once more, there:
 *     still the same             nobody computed it
 *     no power of two, or more   it is not rounded down to a power of four: the calculator's choice
 *     than the rule gives        there lies far enough above one, as it seldom does on GPUs that
 * are sold anything else              it is chosen, if not as the rule says
 *
 * Many a kernel has the same edge on all GPUs that are sold. One that no such limits turn to
 * another edge of the launch's blocks is not asked about.
 */
#ifndef GPUGRADE_CRITERIA_OTHER_EDGE_H
#define GPUGRADE_CRITERIA_OTHER_EDGE_H

#include "criteria/printouts.h"

/* Finds a GPU on which the rule gives another edge than on the input's model, one of the blocks of
 * the launch. False if the program's table cannot be read, or there is none. The same input gives
 * the same GPU. */
bool other_edge_find(const struct criteria_input *input, struct arena *arena,
                     const struct rubric_criterion *criterion, struct gpu_model *out_model);

/* True if the evidence has what the program printed on that GPU, and it is no edge that was
 * computed by the rule; then with the cause. */
bool other_edge_shows_mistake(const struct criteria_input *input, struct arena *arena,
                              const struct rubric_criterion *criterion, struct cause *out_cause);

#endif
