/* matrix_product.h: products of matrices by columns. */
#ifndef GPUGRADE_LIBRARIES_MATRIX_PRODUCT_H
#define GPUGRADE_LIBRARIES_MATRIX_PRODUCT_H

#include <stdbool.h>
#include <stddef.h>

/* out[m, n] = op(a)[m, k] * op(b)[k, n], all without gaps, each sum in the order of k. False: there
 * is no memory. */
struct matrix_product {
    size_t m, n, k;
    const double *a, *b;
    bool is_a_transposed, is_b_transposed;
};
bool matrix_multiply(const struct matrix_product *product, double *out);

#endif
