// Batcher's odd-even merge sort: all swaps are ascending, so keys past the end need no padding.
#include "sort.h"

__global__ void pairs(unsigned int *keys, int n, int p, int k)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int j = i + k;
    if (i < k % p || j >= n || (i - k % p) / k % 2 != 0) {
        return;
    }
    if (i / (2 * p) != j / (2 * p)) {
        return;
    }
    const unsigned int a = keys[i], b = keys[j];
    if (a > b) {
        keys[i] = b;
        keys[j] = a;
    }
}

void sortKeys(unsigned int *d_keys, int n)
{
    for (int p = 1; p < n; p *= 2) {
        for (int k = p; k >= 1; k /= 2) {
            pairs<<<(n + 255) / 256, 256>>>(d_keys, n, p, k);
        }
    }
}
