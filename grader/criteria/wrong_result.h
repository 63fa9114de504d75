/* wrong_result.h: all samples of a launch compared, and what is wrong with them in one sentence,
 * with one wrong element, how often, and a map. */
#ifndef GPUGRADE_CRITERIA_WRONG_RESULT_H
#define GPUGRADE_CRITERIA_WRONG_RESULT_H

#include "criteria/compare.h"

/* Compares every sample of a launch with the oracle and adds what was seen to the verdict's
 * evidence. True if something is wrong: then the cause says what, and *out_summary in how many
 * shapes. In this order, because each explains the next: inputs changed, a second launch alone is
 * wrong, a named mistake, the old output used, elements not written, NaN, wrong integers, rounding.
 * Precondition: all samples are SAMPLE_DONE, the launch has an output operand, and the oracle has
 * what the rubric's arithmetic asks for. */
bool find_wrong_result(const struct criteria_input *input, struct arena *arena, size_t launch,
                       struct verdict *verdict, struct cause *out_cause, const char **out_summary);

#endif
