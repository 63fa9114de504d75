/* kernel_pattern.h: patterns for names of kernels in a rubric; `*` matches anything. */
#ifndef GPUGRADE_MODEL_KERNEL_PATTERN_H
#define GPUGRADE_MODEL_KERNEL_PATTERN_H

#include <stdbool.h>

/* True if a kernel's plain name matches the pattern: each `*` matches any number of characters, all
 * other characters match themselves. */
bool kernel_pattern_matches(const char *pattern, const char *name);

#endif
