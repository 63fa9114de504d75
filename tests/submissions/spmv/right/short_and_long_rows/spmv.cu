#include "spmv.h"

/* Rows of at most 16 elements are handled by a thread each, longer ones by a block. Both kernels
 * look at all rows and write different ones, so they may run at the same time. */
enum { SHORT = 16, BLOCK = 256 };

__global__ void shortRows(const int *start, const int *column, const float *value, const float *x,
                          float *y, int rows)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows || start[row + 1] - start[row] > SHORT) {
        return;
    }
    float sum = 0.0f;
    for (int k = start[row]; k < start[row + 1]; k++) {
        sum += value[k] * x[column[k]];
    }
    y[row] = sum;
}

__global__ void longRows(const int *start, const int *column, const float *value, const float *x,
                         float *y, int rows)
{
    __shared__ float sums[BLOCK / 32];

    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        if (start[row + 1] - start[row] <= SHORT) {
            continue; // the same for the whole block
        }
        float sum = 0.0f;
        for (int k = start[row] + threadIdx.x; k < start[row + 1]; k += BLOCK) {
            sum += value[k] * x[column[k]];
        }
        for (int distance = 16; distance > 0; distance /= 2) {
            sum += __shfl_down_sync(0xffffffffu, sum, distance);
        }
        if (threadIdx.x % 32 == 0) {
            sums[threadIdx.x / 32] = sum;
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            for (int i = 1; i < BLOCK / 32; i++) {
                sum += sums[i];
            }
            y[row] = sum;
        }
        __syncthreads();
    }
}

void spmv(const int *d_row_start, const int *d_column, const float *d_value, const float *d_x,
          float *d_y, int rows)
{
    cudaStream_t streams[2];
    for (cudaStream_t &stream : streams) {
        cudaStreamCreate(&stream);
    }
    const int short_blocks = (rows + BLOCK - 1) / BLOCK;
    const int long_blocks = rows < 512 ? rows : 512;
    shortRows<<<short_blocks, BLOCK, 0, streams[0]>>>(d_row_start, d_column, d_value, d_x, d_y,
                                                      rows);
    longRows<<<long_blocks, BLOCK, 0, streams[1]>>>(d_row_start, d_column, d_value, d_x, d_y, rows);
    for (cudaStream_t &stream : streams) {
        cudaStreamSynchronize(stream);
        cudaStreamDestroy(stream);
    }
}
