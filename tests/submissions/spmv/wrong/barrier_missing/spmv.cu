#include "spmv.h"

enum { BLOCK = 128 };

__global__ void rowByBlock(const int *row_start, const int *column, const float *value,
                           const float *x, float *y)
{
    __shared__ float part[BLOCK];
    const int row = blockIdx.x;

    float sum = 0.0f;
    for (int k = row_start[row] + threadIdx.x; k < row_start[row + 1]; k += BLOCK) {
        sum += value[k] * x[column[k]];
    }
    part[threadIdx.x] = sum;
    for (int half = BLOCK / 2; half > 0; half /= 2) {
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
