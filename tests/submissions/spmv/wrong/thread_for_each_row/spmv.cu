#include "spmv.h"

__global__ void multiply(const int *row_start, const int *column, const float *value,
                         const float *x, float *y, int rows)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float sum = 0.0f;
        for (int k = row_start[row]; k < row_start[row + 1]; k++) {
            sum += value[k] * x[column[k]];
        }
        y[row] = sum;
    }
}

void spmv(const int *d_row_start, const int *d_column, const float *d_value, const float *d_x,
          float *d_y, int rows)
{
    multiply<<<(rows + 255) / 256, 256>>>(d_row_start, d_column, d_value, d_x, d_y, rows);
}
