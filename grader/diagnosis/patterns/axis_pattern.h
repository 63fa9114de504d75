/* axis_pattern.h: a set of rows, of columns, or of elements of a vector (an output of one
 * dimension), in words: "every 2nd column, starting with column 1".
 *
 * The set is given for several cases, whose sizes differ; a description is given only if it is
 * exactly the set in each of them. A vector need not be a multiple of the block, and blocks may
 * have another size in each case, so its places are counted within the case's own block.
 */
#ifndef GPUGRADE_DIAGNOSIS_PATTERNS_AXIS_PATTERN_H
#define GPUGRADE_DIAGNOSIS_PATTERNS_AXIS_PATTERN_H

#include "diagnosis/patterns/wrong_pattern.h"

enum axis { AXIS_ROW, AXIS_COLUMN, AXIS_ELEMENT };

/* The set in one case. */
struct axis_set {
    const bool *members; /* [length] */
    size_t length;
    int64_t block;             /* 0: unknown */
    const int64_t *parameters; /* in elements */
    uint64_t covered;          /* how far the grid reaches, in elements; 0: unknown */
    uint32_t threads;          /* of a block along the axis; 0: unknown */
};

struct axis_sets {
    const struct axis_set *sets; /* [count] */
    size_t count;
    enum axis axis;
    const char *const *parameter_names; /* [parameter_count] */
    size_t parameter_count;
};

/* What holds for all sets. */
enum axis_kind {
    AXIS_ALL,
    AXIS_PERIOD,         /* every k-th */
    AXIS_ALL_BUT_PERIOD, /* all but every k-th */
    AXIS_OF_TILE,        /* a part of each tile */
    AXIS_TILES,          /* whole tiles */
    AXIS_ONE,            /* a single one */
    AXIS_ALL_BUT_ONE,    /* all but a single one */
    AXIS_BEYOND_GRID,    /* what no block covers */
    AXIS_BOUND           /* up to, or from, a size of another matrix */
};

struct axis_pattern {
    enum axis_kind kind;
    const char *text; /* "columns 8 to 15 of each tile" */
    const char *but;  /* all but these: "the last column"; NULL: not an exception */
    const char *hint; /* "" if there is nothing to add */
    /* of AXIS_OF_TILE and AXIS_TILES, to describe two axes together: */
    size_t first, last; /* of a tile */
    bool is_first_tile, is_last_tile;
};

/* Describes sets of rows or columns; false if no description holds for all of them. None may be
 * empty. */
bool axis_pattern_find(struct arena *arena, const struct axis_sets *sets,
                       struct axis_pattern *out_pattern);

/* Likewise for the elements of a vector, a place that has a name: the first element of each block,
 * what no block covers, one half. */
bool vector_place_find(struct arena *arena, const struct axis_sets *sets,
                       struct axis_pattern *out_pattern);

/* Likewise, with numbers: every k-th element, elements 3 to 5 of each block. */
bool vector_range_find(struct arena *arena, const struct axis_sets *sets,
                       struct axis_pattern *out_pattern);

#endif
