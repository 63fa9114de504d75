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

static inline bool element_is_float(enum element_type type)
{
    return type == ELEMENT_F32 || type == ELEMENT_F64 || type == ELEMENT_F16 ||
           type == ELEMENT_BF16;
}

static inline bool element_is_signed(enum element_type type)
{
    return type != ELEMENT_U8 && type != ELEMENT_U16 && type != ELEMENT_U32 && type != ELEMENT_U64;
}

/* True if a double cannot hold every value of the type: i64 and u64. */
static inline bool element_is_wide(enum element_type type)
{
    return type == ELEMENT_I64 || type == ELEMENT_U64;
}

/* The same as the functions below, for any type. */
double element_any_value(enum element_type type, const void *values, size_t index);
double element_any_rounded(enum element_type type, double value);
void element_any_store(enum element_type type, void *values, size_t index, double value);

/* One of an array's elements as double; i64 and u64 are rounded. All elements go through it, so
 * common types are fast. */
static inline double element_value(enum element_type type, const void *values, size_t index)
{
    switch (type) {
    case ELEMENT_F32:
        return (double)((const float *)values)[index];
    case ELEMENT_F64:
        return ((const double *)values)[index];
    case ELEMENT_I32:
        return ((const int32_t *)values)[index];
    case ELEMENT_U32:
        return ((const uint32_t *)values)[index];
    default:
        return element_any_value(type, values, index);
    }
}

/* One of an array's integers; u64 wraps around. Floats become integers too; what no integer can be
 * is INT64_MIN. */
int64_t element_integer(enum element_type type, const void *values, size_t index);

/* A value as the type holds it: floats are rounded to nearest, integers wrap around. An integer
 * that is no whole number, or beyond 2^53 in a type of less, stays what it is. */
static inline double element_rounded(enum element_type type, double value)
{
    return type == ELEMENT_F32   ? (double)(float)value
           : type == ELEMENT_F64 ? value
                                 : element_any_rounded(type, value);
}

/* Stores element_rounded(value). */
static inline void element_store(enum element_type type, void *values, size_t index, double value)
{
    if (type == ELEMENT_F32) {
        ((float *)values)[index] = (float)value;
    } else if (type == ELEMENT_I32 && value >= INT32_MIN && value <= INT32_MAX) {
        ((int32_t *)values)[index] = (int32_t)value;
    } else {
        element_any_store(type, values, index, value);
    }
}

/* The distance of the floats of a type around a value; 0 for integers. */
double element_ulp(enum element_type type, double value);

/* Half a unit in the last place of 1: 2^-24 for f32. Of integers that of f32. */
double element_roundoff(enum element_type type);

#endif
