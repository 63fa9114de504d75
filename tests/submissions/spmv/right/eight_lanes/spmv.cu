#include "spmv.h"

// LANES threads share a row, so a warp works on several rows at once.
template <int LANES>
__global__ void csrVector(const int *row_start, const int *column, const float *value,
                          const float *x, float *y, int rows)
{
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = thread / LANES;
    const int lane = thread % LANES;

    float sum = 0.0f;
    if (row < rows) {
        for (int k = row_start[row] + lane; k < row_start[row + 1]; k += LANES) {
            sum += value[k] * x[column[k]];
        }
    }
#pragma unroll
    for (int offset = LANES / 2; offset > 0; offset /= 2) {
        sum += __shfl_down_sync(0xffffffffu, sum, offset, LANES);
    }
    if (row < rows && lane == 0) {
        y[row] = sum;
    }
}

void spmv(const int *d_row_start, const int *d_column, const float *d_value, const float *d_x,
          float *d_y, int rows)
{
    const int lanes = 8, threads = 192;
    const int rows_of_block = threads / lanes;
    csrVector<lanes><<<(rows + rows_of_block - 1) / rows_of_block, threads>>>(
        d_row_start, d_column, d_value, d_x, d_y, rows);
}
