#include "sort.h"

__global__ void sortAll(unsigned int *keys, int n)
{
    const int i = threadIdx.x;
    for (int round = 0; round < n; round++) {
        const int left = 2 * i + round % 2;
        if (left + 1 < n) {
            const unsigned int a = keys[left], b = keys[left + 1];
            if (a > b) {
                keys[left] = b;
                keys[left + 1] = a;
            }
        }
        __syncthreads();
    }
}

void sortKeys(unsigned int *d_keys, int n)
{
    sortAll<<<1, 1024>>>(d_keys, n);
}
