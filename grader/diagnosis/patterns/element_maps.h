/* element_maps.h: maps of wrong elements, made of samples.
 */
#ifndef GPUGRADE_DIAGNOSIS_PATTERNS_ELEMENT_MAPS_H
#define GPUGRADE_DIAGNOSIS_PATTERNS_ELEMENT_MAPS_H

#include "criteria/results/compare.h"

/* A case and all its right and wrong elements. */
struct mapped_case {
    const struct observation *observation;
    struct element_map map; /* of all probes combined */
    bool is_wrong;          /* some element is */
};

/* The map of one sample's output. The observation must not be a hidden case's. */
const struct element_map *element_map_of_sample(const struct criteria_input *input,
                                                struct arena *arena, size_t launch, size_t output,
                                                const struct observation *observation,
                                                const struct sample *sample);

/* The maps of all cases that are not hidden and were probed: [*out_count] in the order of the
 * observations. An element is wrong if it is wrong in any probe except `again`, so that values that
 * happen to be right in one of them hide nothing; it is unwritten, or not finite, if it is so in
 * every probe in which it is wrong. */
const struct mapped_case *element_maps_of_launch(const struct criteria_input *input,
                                                 struct arena *arena, size_t launch, size_t output,
                                                 size_t *out_count);

#endif
