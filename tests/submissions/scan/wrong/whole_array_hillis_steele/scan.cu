/* Hillis and Steele's scan over the whole array: one launch for each step. */
#include "scan.h"

enum { BLOCK = 256 };

__global__ void shift(const int *in, int *out, int n, bool flags)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) {
        const int before = i > 0 ? in[i - 1] : 0;
        out[i] = flags ? before > 0 : before;
    }
}

__global__ void step(const int *from, int *to, int far, int n)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) {
        to[i] = from[i] + (i >= far ? from[i - far] : 0);
    }
}

static void scan(const int *d_in, int *d_out, int n, bool flags)
{
    const int blocks = (n + BLOCK - 1) / BLOCK;
    int *d_one = nullptr, *d_other = nullptr;
    cudaMalloc(&d_one, n * sizeof(int));
    cudaMalloc(&d_other, n * sizeof(int));
    shift<<<blocks, BLOCK>>>(d_in, d_one, n, flags);
    int *from = d_one, *to = d_other;
    for (int far = 1; far < n; far *= 2) {
        step<<<blocks, BLOCK>>>(from, to, far, n);
        int *const last = to;
        to = from;
        from = last;
    }
    cudaMemcpy(d_out, from, n * sizeof(int), cudaMemcpyDeviceToDevice);
    cudaFree(d_one);
    cudaFree(d_other);
}

void exclusiveScan(const int *d_in, int *d_out, int n)
{
    scan(d_in, d_out, n, false);
}

__global__ void move(const int *in, const int *places, int n, int *out, int *count)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n && in[i] > 0) {
        out[places[i]] = in[i];
    }
    if (i == n - 1) {
        *count = places[i] + (in[i] > 0);
    }
}

void compactPositive(const int *d_in, int n, int *d_out, int *d_count)
{
    int *d_places = nullptr;
    cudaMalloc(&d_places, n * sizeof(int));
    scan(d_in, d_places, n, true);
    move<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_in, d_places, n, d_out, d_count);
    cudaFree(d_places);
}
