/* tensor_sums.h: the arithmetic of tensor cores (exec/tensor_cores.h says what it is). */
#ifndef GPUGRADE_DEVICE_EMULATED_ARITHMETIC_TENSOR_SUMS_H
#define GPUGRADE_DEVICE_EMULATED_ARITHMETIC_TENSOR_SUMS_H

#include "device/emulated/machine.h"

enum {
    TENSOR_ELEMENTS_MAX = 1024,
    TENSOR_KEPT_BITS = 25,     /* of a sum, after the binary point of the largest exponent */
    TENSOR_NO_EXPONENT = -4096 /* of zero */
};

/* What a format of floating point is made of. */
struct tensor_format {
    int exponent_bits, fraction_bits;
    int dropped_bits; /* of the fraction, which do not count */
};

/* Finite elements: significand, with its sign, times 2^(exponent - fraction bits). */
struct tensor_numbers {
    int32_t significands[TENSOR_ELEMENTS_MAX];
    int32_t exponents[TENSOR_ELEMENTS_MAX];
};

/* d = a b + c, as bits of their types: a [m][k], b [n][k] (column by column), c and d [m][n]; each
 * has at most TENSOR_ELEMENTS_MAX elements. The variant has the fast form of some of it. */
void tensor_sums(const struct warp_variant *variant, const struct tensor_product *product,
                 const uint64_t *a, const uint64_t *b, const uint64_t *c, uint64_t *d);

#endif
