/* matrix_product.c: see matrix_product.h. A piece of a is used for all columns of b while it is in
 * the cache. */
#include "libraries/matrix_product.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS_AT_ONCE = 256, STEPS_AT_ONCE = 128 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* A transposed copy of a matrix with that many rows. */
static double *transposed(const double *matrix, size_t rows, size_t columns)
{
    double *copy = malloc((rows * columns + 1) * sizeof(*copy));

    for (size_t column = 0; copy != NULL && column < columns; column++) {
        for (size_t row = 0; row < rows; row++) {
            copy[column + row * columns] = matrix[row + column * rows];
        }
    }
    return copy;
}

/* Adds `steps` columns of a, each times its number of b, to a column. */
static void add_columns(const double *restrict a, size_t a_rows, const double *b, size_t b_step,
                        size_t steps, size_t rows, double *restrict out)
{
    size_t k = 0;

    for (; k + 4 <= steps; k += 4) {
        const double *const a0 = a + k * a_rows, *const a1 = a0 + a_rows;
        const double *const a2 = a1 + a_rows, *const a3 = a2 + a_rows;
        const double b0 = b[k * b_step], b1 = b[(k + 1) * b_step];
        const double b2 = b[(k + 2) * b_step], b3 = b[(k + 3) * b_step];

        for (size_t i = 0; i < rows; i++) {
            out[i] = out[i] + a0[i] * b0 + a1[i] * b1 + a2[i] * b2 + a3[i] * b3;
        }
    }
    for (; k < steps; k++) {
        for (size_t i = 0; i < rows; i++) {
            out[i] += a[k * a_rows + i] * b[k * b_step];
        }
    }
}

bool matrix_multiply(const struct matrix_product *product, double *out)
{
    const size_t m = product->m, n = product->n, k = product->k;
    const size_t b_step = product->is_b_transposed ? n : 1;
    const size_t b_column = product->is_b_transposed ? 1 : k;
    double *copy = product->is_a_transposed ? transposed(product->a, k, m) : NULL;
    const double *a = product->is_a_transposed ? copy : product->a;

    if (a == NULL) {
        return false;
    }
    memset(out, 0, m * n * sizeof(*out));
    for (size_t step = 0; step < k; step += STEPS_AT_ONCE) {
        for (size_t row = 0; row < m; row += ROWS_AT_ONCE) {
            for (size_t column = 0; column < n; column++) {
                add_columns(a + row + step * m, m, product->b + step * b_step + column * b_column,
                            b_step, least(STEPS_AT_ONCE, k - step), least(ROWS_AT_ONCE, m - row),
                            out + row + column * m);
            }
        }
    }
    free(copy);
    return true;
}
