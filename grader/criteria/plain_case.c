/* plain_case.c: see plain_case.h. */
#include "criteria/plain_case.h"

size_t observation_elements(const struct observation *observation)
{
    size_t elements = 0;

    for (size_t i = 0; i < RUBRIC_OPERANDS_MAX; i++) {
        elements += observation->element_counts[i];
    }
    return elements;
}

bool observation_is_for_size(const struct rubric *rubric, const struct observation *observation)
{
    return observation->case_index < rubric->case_count &&
           rubric->cases[observation->case_index].probes > 0;
}

/* Parameters that are 1, or equal the block width or one before them. */
static size_t coincidences_of(const struct rubric *rubric, const struct observation *observation)
{
    size_t coincidences = 0;

    for (size_t i = 0; i < rubric->parameter_count; i++) {
        bool is_like_another =
            observation->parameters[i] == observation->block || observation->parameters[i] == 1;
        for (size_t j = 0; j < i; j++) {
            is_like_another =
                is_like_another || observation->parameters[i] == observation->parameters[j];
        }
        coincidences += is_like_another ? 1 : 0;
    }
    return coincidences;
}

/* Parameters that no whole number of blocks covers: the border cuts tiles. */
static size_t cuts_of(const struct rubric *rubric, const struct observation *observation)
{
    size_t cuts = 0;

    for (size_t i = 0; i < rubric->parameter_count && observation->block > 0; i++) {
        cuts += observation->parameters[i] % observation->block != 0 ? 1 : 0;
    }
    return cuts;
}

bool case_is_plainer(const struct rubric *rubric, const struct observation *left,
                     const struct observation *right)
{
    size_t cuts_left = cuts_of(rubric, left);
    size_t cuts_right = cuts_of(rubric, right);
    size_t of_left = coincidences_of(rubric, left);
    size_t of_right = coincidences_of(rubric, right);

    if (cuts_left != cuts_right) {
        return cuts_left < cuts_right;
    }
    return of_left != of_right ? of_left < of_right
                               : observation_elements(left) < observation_elements(right);
}
