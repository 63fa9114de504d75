#include "sort.h"

// Each thread counts the keys that come before its own.
__global__ void place(const unsigned int *in, unsigned int *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    const unsigned int key = in[i];
    int rank = 0;
    for (int k = 0; k < n; k++) {
        rank += in[k] < key || (in[k] == key && k < i);
    }
    out[rank] = key;
}

void sortKeys(unsigned int *d_keys, int n)
{
    unsigned int *sorted = nullptr;
    cudaMalloc(&sorted, n * sizeof *sorted);
    place<<<(n + 255) / 256, 256>>>(d_keys, sorted, n);
    cudaMemcpy(d_keys, sorted, n * sizeof *sorted, cudaMemcpyDeviceToDevice);
    cudaFree(sorted);
}
