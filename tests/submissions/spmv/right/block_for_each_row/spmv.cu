#include "spmv.h"

#define THREADS 128

// One block for each row, tree in shared memory.
__global__ void spmvKernel(const int *rowStart, const int *col, const float *val, const float *x,
                           float *y)
{
    __shared__ float partial[THREADS];
    int row = blockIdx.x;
    int t = threadIdx.x;

    float mine = 0;
    for (int k = rowStart[row] + t; k < rowStart[row + 1]; k += THREADS)
        mine += val[k] * x[col[k]];
    partial[t] = mine;
    __syncthreads();

    for (int s = THREADS / 2; s > 0; s /= 2) {
        if (t < s)
            partial[t] += partial[t + s];
        __syncthreads();
    }
    if (t == 0)
        y[row] = partial[0];
}

void spmv(const int *d_row_start, const int *d_column, const float *d_value, const float *d_x,
          float *d_y, int rows)
{
    spmvKernel<<<rows, THREADS>>>(d_row_start, d_column, d_value, d_x, d_y);
}
