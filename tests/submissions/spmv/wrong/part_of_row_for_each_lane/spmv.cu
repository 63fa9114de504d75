#include "spmv.h"

// Each lane of a warp takes one run of elements.
__global__ void multiply(const int *row_start, const int *column, const float *value,
                         const float *x, float *y, int rows)
{
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const int lane = threadIdx.x % 32;
    if (row >= rows) {
        return;
    }
    const int start = row_start[row], end = row_start[row + 1];
    const int run = (end - start + 31) / 32;
    const int first = start + lane * run;
    float sum = 0.0f;
    for (int k = first; k < first + run && k < end; k++) {
        sum += value[k] * x[column[k]];
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_down_sync(0xffffffffu, sum, offset);
    }
    if (lane == 0) {
        y[row] = sum;
    }
}

void spmv(const int *d_row_start, const int *d_column, const float *d_value, const float *d_x,
          float *d_y, int rows)
{
    multiply<<<(rows + 3) / 4, 128>>>(d_row_start, d_column, d_value, d_x, d_y, rows);
}
