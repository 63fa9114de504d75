// A merge sort: in each pass every key looks by bisection for its place in the neighbouring run.
#include "sort.h"

__global__ void merge(const unsigned int *from, unsigned int *to, int n, int run)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    unsigned int key = from[i];
    int own = i / run;
    bool is_left = own % 2 == 0;
    int start = is_left ? (own + 1) * run : (own - 1) * run;
    int low = start < n ? start : n;
    int end = start + run < n ? start + run : n;
    if (end < low) {
        end = low;
    }
    int first = low;
    while (low < end) {
        int middle = (low + end) / 2;
        bool goes_before = from[middle] < key;
        if (goes_before) {
            low = middle + 1;
        } else {
            end = middle;
        }
    }
    int pair = own / 2 * 2 * run;
    to[pair + i % run + (low - first)] = key;
}

void sortKeys(unsigned int *d_keys, int n)
{
    unsigned int *scratch;
    cudaMalloc((void **)&scratch, sizeof(unsigned int) * n);
    unsigned int *a = d_keys, *b = scratch;
    for (int run = 1; run < n; run <<= 1) {
        merge<<<(n + 511) / 512, 512>>>(a, b, n, run);
        unsigned int *t = a;
        a = b;
        b = t;
    }
    if (a == scratch) {
        cudaMemcpy(d_keys, scratch, sizeof(unsigned int) * n, cudaMemcpyDeviceToDevice);
    }
    cudaFree(scratch);
}
