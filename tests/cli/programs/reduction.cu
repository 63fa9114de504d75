// reduction.cu: a tree in shared memory, then one atomic for each block; with -DWRONG the loop lacks
// its barrier.
#include "check.h"

__global__ void reduce(const int *in, int *sum)
{
    __shared__ int part[256];
    int t = threadIdx.x;

    part[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int step = blockDim.x / 2; step > 0; step /= 2) {
        if (t < step) {
            part[t] += part[t + step]; // guilty: race
        }
#ifndef WRONG
        __syncthreads();
#endif
    }
    if (t == 0) {
        atomicAdd(sum, part[0]);
    }
}

int main()
{
    const int n = 4096;
    int *in, *sum;

    CHECK(cudaMallocManaged(&in, n * sizeof *in));
    CHECK(cudaMallocManaged(&sum, sizeof *sum));
    for (int i = 0; i < n; i++) {
        in[i] = 1;
    }
    *sum = 0;
    reduce<<<n / 256, 256>>>(in, sum);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    return conclude("reduction", *sum != n);
}
