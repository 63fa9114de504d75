/* kernel_choice.h: which kernel is judged, where a rubric's pattern may mean several. */
#ifndef GPUGRADE_DIAGNOSIS_HINTS_KERNEL_CHOICE_H
#define GPUGRADE_DIAGNOSIS_HINTS_KERNEL_CHOICE_H

#include "criteria/criteria_input.h"

/* "`a` is the kernel that is judged, not `b`: it is launched last", in the arena; "" where nobody
 * could mean another one. Told are the kernels of the student's own that do what the judged one
 * does, and those that write the output, too, and are launched later. Instances of one template
 * count as one kernel: the text names no arguments. */
const char *kernel_choice_text(struct arena *arena, const struct rubric_launch *launch,
                               const struct launch_run *run);

/* Adds that sentence to the hint of a verdict that is not passed, if its criterion is about a
 * launch and its cause about the kernel. */
void kernel_choice_report(const struct criteria_input *input, struct arena *arena,
                          struct verdict *verdict);

#endif
