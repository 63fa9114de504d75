/* kernel_name.h: what the kernel of a launch is called in messages.
 *
 * A rubric may leave the name to students, with a pattern; then a first run of the program says
 * which of its kernels is meant.
 */
#ifndef GPUGRADE_CRITERIA_KERNEL_NAME_H
#define GPUGRADE_CRITERIA_KERNEL_NAME_H

#include "criteria/criteria_input.h"

/* The plain name of a launch's kernel: the rubric's, or the one that was chosen by its pattern; the
 * pattern itself as long as none was. `launch` is one of the rubric's. */
const char *kernel_name(const struct criteria_input *input, const struct rubric_launch *launch);

#endif
