#include "vector_add.h"

enum { BLOCK = 256 };

__global__ void scale(float alpha, const float *x, float *product, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        product[i] = alpha * x[i];
    }
}

__global__ void addTo(const float *product, float *y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] += product[i];
    }
}

void saxpy(float alpha, const float *d_x, float *d_y, int n)
{
    const int blocks = (n + BLOCK - 1) / BLOCK;
    cudaStream_t first, second;
    float *d_product = nullptr;
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
    cudaMalloc(&d_product, n * sizeof(float));
    scale<<<blocks, BLOCK, 0, first>>>(alpha, d_x, d_product, n);
    addTo<<<blocks, BLOCK, 0, second>>>(d_product, d_y, n);
    cudaDeviceSynchronize();
    cudaFree(d_product);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
}
