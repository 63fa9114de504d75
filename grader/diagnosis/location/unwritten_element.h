/* unwritten_element.h: which store should have written an element of shared memory that is read
 * where no thread has written it.
 *
 * The stores of a function into an array are gone through with all threads of the block and all
 * values of the counters that the index needs: which elements they get to, and which conditions
 * keep the thread out that would store the element. There is no mark where one of these values is
 * not known. */
#ifndef GPUGRADE_DIAGNOSIS_LOCATION_UNWRITTEN_ELEMENT_H
#define GPUGRADE_DIAGNOSIS_LOCATION_UNWRITTEN_ELEMENT_H

#include "diagnosis/location/index_guard.h"

struct unwritten_element {
    struct value_scene *scene; /* with the launch and the block; thread and counters are changed */
    const struct source_tokens *tokens;
    size_t array; /* a token with its name */
    struct array_extents extents;
    int64_t indices[EXTENTS_MAX];
    const char *name;  /* "tile[16][0]" */
    const char *block; /* " of block (1,0)"; "" where there is one */
};

enum { UNWRITTEN_MARKS_MAX = 2 };

/* Sets marks, the most telling one first; returns how many. */
size_t unwritten_element_marks(struct unwritten_element *element,
                               struct cause_mark out_marks[UNWRITTEN_MARKS_MAX]);

#endif
