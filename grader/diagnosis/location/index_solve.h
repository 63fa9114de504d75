/* index_solve.h: what the variables of an index are, by the element that an access is to. */
#ifndef GPUGRADE_DIAGNOSIS_LOCATION_INDEX_SOLVE_H
#define GPUGRADE_DIAGNOSIS_LOCATION_INDEX_SOLVE_H

#include "source/thread_value.h"

enum { EXTENTS_MAX = 4 };

/* The extents of an array, the first of which may be 0. */
struct array_extents {
    int64_t sizes[EXTENTS_MAX];
    size_t count;
};

/* An array or pointer in an access. */
struct indexed_array {
    size_t name;                  /* its token, with the indices after it */
    struct array_extents extents; /* one for each index */
};

/* Names and coordinates of threads, as tokens. */
bool index_is_variable(const struct source_tokens *tokens, size_t at);
bool index_is_coordinate(const struct source_tokens *tokens, size_t at);

/* Gives the scene the values of what it does not know in the index, such as counters of loops:
 * those with which the access is to that element, as if the array had one dimension. False if the
 * index has another value, or none is certain. */
bool index_solve(struct value_scene *scene, const struct indexed_array *array, int64_t element);

/* By how much the element moves for each one that the variable at a token counts, which is set in
 * the function: as much from 0 to its value as from there on, and from no element before the first.
 * False if that is not so, or not known. */
bool index_slope(struct value_scene *scene, const struct indexed_array *array, size_t variable,
                 int64_t *out_slope);

/* The tokens between the brackets of an index, the first of which is number 0. */
struct token_range index_part(const struct source_tokens *tokens, const struct indexed_array *array,
                              size_t number);

#endif
