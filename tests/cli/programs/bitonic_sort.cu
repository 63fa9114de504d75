// bitonic_sort.cu: many launches of one kernel; with -DWRONG the block is larger than a device can
// run and nobody asks whether the launch failed.
#include "check.h"

#include <algorithm>

#ifdef WRONG
const int threads = 2048;
#else
const int threads = 256;
#endif

__global__ void compare_and_swap(float *values, int distance, int length)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int partner = i ^ distance;

    if (partner > i) {
        bool ascends = (i & length) == 0;
        float mine = values[i], other = values[partner];
        if (ascends ? mine > other : mine < other) {
            values[i] = other;
            values[partner] = mine;
        }
    }
}

int main()
{
    const int n = 2048;
    float values[n];
    float *device_values;

    for (int i = 0; i < n; i++) {
        values[i] = (float)(i * 7919 % 2053);
    }
    CHECK(cudaMalloc(&device_values, sizeof values));
    CHECK(cudaMemcpy(device_values, values, sizeof values, cudaMemcpyHostToDevice));
    for (int length = 2; length <= n; length *= 2) {
        for (int distance = length / 2; distance > 0; distance /= 2) {
            compare_and_swap<<<n / threads, threads>>>(device_values, distance, length);
        }
    }
    CHECK(cudaMemcpy(values, device_values, sizeof values, cudaMemcpyDeviceToHost));
    return conclude("bitonic_sort", !std::is_sorted(values, values + n));
}
