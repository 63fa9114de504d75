/* A bitonic sort of the next power of two, padded with the largest key. */
#include "sort.h"

enum { BLOCK = 256 };

__global__ void pad(const unsigned int *keys, unsigned int *padded, int n, int all)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < all) {
        padded[i] = i < n ? keys[i] : 0xffffffffu;
    }
}

/* Each thread orders a pair whose places differ by `distance`, in runs of `run` that take turns. */
__global__ void exchange(unsigned int *keys, int all, int run, int distance)
{
    const int t = blockIdx.x * BLOCK + threadIdx.x;
    if (t >= all / 2) {
        return;
    }
    const int low = t / distance * 2 * distance + t % distance, high = low + distance;
    const unsigned int a = keys[low], b = keys[high];
    if ((a > b) == ((low & run) == 0)) {
        keys[low] = b;
        keys[high] = a;
    }
}

void sortKeys(unsigned int *d_keys, int n)
{
    int all = 2;
    while (all < n) {
        all *= 2;
    }
    unsigned int *keys = nullptr;
    cudaMalloc(&keys, all * sizeof *keys);
    pad<<<(all + BLOCK - 1) / BLOCK, BLOCK>>>(d_keys, keys, n, all);
    for (int run = 2; run <= all; run *= 2) {
        for (int distance = run / 2; distance > 0; distance /= 2) {
            exchange<<<(all / 2 + BLOCK - 1) / BLOCK, BLOCK>>>(keys, all, run, distance);
        }
    }
    cudaMemcpy(d_keys, keys, n * sizeof *keys, cudaMemcpyDeviceToDevice);
    cudaFree(keys);
}
