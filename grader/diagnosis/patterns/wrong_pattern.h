/* wrong_pattern.h: which elements of an output are wrong, as a student would say it: "column 15 of
 * each tile", "the last row of tiles", "the upper triangle".
 *
 * A pattern is named only if it holds exactly: in every map that is given, every element of the
 * pattern is wrong and no other one is, or the other way round. Tiles are the blocks' shares of the
 * output: squares of the block width that the map gives; if it is unknown, tiles are not mentioned.
 */
#ifndef GPUGRADE_DIAGNOSIS_PATTERNS_WRONG_PATTERN_H
#define GPUGRADE_DIAGNOSIS_PATTERNS_WRONG_PATTERN_H

#include "base/arena.h"
#include "model/element_map.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The map of one case, and what its elements may depend on. */
struct pattern_case {
    const struct element_map *map;
    const int64_t *parameters; /* [parameter_count], in elements */
    uint32_t grid[3], threads[3];
};

/* All cases whose maps show something wrong. */
struct pattern_cases {
    const struct pattern_case *cases; /* [count] */
    size_t count;
    const char *const *parameter_names; /* [parameter_count] */
    size_t parameter_count;
    unsigned states; /* which states are looked for: bits 1 << enum element_state */
    bool is_vector;  /* the output has one dimension: maps have one row, and no tiles */
};

/* Which elements have one of the states. */
struct wrong_pattern {
    bool is_all;       /* every element of every case */
    bool is_exception; /* all but the elements that `where` names */
    const char *where; /* "column 15 of each tile"; "every element" */
    const char *hint;  /* where to look for that; "" if there is nothing to add */
};

/* Names the pattern of some maps. False if none holds in all of them, if there is no map, or if one
 * of them has no such element. */
bool wrong_pattern_find(struct arena *arena, const struct pattern_cases *cases,
                        struct wrong_pattern *out_pattern);

#endif
