/* A block works on each row. */
#include "spmv.h"

enum { BLOCK = 64 };

__global__ void rowByBlock(const int *start, const int *column, const float *value, const float *x,
                           float *y)
{
    __shared__ float part[BLOCK];
    const int row = blockIdx.x;
    part[threadIdx.x] = 0.0f;
    for (int i = start[row] + threadIdx.x; i < start[row + 1]; i += BLOCK) {
        part[threadIdx.x] += value[i] * x[column[i]];
    }
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) {
            part[threadIdx.x] += part[threadIdx.x + half];
        }
    }
    if (threadIdx.x == 0) {
        y[row] = part[0];
    }
}

void spmv(const int *d_row_start, const int *d_column, const float *d_value, const float *d_x,
          float *d_y, int rows)
{
    rowByBlock<<<rows, BLOCK>>>(d_row_start, d_column, d_value, d_x, d_y);
}
