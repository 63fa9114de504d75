#include "spmv.h"

__device__ float warpSum(float sum)
{
    for (int mask = 16; mask > 0; mask >>= 1) {
        sum += __shfl_xor_sync(0xffffffffu, sum, mask);
    }
    return sum;
}

__global__ void multiply(const int *__restrict__ row_start, const int *__restrict__ column,
                         const float *__restrict__ value, const float *__restrict__ x,
                         float *__restrict__ y, int rows)
{
    const int warps = gridDim.x * blockDim.x / 32;
    const int lane = threadIdx.x & 31;

    for (int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32; row < rows; row += warps) {
        const int end = row_start[row + 1];
        float sum = 0.0f;
        for (int k = row_start[row] + lane; k < end; k += 32) {
            sum = fmaf(value[k], x[column[k]], sum);
        }
        sum = warpSum(sum);
        if (lane == 0) {
            y[row] = sum;
        }
    }
}

void spmv(const int *d_row_start, const int *d_column, const float *d_value, const float *d_x,
          float *d_y, int rows)
{
    multiply<<<120, 128>>>(d_row_start, d_column, d_value, d_x, d_y, rows);
}
