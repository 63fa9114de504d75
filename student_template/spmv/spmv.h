/* spmv.h: what the exercise and the given main program agree on. Given: do not change it.
 *
 * A sparse matrix A is stored by rows (CSR). The elements of row r are those with the numbers from
 * row_start[r] up to, but not including, row_start[r + 1]. Element k has the value value[k] and
 * stands in column column[k]. row_start has rows + 1 entries; the first is 0, and the last is the
 * number of all elements.
 *
 * A row may be empty, or very long. Its columns are in any order, and a column may occur twice: then
 * both elements count. The number of columns, which is the number of elements of x, need not be
 * that of rows.
 */
#ifndef SPMV_H
#define SPMV_H

/* y = A x: y[r] = sum of value[k] * x[column[k]] over the elements k of row r; 0 for an empty row.
 *
 * All arrays are in device memory. y holds nothing yet. rows is at least 1. */
void spmv(const int *d_row_start, const int *d_column, const float *d_value, const float *d_x,
          float *d_y, int rows);

#endif
