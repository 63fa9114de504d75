#include "spmv.h"

__global__ void products(const int *column, const float *value, const float *x, float *product,
                         int elements)
{
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < elements) {
        product[k] = value[k] * x[column[k]];
    }
}

__global__ void sums(const int *row_start, const float *product, float *y, int rows)
{
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const int lane = threadIdx.x % 32;
    if (row >= rows) {
        return;
    }
    float sum = 0.0f;
    for (int k = row_start[row] + lane; k < row_start[row + 1]; k += 32) {
        sum += product[k];
    }
    for (int distance = 16; distance > 0; distance /= 2) {
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    }
    if (lane == 0) {
        y[row] = sum;
    }
}

void spmv(const int *d_row_start, const int *d_column, const float *d_value, const float *d_x,
          float *d_y, int rows)
{
    int elements = 0;
    cudaMemcpy(&elements, d_row_start + rows, sizeof(int), cudaMemcpyDeviceToHost);
    cudaStream_t first, second;
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
    float *d_product = nullptr;
    if (elements > 0) {
        cudaMalloc(&d_product, elements * sizeof(float));
        products<<<(elements + 255) / 256, 256, 0, first>>>(d_column, d_value, d_x, d_product,
                                                            elements);
    }
    sums<<<(rows + 7) / 8, 256, 0, second>>>(d_row_start, d_product, d_y, rows);
    cudaFree(d_product);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
}
