#include "vector_add.h"

enum { BLOCK = 256 };

__global__ void addScaled(float alpha, const float *x, const float *y, float *result, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        result[i] = alpha * x[i] + y[i];
    }
}

void saxpy(float alpha, const float *d_x, float *d_y, int n)
{
    float *d_result = nullptr;
    cudaMalloc(&d_result, n * sizeof(float));
    addScaled<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(alpha, d_x, d_y, d_result, n);
    cudaFree(d_result);
}
