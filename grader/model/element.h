/* element.h: the types of elements of operands and of scalars, and what their bytes mean.
 *
 * Values are doubles, which hold every value of a type but those of i64 and u64 beyond 2^53; these
 * are compared and printed as integers (element_integer).
 */
#ifndef GPUGRADE_MODEL_ELEMENT_H
#define GPUGRADE_MODEL_ELEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum element_type {
#define ELEMENT(name, ...) ELEMENT_##name,
#include "model/element.def"
#undef ELEMENT
    ELEMENT_TYPE_COUNT
};

/* A row of element.def. */
struct element_facts {
    const char *word, *c_name;
    size_t bytes;
    int digits; /* 0: an integer */
    int least_exponent;
    double lowest, highest;
};

const struct element_facts *element_facts(enum element_type type);

/* Bytes of one element. */
size_t element_bytes(enum element_type type);

bool element_is_float(enum element_type type);

/* True if a double cannot hold every value of the type: i64 and u64. */
bool element_is_wide(enum element_type type);

/* One of an array's elements as double; i64 and u64 are rounded. */
double element_value(enum element_type type, const void *values, size_t index);

/* One of an array's integers; u64 wraps around. Floats become integers too; what no integer can be
 * is INT64_MIN. */
int64_t element_integer(enum element_type type, const void *values, size_t index);

/* Stores element_rounded(value). */
void element_store(enum element_type type, void *values, size_t index, double value);

/* A value as the type holds it: floats are rounded to nearest, integers wrap around. An integer
 * that is no whole number, or beyond 2^53 in a type of less, stays what it is. */
double element_rounded(enum element_type type, double value);

/* The distance of the floats of a type around a value; 0 for integers. */
double element_ulp(enum element_type type, double value);

/* Half a unit in the last place of 1: 2^-24 for f32. Of integers that of f32. */
double element_roundoff(enum element_type type);

#endif
