/* Sparse matrix times vector: a warp works on each row. */
#include "spmv.h"

#define WARP 32
#define BLOCK 256
#define ROWS_OF_BLOCK (BLOCK / WARP)

__global__ void rowByWarp(const int *row_start, const int *column, const float *value,
                          const float *x, float *y, int rows)
{
    const int row = blockIdx.x * ROWS_OF_BLOCK + threadIdx.x / WARP;
    const int lane = threadIdx.x % WARP;
    if (row >= rows) {
        return; /* all lanes of this warp: no one waits for them below */
    }

    /* In each step the lanes read 32 elements that are next to each other. */
    const int end = row_start[row + 1];
    float sum = 0.0f;
    for (int k = row_start[row] + lane; k < end; k += WARP) {
        sum += value[k] * x[column[k]];
    }

    for (int distance = WARP; distance > 0; distance /= 2) {
        sum += __shfl_down_sync(0xffffffff, sum, distance);
    }
    if (lane == 0) {
        y[row] = sum; /* 0 if the row is empty */
    }
}

void spmv(const int *d_row_start, const int *d_column, const float *d_value, const float *d_x,
          float *d_y, int rows)
{
    const int blocks = (rows + ROWS_OF_BLOCK - 1) / ROWS_OF_BLOCK;
    rowByWarp<<<blocks, BLOCK>>>(d_row_start, d_column, d_value, d_x, d_y, rows);
}
