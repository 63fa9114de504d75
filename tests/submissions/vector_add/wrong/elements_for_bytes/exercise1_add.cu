#include "vector_add.h"

enum { BLOCK = 256 };

__global__ void add(const float *a, const float *b, float *sum, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        sum[i] = a[i] + b[i];
    }
}

void addVectors(const float *d_a, const float *d_b, float *d_c, int n)
{
    float *d_sum = nullptr;
    cudaMalloc(&d_sum, n);
    add<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_a, d_b, d_sum, n);
    cudaMemcpy(d_c, d_sum, n * sizeof(float), cudaMemcpyDeviceToDevice);
    cudaFree(d_sum);
}
