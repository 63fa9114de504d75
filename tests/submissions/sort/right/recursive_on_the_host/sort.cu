// The textbook's recursion, on the host: sort both halves in opposite directions, then merge them.
#include "sort.h"

static const int threads = 512;

__global__ void copyPadded(unsigned int *to, const unsigned int *from, int n, int all)
{
    int i = blockIdx.x * threads + threadIdx.x;
    if (i < n)
        to[i] = from[i];
    else if (i < all)
        to[i] = 4294967295u;
}

__global__ void halfCleaner(unsigned int *keys, int half, bool up)
{
    int i = blockIdx.x * threads + threadIdx.x;
    if (i < half && (keys[i] > keys[i + half]) == up) {
        unsigned int key = keys[i];
        keys[i] = keys[i + half];
        keys[i + half] = key;
    }
}

// Small parts end in one block, so that there are not too many launches.
__global__ void sortSmall(unsigned int *keys, int count, int smallest, bool up)
{
    for (int run = smallest; run <= count; run *= 2) {
        for (int half = run / 2; half > 0; half /= 2) {
            int low = threadIdx.x / half * 2 * half + threadIdx.x % half;
            bool rises = run == count ? up : (low & run) == 0;
            if (low + half < count && (keys[low] > keys[low + half]) == rises) {
                unsigned int key = keys[low];
                keys[low] = keys[low + half];
                keys[low + half] = key;
            }
            __syncthreads();
        }
    }
}

static void mergeRuns(unsigned int *keys, int count, bool up)
{
    if (count <= 1024) {
        sortSmall<<<1, threads>>>(keys, count, count, up);
        return;
    }
    halfCleaner<<<(count / 2 + threads - 1) / threads, threads>>>(keys, count / 2, up);
    mergeRuns(keys, count / 2, up);
    mergeRuns(keys + count / 2, count / 2, up);
}

static void sortRuns(unsigned int *keys, int count, bool up)
{
    if (count <= 1024) {
        sortSmall<<<1, threads>>>(keys, count, 2, up);
        return;
    }
    sortRuns(keys, count / 2, true);
    sortRuns(keys + count / 2, count / 2, false);
    mergeRuns(keys, count, up);
}

void sortKeys(unsigned int *d_keys, int n)
{
    int all = 1;
    while (all < n)
        all += all;
    unsigned int *padded;
    cudaMalloc(&padded, all * sizeof(unsigned int));
    copyPadded<<<(all + threads - 1) / threads, threads>>>(padded, d_keys, n, all);
    sortRuns(padded, all, true);
    cudaMemcpy(d_keys, padded, n * sizeof(unsigned int), cudaMemcpyDeviceToDevice);
    cudaFree(padded);
}
