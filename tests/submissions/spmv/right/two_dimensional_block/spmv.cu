#include "spmv.h"

// blockDim = (32, 8): threadIdx.y is the row of the block, threadIdx.x the lane.
__global__ void kernel(const int *rp, const int *ci, const float *a, const float *x, float *y,
                       int n)
{
    __shared__ double s[8][32];
    int r = blockIdx.x * blockDim.y + threadIdx.y;
    double acc = 0;
    if (r < n)
        for (int k = rp[r] + threadIdx.x; k < rp[r + 1]; k += 32)
            acc += (double)a[k] * x[ci[k]];
    s[threadIdx.y][threadIdx.x] = acc;
    for (int d = 16; d >= 1; d >>= 1) {
        __syncwarp();
        if (threadIdx.x < d)
            s[threadIdx.y][threadIdx.x] += s[threadIdx.y][threadIdx.x + d];
    }
    if (threadIdx.x == 0 && r < n)
        y[r] = (float)s[threadIdx.y][0];
}

void spmv(const int *d_row_start, const int *d_column, const float *d_value, const float *d_x,
          float *d_y, int rows)
{
    dim3 block(32, 8);
    kernel<<<(rows + 7) / 8, block>>>(d_row_start, d_column, d_value, d_x, d_y, rows);
    cudaDeviceSynchronize();
}
