/* element_origin.h: why an element of an input is never loaded, or one of the output never stored:
 * the condition in front of the access that is false for it, the loop that ends before it, or the
 * index that no thread has. */
#ifndef GPUGRADE_DIAGNOSIS_LOCATION_ELEMENT_ORIGIN_H
#define GPUGRADE_DIAGNOSIS_LOCATION_ELEMENT_ORIGIN_H

#include "diagnosis/location/index_origin.h"

/* Sets marks, if what the cause says of an element is certain to come from there; false if there
 * are none. */
bool element_origin_find(const struct criteria_input *input, struct arena *arena, size_t launch,
                         const struct program_source *source, const struct program_file *file,
                         const struct cause *cause, struct index_origin *out_origin);

#endif
