#include "spmv.h"

void spmv(const int *d_row_start, const int *d_column, const float *d_value, const float *d_x,
          float *d_y, int rows)
{
    /* TODO: let a warp work on each row. */
}
