#include "sort.h"

enum { TILE = 1024 };

// Each block sorts its keys in shared memory.
__global__ void sortTile(unsigned int *keys, int n)
{
    __shared__ unsigned int tile[TILE];
    const int i = blockIdx.x * TILE + threadIdx.x;
    tile[threadIdx.x] = i < n ? keys[i] : 0xffffffffu;
    for (int run = 2; run <= TILE; run *= 2) {
        for (int distance = run / 2; distance > 0; distance /= 2) {
            __syncthreads();
            const int partner = threadIdx.x ^ distance;
            if (partner > threadIdx.x) {
                const unsigned int a = tile[threadIdx.x], b = tile[partner];
                if ((threadIdx.x & run) == 0 ? a > b : a < b) {
                    tile[threadIdx.x] = b;
                    tile[partner] = a;
                }
            }
        }
    }
    __syncthreads();
    if (i < n) {
        keys[i] = tile[threadIdx.x];
    }
}

void sortKeys(unsigned int *d_keys, int n)
{
    sortTile<<<(n + TILE - 1) / TILE, TILE>>>(d_keys, n);
}
