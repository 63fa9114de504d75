#include "sort.h"

enum { BLOCK_SIZE = 256 };

__global__ void compareAndSwap(unsigned int *keys, int n, int run, int distance)
{
    const int pair = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const int lower = pair / distance * (2 * distance) + pair % distance;
    const int upper = lower + distance;
    if (upper >= n) {
        return;
    }
    const bool is_ascending = (lower & run) == 0;
    const unsigned int a = keys[lower];
    const unsigned int b = keys[upper];
    if ((a > b) == is_ascending) {
        keys[lower] = b;
        keys[upper] = a;
    }
}

void sortKeys(unsigned int *d_keys, int n)
{
    int padded_n = 2;
    while (padded_n < n) {
        padded_n *= 2;
    }
    for (int run = 2; run <= padded_n; run *= 2) {
        for (int distance = run / 2; distance > 0; distance /= 2) {
            compareAndSwap<<<(padded_n / 2 + BLOCK_SIZE - 1) / BLOCK_SIZE, BLOCK_SIZE>>>(
                d_keys, n, run, distance);
        }
    }
}
