#include "vector_add.h"

__global__ void combine(float alpha, const float *x, const float *y, float *result, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n)
        result[i] = alpha * x[i] + y[i];
}

/* The result is made elsewhere, and copied back. */
void saxpy(float alpha, const float *d_x, float *d_y, int n)
{
    float *d_result;
    if (cudaMalloc(&d_result, n * sizeof(float)) != cudaSuccess)
        return;
    combine<<<(n - 1) / 1024 + 1, 1024>>>(alpha, d_x, d_y, d_result, n);
    cudaMemcpy(d_y, d_result, n * sizeof(float), cudaMemcpyDeviceToDevice);
    cudaFree(d_result);
}
