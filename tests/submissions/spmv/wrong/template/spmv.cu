/* Sparse matrix times vector. See README.md. */
#include "spmv.h"

/* TODO 1: write a kernel in which the 32 lanes of a warp share a row: they read elements that are
 *         next to each other, add up their parts, and then put the 32 sums together. */

void spmv(const int *d_row_start, const int *d_column, const float *d_value, const float *d_x,
          float *d_y, int rows)
{
    /* TODO 2: launch it with enough warps for all rows. */
}
