/* spmv.h: what the exercise and the given main program agree on. */
#ifndef SPMV_H
#define SPMV_H

/* y = A x. The elements of row r are those from d_row_start[r] to d_row_start[r + 1] - 1, which may
 * be none; a column may come twice. */
void spmv(const int *d_row_start, const int *d_column, const float *d_value, const float *d_x,
          float *d_y, int rows);

#endif
