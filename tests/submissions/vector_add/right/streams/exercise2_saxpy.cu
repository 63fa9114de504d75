#include "vector_add.h"

__global__ void scalePart(float alpha, const float *x, float *product, int n)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n)
        product[i] = alpha * x[i];
}

__global__ void addPart(const float *product, float *y, int n)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n)
        y[i] += product[i];
}

/* Two kernels in two streams; the second waits for the first. */
void saxpy(float alpha, const float *d_x, float *d_y, int n)
{
    cudaStream_t one, other;
    cudaEvent_t scaled;
    float *d_product;
    const int blocks = (n + 127) / 128;
    cudaStreamCreate(&one);
    cudaStreamCreate(&other);
    cudaEventCreate(&scaled);
    cudaMalloc(&d_product, n * sizeof *d_product);
    scalePart<<<blocks, 128, 0, one>>>(alpha, d_x, d_product, n);
    cudaEventRecord(scaled, one);
    cudaStreamWaitEvent(other, scaled, 0);
    addPart<<<blocks, 128, 0, other>>>(d_product, d_y, n);
    cudaStreamSynchronize(other);
    cudaFree(d_product);
    cudaEventDestroy(scaled);
    cudaStreamDestroy(one);
    cudaStreamDestroy(other);
}
