/* cause_location.h: finds the place in the source of a cause that comes without a line.
 *
 * A launch that is refused has no line: nothing ran. But the source shows where the launch is,
 * where the kernel is defined, which statement prints the label. A place is reported only if it is
 * certain: exactly one launch of that kernel, one string with that label. Macros are not expanded,
 * so a name that a macro may rewrite has no place.
 */
#ifndef GPUGRADE_DIAGNOSIS_LOCATION_CAUSE_LOCATION_H
#define GPUGRADE_DIAGNOSIS_LOCATION_CAUSE_LOCATION_H

#include "criteria/criteria_input.h"

/* Sets file, line and column of the cause of a failed verdict and, if it has none, a label: from
 * its subject, or else from its code. A cause that already has a line is left as it is. */
void cause_location(const struct criteria_input *input, struct arena *arena,
                    struct verdict *verdict);

#endif
