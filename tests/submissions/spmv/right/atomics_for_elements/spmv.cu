#include "spmv.h"

/* A thread for each element, whichever row it is in: no row is too long, and none too short. */
__device__ int rowOf(const int *row_start, int rows, int k)
{
    int low = 0, high = rows; // row_start[low] <= k < row_start[high]
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (row_start[middle] <= k) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

__global__ void addProducts(const int *row_start, const int *column, const float *value,
                            const float *x, float *y, int rows, int elements)
{
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < elements) {
        atomicAdd(&y[rowOf(row_start, rows, k)], value[k] * x[column[k]]);
    }
}

void spmv(const int *d_row_start, const int *d_column, const float *d_value, const float *d_x,
          float *d_y, int rows)
{
    int elements;
    cudaMemcpy(&elements, d_row_start + rows, sizeof elements, cudaMemcpyDeviceToHost);
    cudaMemset(d_y, 0, rows * sizeof(float));
    if (elements > 0) {
        addProducts<<<(elements + 511) / 512, 512>>>(d_row_start, d_column, d_value, d_x, d_y, rows,
                                                     elements);
    }
}
