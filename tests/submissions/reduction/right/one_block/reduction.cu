#include "reduction.h"

#include <climits>
#include <vector>

/* One block of 1024 threads for everything. The start value comes from the host. */
__global__ void sumBlock(const float *in, float *out, int n)
{
    __shared__ float s[1024];
    s[threadIdx.x] = 0.0f;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        s[threadIdx.x] += in[i];
    __syncthreads();
    for (int half = 512; half >= 32; half /= 2) {
        if (threadIdx.x < half)
            s[threadIdx.x] += s[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        float sum = 0.0f;
        for (int i = 0; i < 32; i++)
            sum += s[i];
        *out = sum;
    }
}

__global__ void maxBlock(const int *in, int *out, int n)
{
    extern __shared__ int m[];
    int mine = *out;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        mine = in[i] > mine ? in[i] : mine;
    m[threadIdx.x] = mine;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half >>= 1) {
        if (threadIdx.x < half && m[threadIdx.x] < m[threadIdx.x + half])
            m[threadIdx.x] = m[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        *out = m[0];
}

void reduceSum(const float *d_in, float *d_out, int n)
{
    sumBlock<<<1, 1024>>>(d_in, d_out, n);
}

void reduceMax(const int *d_in, int *d_out, int n)
{
    const int least = INT_MIN;
    cudaMemcpy(d_out, &least, sizeof least, cudaMemcpyHostToDevice);
    maxBlock<<<1, 1024, 1024 * sizeof(int)>>>(d_in, d_out, n);
}
