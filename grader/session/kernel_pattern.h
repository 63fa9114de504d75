/* kernel_pattern.h: names of kernels that a rubric gives with `*` for anything. */
#ifndef GPUGRADE_SESSION_KERNEL_PATTERN_H
#define GPUGRADE_SESSION_KERNEL_PATTERN_H

#include <stdbool.h>

/* True if a kernel's plain name is one that the pattern means: each `*` stands for any number of
 * characters, all others for themselves. */
bool kernel_pattern_matches(const char *pattern, const char *name);

#endif
