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

/* Parameters that equal the block edge or one before them. */
static size_t coincidences_of(const struct rubric *rubric, const struct observation *observation)
{
    size_t coincidences = 0;

    for (size_t i = 0; i < rubric->parameter_count; i++) {
        bool is_like_another = observation->parameters[i] == observation->block;
        for (size_t j = 0; j < i; j++) {
            is_like_another =
                is_like_another || observation->parameters[i] == observation->parameters[j];
        }
        coincidences += is_like_another ? 1 : 0;
    }
    return coincidences;
}

bool case_is_plainer(const struct rubric *rubric, const struct observation *left,
                     const struct observation *right)
{
    size_t of_left = coincidences_of(rubric, left);
    size_t of_right = coincidences_of(rubric, right);

    return of_left != of_right ? of_left < of_right
                               : observation_elements(left) < observation_elements(right);
}
