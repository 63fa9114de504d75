/* stored_values.h: what a wrong result cannot come from.
 *
 * Threads that store each element once, at whatever index, store the right values in some order,
 * if only the index is wrong. The same holds of the sum of what is added to integers. Where the
 * values are not right in any order, it is the value that is wrong, and not where it is stored.
 */
#ifndef GPUGRADE_DIAGNOSIS_PATTERNS_STORED_VALUES_H
#define GPUGRADE_DIAGNOSIS_PATTERNS_STORED_VALUES_H

#include "criteria/results/wrong_result.h"

enum stored_values {
    STORED_ANYHOW,      /* nothing can be said */
    STORED_WRONG,       /* by stores: wrong in any order */
    STORED_WRONG_ALONE, /* likewise, and the launch has no input that it could read */
    STORED_ADDED,       /* by atomics: what is added is too little, too much, or wrong */
};

struct stored_facts {
    enum stored_values kind;
    size_t count;         /* of elements */
    double got, expected; /* ADDED: the sums of all elements */
};

/* What the first wrong sample of a result shows. */
struct stored_facts stored_values_find(const struct wrong_result *results);

/* Which numbers of vector elements are wrong, over all visible cases: bit i for lane i. 0: no
 * vectors, or all of them are. */
unsigned wrong_lanes_find(const struct wrong_result *results);

/* 2 if a call is right in all shapes in which it launches at most so many kernels, and wrong in
 * all in which it launches more; 0: there is no such number above 1. */
uint64_t right_launches_find(const struct wrong_result *results);

/* The value of an element that is never written, and where in the output it is instead. */
struct misplaced_value {
    const struct observation *observation;
    size_t element, found_at;
    bool is_as_input; /* each value stands at the index at which `input` has it */
    size_t input;     /* an operand */
};

/* True if the values of all elements that are never written, or wrong, stand elsewhere in the
 * output, in all visible cases. */
bool misplaced_values_find(const struct wrong_result *results, struct misplaced_value *out_value);

#endif
