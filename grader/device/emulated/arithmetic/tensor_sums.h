/* tensor_sums.h: the arithmetic of tensor cores (exec/tensor_cores.h says what it is). */
#ifndef GPUGRADE_DEVICE_EMULATED_ARITHMETIC_TENSOR_SUMS_H
#define GPUGRADE_DEVICE_EMULATED_ARITHMETIC_TENSOR_SUMS_H

#include "device/emulated/machine.h"

enum { TENSOR_ELEMENTS_MAX = 1024 };

/* d = a b + c, as bits of their types: a [m][k], b [n][k] (column by column), c and d [m][n]; each
 * has at most TENSOR_ELEMENTS_MAX elements. */
void tensor_sums(const struct tensor_product *product, const uint64_t *a, const uint64_t *b,
                 const uint64_t *c, uint64_t *d);

#endif
