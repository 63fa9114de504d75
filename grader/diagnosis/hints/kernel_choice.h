/* kernel_choice.h: which kernel is graded, if a rubric's pattern matches several. */
#ifndef GPUGRADE_DIAGNOSIS_HINTS_KERNEL_CHOICE_H
#define GPUGRADE_DIAGNOSIS_HINTS_KERNEL_CHOICE_H

#include "criteria/criteria_input.h"

/* "`a` is the kernel that is graded, not `b`: it is launched last", in the arena; "" if no other
 * kernel could be meant. It names the student's own kernels that do what the graded one does, and
 * those that also write the output and are launched later. Instances of one template count as one
 * kernel: the text names no template arguments. */
const char *kernel_choice_text(struct arena *arena, const struct rubric_launch *launch,
                               const struct launch_run *run);

/* Adds that sentence to the hint of a verdict that did not pass, if its criterion is about a launch
 * and its cause about the kernel. */
void kernel_choice_report(const struct criteria_input *input, struct arena *arena,
                          struct verdict *verdict);

#endif
