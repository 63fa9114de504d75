// stencil.cu: dynamic shared memory with a halo; with -DWRONG the halo is read too early.
#include "check.h"

const int radius = 3;

__global__ void stencil(const float *in, float *out, int n)
{
    extern __shared__ float tile[];
    int global = blockIdx.x * blockDim.x + threadIdx.x;
    int local = threadIdx.x + radius;
    float sum = 0;

    tile[local] = global < n ? in[global] : 0;
    if (threadIdx.x < radius) {
        tile[local - radius] = global >= radius ? in[global - radius] : 0;
        tile[local + blockDim.x] = global + blockDim.x < n ? in[global + blockDim.x] : 0;
    }
#ifndef WRONG
    __syncthreads();
#endif
    for (int offset = -radius; offset <= radius; offset++) {
        sum += tile[local + offset]; // guilty: race
    }
    if (global < n) {
        out[global] = sum;
    }
}

int main()
{
    const int n = 1000, threads = 128;
    float in[n], out[n];
    float *device_in, *device_out;
    int wrong = 0;

    for (int i = 0; i < n; i++) {
        in[i] = 1;
    }
    CHECK(cudaMalloc(&device_in, sizeof in));
    CHECK(cudaMalloc(&device_out, sizeof out));
    CHECK(cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice));
    stencil<<<(n + threads - 1) / threads, threads, (threads + 2 * radius) * sizeof(float)>>>(
        device_in, device_out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost));
    for (int i = radius; i < n - radius; i++) {
        wrong += out[i] != 2 * radius + 1;
    }
    return conclude("stencil", wrong);
}
