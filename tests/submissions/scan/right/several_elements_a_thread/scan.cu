/* Each thread adds up eight neighbouring elements in registers; only the sums of threads are
 * scanned in shared memory. */
#include "scan.h"

template <int THREADS, int EACH> struct Scanner {
    static constexpr int part = THREADS * EACH;
};
using Shape = Scanner<128, 8>;

template <int THREADS, int EACH>
__global__ void scanParts(const int *in, int *out, int *sums, unsigned n)
{
    __shared__ int of_threads[THREADS];
    const unsigned first = (blockIdx.x * THREADS + threadIdx.x) * EACH;
    int values[EACH];
    int sum = 0;
#pragma unroll
    for (unsigned k = 0; k < EACH; k++) {
        values[k] = first + k < n ? in[first + k] : 0;
        sum += values[k];
    }
    of_threads[threadIdx.x] = sum;
    __syncthreads();
    for (unsigned d = 1; d < THREADS; d += d) {
        const int left = threadIdx.x >= d ? of_threads[threadIdx.x - d] : 0;
        __syncthreads();
        of_threads[threadIdx.x] += left;
        __syncthreads();
    }
    int before = of_threads[threadIdx.x] - sum;
#pragma unroll
    for (unsigned k = 0; k < EACH; k++) {
        if (first + k < n) {
            out[first + k] = before;
        }
        before += values[k];
    }
    if (threadIdx.x == THREADS - 1) {
        sums[blockIdx.x] = before;
    }
}

__global__ void addBefore(const int *sums, int *out, unsigned n)
{
    const unsigned i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) {
        out[i] += sums[i / Shape::part];
    }
}

void exclusiveScan(const int *d_in, int *d_out, int n)
{
    const int parts = (n - 1) / Shape::part + 1;
    int *sums;
    cudaMalloc((void **)&sums, sizeof(int) * parts);
    scanParts<128, 8><<<parts, 128>>>(d_in, d_out, sums, n);
    if (parts > 1) {
        exclusiveScan(sums, sums, parts);
        addBefore<<<(n + 255) / 256, 256>>>(sums, d_out, n);
    }
    cudaFree(sums);
}

__global__ void markKept(const int *in, int *marks, int n)
{
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i <= n; i += stride) {
        marks[i] = i < n && in[i] > 0;
    }
}

/* places has one element more than in: the count. */
__global__ void pack(const int *in, const int *places, int n, int *out)
{
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        if (places[i] != places[i + 1]) {
            out[places[i]] = in[i];
        }
    }
}

void compactPositive(const int *d_in, int n, int *d_out, int *d_count)
{
    int *places;
    cudaMalloc((void **)&places, sizeof(int) * ((size_t)n + 1));
    markKept<<<64, 512>>>(d_in, places, n);
    exclusiveScan(places, places, n + 1);
    pack<<<64, 512>>>(d_in, places, n, d_out);
    cudaMemcpy(d_count, places + n, sizeof(int), cudaMemcpyDeviceToDevice);
    cudaFree(places);
}
