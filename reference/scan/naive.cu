/* naive.cu: the versions that the exercises should beat. They scan the whole array at once, in
 * global memory, by the method of Hillis and Steele: in each step an element adds the one that is
 * `far` before it, and `far` doubles. With n elements that takes log2(n) launches, and each of them
 * reads and writes all elements.
 */
#include "scan.h"

enum { NAIVE_BLOCK = 256 };

static int naiveBlocks(int n)
{
    return (n + NAIVE_BLOCK - 1) / NAIVE_BLOCK;
}

/* The element before, so that the scan leaves out the element itself. */
__global__ void naiveShift(const int *in, int *out, int n)
{
    const int i = blockIdx.x * NAIVE_BLOCK + threadIdx.x;
    if (i < n) {
        out[i] = i == 0 ? 0 : in[i - 1];
    }
}

__global__ void naiveStep(const int *from, int *to, int far, int n)
{
    const int i = blockIdx.x * NAIVE_BLOCK + threadIdx.x;
    if (i < n) {
        to[i] = i < far ? from[i] : from[i] + from[i - far];
    }
}

void naiveScan(const int *d_in, int *d_out, int n)
{
    int *d_other = nullptr;
    cudaMalloc(&d_other, n * sizeof *d_other);
    int steps = 0;
    for (int far = 1; far < n; far *= 2) {
        steps++;
    }
    /* Each step swaps the two arrays; the last one must end in d_out. */
    int *from = steps % 2 == 0 ? d_out : d_other;
    int *to = steps % 2 == 0 ? d_other : d_out;
    naiveShift<<<naiveBlocks(n), NAIVE_BLOCK>>>(d_in, from, n);
    for (int far = 1; far < n; far *= 2) {
        naiveStep<<<naiveBlocks(n), NAIVE_BLOCK>>>(from, to, far, n);
        int *const last = to;
        to = from;
        from = last;
    }
    cudaFree(d_other);
}

__global__ void naiveFlags(const int *in, int *flags, int n)
{
    const int i = blockIdx.x * NAIVE_BLOCK + threadIdx.x;
    if (i < n) {
        flags[i] = in[i] > 0;
    }
}

__global__ void naiveMove(const int *in, const int *places, int n, int *out, int *count)
{
    const int i = blockIdx.x * NAIVE_BLOCK + threadIdx.x;
    if (i < n && in[i] > 0) {
        out[places[i]] = in[i];
    }
    if (i == n - 1) {
        *count = places[i] + (in[i] > 0);
    }
}

void naiveCompact(const int *d_in, int n, int *d_out, int *d_count)
{
    int *d_flags = nullptr, *d_places = nullptr;
    cudaMalloc(&d_flags, n * sizeof *d_flags);
    cudaMalloc(&d_places, n * sizeof *d_places);
    naiveFlags<<<naiveBlocks(n), NAIVE_BLOCK>>>(d_in, d_flags, n);
    naiveScan(d_flags, d_places, n);
    naiveMove<<<naiveBlocks(n), NAIVE_BLOCK>>>(d_in, d_places, n, d_out, d_count);
    cudaFree(d_flags);
    cudaFree(d_places);
}
