/* A warp works on each row. */
#include "spmv.h"

enum { WARP = 32, BLOCK = 256, ROWS = BLOCK / WARP };

__global__ void rowByWarp(const int *start, const int *column, const float *value, const float *x,
                          float *y, int rows)
{
    const int row = blockIdx.x * ROWS + threadIdx.x / WARP, lane = threadIdx.x % WARP;
    if (row >= rows) {
        return;
    }
    float sum = 0.0f;
    for (int i = start[row] + lane; i < start[row + 1]; i += WARP) {
        sum += value[i] * x[column[i]];
    }
    for (int distance = WARP / 2; distance > 0; distance /= 2) {
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    }
    if (lane == 0) {
        y[row] = sum;
    }
}

void spmv(const int *d_row_start, const int *d_column, const float *d_value, const float *d_x,
          float *d_y, int rows)
{
    rowByWarp<<<(rows + ROWS - 1) / ROWS, BLOCK>>>(d_row_start, d_column, d_value, d_x, d_y, rows);
}
