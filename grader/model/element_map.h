/* element_map.h: which elements of an output are wrong, in one probe of one case. */
#ifndef GPUGRADE_MODEL_ELEMENT_MAP_H
#define GPUGRADE_MODEL_ELEMENT_MAP_H

#include <stddef.h>
#include <stdint.h>

enum element_state {
    ELEMENT_RIGHT,
    ELEMENT_WRONG,
    ELEMENT_UNWRITTEN, /* still the poison */
    ELEMENT_NOT_FINITE /* NaN or infinity, not the poison */
};

/* Never of a hidden case. An output of rank 1 has one row; the planes of an output of rank 3 are
 * placed one below the other. */
struct element_map {
    const char *operand; /* "C" */
    const char *shape;   /* "A 32x48, B 48x16" */
    const char *probe;   /* "exact" */
    size_t rows, columns;
    int64_t block;         /* the block width; 0 where unknown */
    const uint8_t *states; /* [rows * columns], row-major, enum element_state */
};

#endif
