#include "reduction.h"

#include <climits>

#define BLOCK 256

__global__ void sumBlocks(const float *in, float *out, int n)
{
    float s[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int k = BLOCK / 2; k > 0; k /= 2) {
        if (t < k) {
            s[t] += s[t + k];
        }
        __syncthreads();
    }
    if (t == 0) {
        out[blockIdx.x] = s[0];
    }
}

__global__ void maxBlocks(const int *in, int *out, int n)
{
    int s[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? in[i] : INT_MIN;
    __syncthreads();
    for (int k = BLOCK / 2; k > 0; k /= 2) {
        if (t < k && s[t + k] > s[t]) {
            s[t] = s[t + k];
        }
        __syncthreads();
    }
    if (t == 0) {
        out[blockIdx.x] = s[0];
    }
}

void reduceSum(const float *d_in, float *d_out, int n)
{
    int blocks = (n + BLOCK - 1) / BLOCK;
    if (blocks == 1) {
        sumBlocks<<<1, BLOCK>>>(d_in, d_out, n);
        return;
    }
    float *d_part;
    cudaMalloc(&d_part, blocks * sizeof(float));
    sumBlocks<<<blocks, BLOCK>>>(d_in, d_part, n);
    reduceSum(d_part, d_out, blocks);
    cudaFree(d_part);
}

void reduceMax(const int *d_in, int *d_out, int n)
{
    int blocks = (n + BLOCK - 1) / BLOCK;
    if (blocks == 1) {
        maxBlocks<<<1, BLOCK>>>(d_in, d_out, n);
        return;
    }
    int *d_part;
    cudaMalloc(&d_part, blocks * sizeof(int));
    maxBlocks<<<blocks, BLOCK>>>(d_in, d_part, n);
    reduceMax(d_part, d_out, blocks);
    cudaFree(d_part);
}
