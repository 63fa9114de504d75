/* cause_place.h: the place in the source of a cause that comes without a line.
 *
 * A launch that is refused has no line: nothing ran. But the source says where the launch is, where
 * the kernel is defined, which statement prints the label. A place is told only where it is
 * certain: exactly one launch of that kernel, one string with that label. Macros are not expanded,
 * so a name that a macro may rewrite has no place.
 */
#ifndef GPUGRADE_CRITERIA_CAUSE_PLACE_H
#define GPUGRADE_CRITERIA_CAUSE_PLACE_H

#include "criteria/criteria.h"

/* Gives the cause of a verdict that failed file, line, column and, where it has none, a label; by
 * the kind of its code. What has a line is left as it is. */
void cause_place(const struct criteria_input *input, struct arena *arena, struct verdict *verdict);

/* Likewise, where the code alone does not say what is at fault: what the function `name` of a
 * program returns. */
void cause_place_at_function(const struct criteria_input *input, struct arena *arena,
                             size_t program, const char *name, struct cause *cause);

/* Likewise: the constant `name`; if `is_copied`, the call that copies to it comes first. */
void cause_place_at_constant(const struct criteria_input *input, struct arena *arena,
                             size_t program, const char *name, bool is_copied, struct cause *cause);

#endif
