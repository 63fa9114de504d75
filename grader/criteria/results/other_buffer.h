/* other_buffer.h: a call that ignores what it is handed: its result is wrong, and its kernels work
 * in other memory than an operand. */
#ifndef GPUGRADE_CRITERIA_RESULTS_OTHER_BUFFER_H
#define GPUGRADE_CRITERIA_RESULTS_OTHER_BUFFER_H

#include "criteria/criteria_input.h"
#include "model/verdict.h"

/* Looks at the calls of a launch (an index) whose results are wrong. False: it is no call, or all
 * operands are used. *out_cause then says which one is not, or is filled in part, and what is used
 * in its place, with the line where that was allocated. */
bool find_other_buffer(const struct criteria_input *input, struct arena *arena, size_t launch,
                       struct cause *out_cause);

#endif
