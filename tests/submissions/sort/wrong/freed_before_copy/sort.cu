/* A bitonic sort. It needs a power of two, so the keys are copied to scratch memory and padded with
 * the largest key: the padding ends after all keys, and is not copied back.
 */
#include "sort.h"

enum { BLOCK_SIZE = 256 };

__global__ void pad(const unsigned int *keys, unsigned int *padded, int n, int padded_n)
{
    const int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    if (i < padded_n) {
        padded[i] = i < n ? keys[i] : 0xffffffffu;
    }
}

/* One step: a thread for each pair of keys that lie `distance` apart. Each thread owns its pair, so
 * within a step the order of threads does not matter. Runs of `run` keys are sorted in turns, one
 * ascending and the next one descending: together two of them are what the next merge needs. */
__global__ void compareAndSwap(unsigned int *keys, int padded_n, int run, int distance)
{
    const int pair = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    if (pair >= padded_n / 2) {
        return;
    }
    /* Pairs come in groups of `distance`: the lower keys of a group, then the upper ones. */
    const int lower = pair / distance * (2 * distance) + pair % distance;
    const int upper = lower + distance;
    const bool is_ascending = (lower & run) == 0;
    const unsigned int a = keys[lower];
    const unsigned int b = keys[upper];
    if ((a > b) == is_ascending) {
        keys[lower] = b;
        keys[upper] = a;
    }
}

static int blocksFor(int threads)
{
    return (threads + BLOCK_SIZE - 1) / BLOCK_SIZE;
}

void sortKeys(unsigned int *d_keys, int n)
{
    int padded_n = 2;
    while (padded_n < n) {
        padded_n *= 2;
    }
    unsigned int *d_padded = nullptr;
    cudaMalloc(&d_padded, padded_n * sizeof *d_padded);
    pad<<<blocksFor(padded_n), BLOCK_SIZE>>>(d_keys, d_padded, n, padded_n);
    /* Sorted runs of 2 keys, then of 4, and so on. A run is made of two halves that are sorted in
     * opposite directions, by steps whose distance is half of the one before. */
    for (int run = 2; run <= padded_n; run *= 2) {
        for (int distance = run / 2; distance > 0; distance /= 2) {
            compareAndSwap<<<blocksFor(padded_n / 2), BLOCK_SIZE>>>(d_padded, padded_n, run,
                                                                    distance);
        }
    }
    cudaFree(d_padded);
    cudaMemcpy(d_keys, d_padded, n * sizeof *d_keys, cudaMemcpyDeviceToDevice);
}
