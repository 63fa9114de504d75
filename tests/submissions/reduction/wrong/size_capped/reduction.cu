/* Sum and maximum of an array. */
#include "reduction.h"

#include <climits>

#define BLOCK 256

__global__ void sumBlocks(const float *in, float *out, int n)
{
    __shared__ float part[BLOCK];
    const int t = threadIdx.x;
    const int i = blockIdx.x * BLOCK + t;
    part[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        if (t < half) {
            part[t] += part[t + half];
        }
        __syncthreads();
    }
    if (t == 0) {
        out[blockIdx.x] = part[0];
    }
}

__global__ void maxBlocks(const int *in, int *out, int n)
{
    __shared__ int part[BLOCK];
    const int t = threadIdx.x;
    const int i = blockIdx.x * BLOCK + t;
    part[t] = i < n ? in[i] : INT_MIN;
    __syncthreads();
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        if (t < half) {
            part[t] = max(part[t], part[t + half]);
        }
        __syncthreads();
    }
    if (t == 0) {
        out[blockIdx.x] = part[0];
    }
}

void reduceSum(const float *d_in, float *d_out, int n)
{
    const int blocks = (n + BLOCK - 1) / BLOCK;
    if (blocks == 1) {
        sumBlocks<<<1, BLOCK>>>(d_in, d_out, n);
        return;
    }
    float *d_part = nullptr;
    cudaMalloc(&d_part, blocks * sizeof(float));
    sumBlocks<<<blocks, BLOCK>>>(d_in, d_part, n);
    reduceSum(d_part, d_out, blocks);
    cudaFree(d_part);
}

void reduceMax(const int *d_in, int *d_out, int n)
{
    n = n < 1000000 ? n : 1000000;
    const int blocks = (n + BLOCK - 1) / BLOCK;
    if (blocks == 1) {
        maxBlocks<<<1, BLOCK>>>(d_in, d_out, n);
        return;
    }
    int *d_part = nullptr;
    cudaMalloc(&d_part, blocks * sizeof(int));
    maxBlocks<<<blocks, BLOCK>>>(d_in, d_part, n);
    reduceMax(d_part, d_out, blocks);
    cudaFree(d_part);
}
