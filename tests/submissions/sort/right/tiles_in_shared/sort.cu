// Steps within a tile of 1024 keys are made in shared memory, those between tiles in global memory.
#include "sort.h"

#include <climits>

constexpr unsigned int TILE = 1024, THREADS = TILE / 2;

__device__ inline void compareSwap(unsigned int &a, unsigned int &b, bool ascending)
{
    if ((a > b) == ascending) {
        unsigned int t = a;
        a = b;
        b = t;
    }
}

__device__ inline void stepsInTile(unsigned int *tile, unsigned int base, unsigned int run,
                                   unsigned int distance)
{
    for (; distance > 0; distance >>= 1) {
        __syncthreads();
        const unsigned int low = 2 * threadIdx.x - (threadIdx.x & (distance - 1));
        compareSwap(tile[low], tile[low + distance], ((base + low) & run) == 0);
    }
}

__global__ void sortTiles(const unsigned int *in, unsigned int *out, unsigned int n)
{
    __shared__ unsigned int tile[TILE];
    const unsigned int base = blockIdx.x * TILE;
    for (unsigned int i = threadIdx.x; i < TILE; i += THREADS) {
        tile[i] = base + i < n ? in[base + i] : UINT_MAX;
    }
    for (unsigned int run = 2; run <= TILE; run *= 2) {
        stepsInTile(tile, base, run, run / 2);
    }
    __syncthreads();
    for (unsigned int i = threadIdx.x; i < TILE; i += THREADS) {
        out[base + i] = tile[i];
    }
}

__global__ void stepBetweenTiles(unsigned int *keys, unsigned int run, unsigned int distance)
{
    const unsigned int t = blockIdx.x * THREADS + threadIdx.x;
    const unsigned int low = 2 * t - (t & (distance - 1));
    compareSwap(keys[low], keys[low + distance], (low & run) == 0);
}

__global__ void lastStepsInTiles(unsigned int *keys, unsigned int run)
{
    __shared__ unsigned int tile[TILE];
    const unsigned int base = blockIdx.x * TILE;
    tile[threadIdx.x] = keys[base + threadIdx.x];
    tile[threadIdx.x + THREADS] = keys[base + threadIdx.x + THREADS];
    stepsInTile(tile, base, run, TILE / 2);
    __syncthreads();
    keys[base + threadIdx.x] = tile[threadIdx.x];
    keys[base + threadIdx.x + THREADS] = tile[threadIdx.x + THREADS];
}

void sortKeys(unsigned int *d_keys, int n)
{
    unsigned int padded = TILE;
    while (padded < (unsigned int)n) {
        padded *= 2;
    }
    unsigned int *keys;
    cudaMalloc(&keys, padded * sizeof(unsigned int));
    sortTiles<<<padded / TILE, THREADS>>>(d_keys, keys, n);
    for (unsigned int run = 2 * TILE; run <= padded; run *= 2) {
        for (unsigned int distance = run / 2; distance >= TILE; distance /= 2) {
            stepBetweenTiles<<<padded / TILE, THREADS>>>(keys, run, distance);
        }
        lastStepsInTiles<<<padded / TILE, THREADS>>>(keys, run);
    }
    cudaMemcpy(d_keys, keys, n * sizeof(unsigned int), cudaMemcpyDeviceToDevice);
    cudaFree(keys);
}
