/* cause_location.h: the place in the source of a cause that comes without a line.
 *
 * A launch that is refused has no line: nothing ran. But the source says where the launch is, where
 * the kernel is defined, which statement prints the label. A place is told only where it is
 * certain: exactly one launch of that kernel, one string with that label. Macros are not expanded,
 * so a name that a macro may rewrite has no place.
 */
#ifndef GPUGRADE_DIAGNOSIS_LOCATION_CAUSE_LOCATION_H
#define GPUGRADE_DIAGNOSIS_LOCATION_CAUSE_LOCATION_H

#include "criteria/criteria_input.h"

/* Gives the cause of a verdict that failed file, line, column and, where it has none, a label; by
 * its subject, or else by the kind of its code. What has a line is left as it is. */
void cause_location(const struct criteria_input *input, struct arena *arena,
                    struct verdict *verdict);

#endif
