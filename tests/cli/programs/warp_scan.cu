// warp_scan.cu: prefix sums with shuffles, then across warps through shared memory; with -DWRONG the
// first warp does not wait for the others.
#include "check.h"

__device__ int scan_warp(int value)
{
    for (int distance = 1; distance < 32; distance *= 2) {
        int left = __shfl_up_sync(0xffffffffu, value, distance);
        if (threadIdx.x % 32 >= distance) {
            value += left;
        }
    }
    return value;
}

__global__ void scan(const int *in, int *out)
{
    __shared__ int sums[32];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int value = scan_warp(in[threadIdx.x]);

    if (lane == 31) {
        sums[warp] = value; // guilty: race
    }
#ifndef WRONG
    __syncthreads();
#endif
    if (warp == 0) {
        int sum = lane < blockDim.x / 32 ? sums[lane] : 0;
        sums[lane] = scan_warp(sum);
    }
    __syncthreads();
    out[threadIdx.x] = value + (warp > 0 ? sums[warp - 1] : 0);
}

int main()
{
    const int n = 512;
    int in[n], out[n];
    int *device_in, *device_out;
    int wrong = 0, expected = 0;

    for (int i = 0; i < n; i++) {
        in[i] = i % 5;
    }
    CHECK(cudaMalloc(&device_in, sizeof in));
    CHECK(cudaMalloc(&device_out, sizeof out));
    CHECK(cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice));
    scan<<<1, n>>>(device_in, device_out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) {
        expected += in[i];
        wrong += out[i] != expected;
    }
    return conclude("warp_scan", wrong);
}
