// scan.cu: prefix sums of blocks, then of their sums; with -DWRONG nobody waits between the read and
// the write.
#include "check.h"

template <int N> __global__ void scan_block(const int *in, int *out, int *sums)
{
    __shared__ int tile[N];
    int t = threadIdx.x;

    tile[t] = in[blockIdx.x * N + t];
    __syncthreads();
    for (int distance = 1; distance < N; distance *= 2) {
        int left = t >= distance ? tile[t - distance] : 0;
#ifndef WRONG
        __syncthreads();
#endif
        tile[t] += left; // guilty: race
        __syncthreads();
    }
    out[blockIdx.x * N + t] = tile[t];
    if (sums != nullptr && t == N - 1) {
        sums[blockIdx.x] = tile[t];
    }
}

__global__ void add_sums(int *out, const int *sums)
{
    if (blockIdx.x > 0) {
        out[blockIdx.x * blockDim.x + threadIdx.x] += sums[blockIdx.x - 1];
    }
}

int main()
{
    const int blocks = 32, n = 256 * blocks;
    static int in[n], out[n];
    int *device_in, *device_out, *sums, *scanned;
    int wrong = 0, expected = 0;

    for (int i = 0; i < n; i++) {
        in[i] = i % 7;
    }
    CHECK(cudaMalloc(&device_in, sizeof in));
    CHECK(cudaMalloc(&device_out, sizeof out));
    CHECK(cudaMalloc(&sums, blocks * sizeof *sums));
    CHECK(cudaMalloc(&scanned, blocks * sizeof *scanned));
    CHECK(cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice));
    scan_block<256><<<blocks, 256>>>(device_in, device_out, sums);
    scan_block<32><<<1, 32>>>(sums, scanned, nullptr);
    add_sums<<<blocks, 256>>>(device_out, scanned);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) {
        expected += in[i];
        wrong += out[i] != expected;
    }
    return conclude("scan", wrong);
}
