/* trace_inputs.h: inputs in which every value shows which element it comes from.
 *
 * All elements of all inputs of a traced launch are numbered. A secret permutation turns each
 * number into a code from 0 to 2^bits - 1, with the smallest `bits` of at least 23 that is enough.
 * A code becomes a value of the element's type, exact, finite and positive:
 *
 *   f32        the code added to the bits of 1.0: up to 2^23 elements lie in [1, 2) and differ in
 *              the significand, more differ in the exponent too
 *   f64        the same number
 *   i32, u32   the code plus 1
 *
 * So all values, and their bits, differ, within one input and between inputs.
 */
#ifndef GPUGRADE_SESSION_TRACE_INPUTS_H
#define GPUGRADE_SESSION_TRACE_INPUTS_H

#include "base/arena.h"
#include "model/rubric.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Limit of elements of all inputs together; a larger launch is not traced. */
enum { TRACE_ELEMENTS_MAX = 1 << 26 };

struct trace_inputs {
    uint32_t bits;
    uint64_t factors[2]; /* odd */
    uint64_t next;       /* number of the next element */
};

/* Starts with the first element of the first input. */
void trace_inputs_init(struct trace_inputs *inputs, uint64_t seed, size_t total);

/* Makes the next input: [count] elements of `type`, in the arena. */
const void *trace_inputs_next(struct trace_inputs *inputs, struct arena *arena,
                              enum element_type type, size_t count);

#endif
