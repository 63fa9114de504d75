#include "sort.h"

// A counting sort: how often does each key occur?
__global__ void countingSort(unsigned int *keys, int n)
{
    __shared__ int counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += 256) {
        atomicAdd(&counts[keys[i]], 1);
    }
    __syncthreads();
    int place = 0;
    for (int key = 0; key < threadIdx.x; key++) {
        place += counts[key];
    }
    for (int k = 0; k < counts[threadIdx.x]; k++) {
        keys[place + k] = threadIdx.x;
    }
}

void sortKeys(unsigned int *d_keys, int n)
{
    countingSort<<<1, 256>>>(d_keys, n);
}
