// histogram.cu: bins in shared memory; with -DWRONG they are cleared without a barrier behind it.
#include "check.h"

__global__ void histogram(const unsigned char *data, int n, unsigned *bins)
{
    __shared__ unsigned local[256];

    local[threadIdx.x] = 0; // guilty: race
#ifndef WRONG
    __syncthreads();
#endif
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        atomicAdd(&local[data[i]], 1u);
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

int main()
{
    const int n = 20000;
    static unsigned char data[n];
    unsigned expected[256] = {0}, bins[256];
    unsigned char *device_data;
    unsigned *device_bins;
    cudaEvent_t start, end;
    float milliseconds = -1;
    int wrong = 0;

    for (int i = 0; i < n; i++) {
        data[i] = (unsigned char)(i * 2654435761u >> 13);
        expected[data[i]]++;
    }
    CHECK(cudaMalloc(&device_data, n));
    CHECK(cudaMalloc(&device_bins, sizeof bins));
    CHECK(cudaMemcpy(device_data, data, n, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(device_bins, 0, sizeof bins));
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&end));
    CHECK(cudaEventRecord(start));
    histogram<<<8, 256>>>(device_data, n, device_bins);
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaEventElapsedTime(&milliseconds, start, end));
    CHECK(cudaMemcpy(bins, device_bins, sizeof bins, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 256; i++) {
        wrong += bins[i] != expected[i];
    }
    return conclude("histogram", wrong + (milliseconds <= 0));
}
