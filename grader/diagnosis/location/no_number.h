/* no_number.h: what in the device code can make NaN or infinity. */
#ifndef GPUGRADE_DIAGNOSIS_LOCATION_NO_NUMBER_H
#define GPUGRADE_DIAGNOSIS_LOCATION_NO_NUMBER_H

#include "criteria/criteria_input.h"
#include "source/source_search.h"

/* Names in the hint of a result that is no number the calls of the device code that give none for
 * some arguments, and leaves out what does not stand there. True if there is one such call alone,
 * and no division: sets a mark there. */
bool explain_no_number(struct arena *arena, const struct program_source *source,
                       struct cause *cause, struct cause_mark *out_mark);

#endif
