/* A bitonic sort without padding and without scratch memory. The first step of each merge pairs the
 * keys from both ends, so all runs are ascending: a key that is missing would stay at the end. */
#include "sort.h"

__device__ void order(unsigned int *keys, int low, int high, int n)
{
    if (high < n && keys[low] > keys[high]) {
        const unsigned int key = keys[low];
        keys[low] = keys[high];
        keys[high] = key;
    }
}

__global__ void mirrored(unsigned int *keys, int n, int run)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x, half = run / 2;
    const int start = t / half * run, i = t % half;
    order(keys, start + i, start + run - 1 - i, n);
}

__global__ void straight(unsigned int *keys, int n, int distance)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    const int low = t / distance * 2 * distance + t % distance;
    order(keys, low, low + distance, n);
}

void sortKeys(unsigned int *d_keys, int n)
{
    int all = 1;
    while (all < n) {
        all *= 2;
    }
    const int blocks = (all / 2 + 127) / 128;
    for (int run = 2; run <= all; run *= 2) {
        mirrored<<<blocks, 128>>>(d_keys, n, run);
        for (int distance = run / 4; distance > 0; distance /= 2) {
            straight<<<blocks, 128>>>(d_keys, n, distance);
        }
    }
}
