/* naive.cu: the version that the exercise should beat. Each thread works on a row of its own, so
 * neighbouring threads read elements that lie a whole row apart, and all threads of a warp wait for
 * the one with the longest row.
 */
#include "spmv.h"

__global__ void naiveKernel(const int *row_start, const int *column, const float *value,
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

void naiveSpmv(const int *d_row_start, const int *d_column, const float *d_value, const float *d_x,
               float *d_y, int rows)
{
    const int threads = 256;
    naiveKernel<<<(rows + threads - 1) / threads, threads>>>(d_row_start, d_column, d_value, d_x,
                                                             d_y, rows);
}
