/* same_probe.c: see same_probe.h. */
#include "criteria/traffic/same_probe.h"

#include <string.h>

const struct sample *same_probe(const struct rubric *rubric, const struct launch_run *run,
                                const struct observation *observation, const struct sample *sample,
                                const struct observation **out_observation)
{
    const size_t parameter_bytes = rubric->parameter_count * sizeof(int64_t);

    for (size_t i = 0; i < run->observation_count; i++) {
        const struct observation *other = &run->observations[i];
        if (other->case_index != observation->case_index ||
            other->repetition != observation->repetition ||
            memcmp(other->parameters, observation->parameters, parameter_bytes) != 0) {
            continue;
        }
        for (size_t j = 0; j < other->sample_count; j++) {
            if (other->samples[j].kind == probe_inputs(sample->kind)) {
                *out_observation = other;
                return &other->samples[j];
            }
        }
    }
    return NULL;
}
