#include "sort.h"

enum { BLOCK_SIZE = 128 };

__global__ void compareAndSwap(unsigned int *keys, int n, int run, int distance)
{
    const int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const int partner = i ^ distance;
    if (i >= n || partner < i) {
        return;
    }
    const unsigned int a = keys[i], b = keys[partner];
    if ((i & run) == 0 ? a > b : a < b) {
        keys[i] = b;
        keys[partner] = a;
    }
}

void sortKeys(unsigned int *d_keys, int n)
{
    int power = 1;
    while (2 * power <= n) {
        power *= 2;
    }
    for (int run = 2; run <= power; run *= 2) {
        for (int distance = run / 2; distance > 0; distance /= 2) {
            compareAndSwap<<<(power + BLOCK_SIZE - 1) / BLOCK_SIZE, BLOCK_SIZE>>>(d_keys, power,
                                                                                  run, distance);
        }
    }
}
