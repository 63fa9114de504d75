#include "spmv.h"

__device__ int rowOf(const int *row_start, int rows, int k)
{
    int low = 0, high = rows;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
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
    int elements = 0;
    cudaMemcpy(&elements, d_row_start + rows, sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemset(d_y, 0, rows);
    if (elements > 0) {
        addProducts<<<(elements + 255) / 256, 256>>>(d_row_start, d_column, d_value, d_x, d_y, rows,
                                                     elements);
    }
}
