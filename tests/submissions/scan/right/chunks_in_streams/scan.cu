/* Chunks of 65536 elements, each scanned in its own stream; then the sums of chunks are carried
 * on. Events keep the order. */
#include "scan.h"

#include <algorithm>
#include <vector>

enum { BLOCK = 256, CHUNK = BLOCK * BLOCK };

static __device__ int scanOfBlock(int own, int *shared)
{
    const int t = threadIdx.x;
    shared[t] = own;
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        const int left = t >= d ? shared[t - d] : 0;
        __syncthreads();
        shared[t] += left;
        __syncthreads();
    }
    return shared[t] - own;
}

__global__ void scanEach(const int *in, int *out, int *sums, int n, bool flags)
{
    __shared__ int shared[BLOCK];
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    const int own = i >= n ? 0 : flags ? in[i] > 0 : in[i];
    const int before = scanOfBlock(own, shared);
    if (i < n) {
        out[i] = before;
    }
    if (threadIdx.x == BLOCK - 1) {
        sums[blockIdx.x] = before + own;
    }
}

/* The sums of the blocks of one chunk, in place; and their sum. */
__global__ void scanSums(int *sums, int blocks, int *chunk_sum)
{
    __shared__ int shared[BLOCK];
    const int own = (int)threadIdx.x < blocks ? sums[threadIdx.x] : 0;
    const int before = scanOfBlock(own, shared);
    if ((int)threadIdx.x < blocks) {
        sums[threadIdx.x] = before;
    }
    if (threadIdx.x == BLOCK - 1) {
        *chunk_sum = before + own;
    }
}

__global__ void addBoth(const int *sums, const int *chunk_sums, int chunk, int *out, int n)
{
    __shared__ int before;
    if (threadIdx.x == 0) {
        before = sums[blockIdx.x];
        for (int k = 0; k < chunk; k++) {
            before += chunk_sums[k];
        }
    }
    __syncthreads();
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) {
        out[i] += before;
    }
}

static void scan(const int *d_in, int *d_out, int n, bool flags)
{
    const int chunks = (n + CHUNK - 1) / CHUNK;
    int *sums, *chunk_sums;
    cudaMalloc(&sums, chunks * BLOCK * sizeof(int));
    cudaMalloc(&chunk_sums, chunks * sizeof(int));
    std::vector<cudaStream_t> streams(chunks);
    std::vector<cudaEvent_t> events(chunks);
    for (int c = 0; c < chunks; c++) {
        const int size = std::min<int>(CHUNK, n - c * CHUNK);
        const int blocks = (size + BLOCK - 1) / BLOCK;
        cudaStreamCreateWithFlags(&streams[c], cudaStreamNonBlocking);
        cudaEventCreateWithFlags(&events[c], cudaEventDisableTiming);
        scanEach<<<blocks, BLOCK, 0, streams[c]>>>(d_in + c * CHUNK, d_out + c * CHUNK,
                                                   sums + c * BLOCK, size, flags);
        scanSums<<<1, BLOCK, 0, streams[c]>>>(sums + c * BLOCK, blocks, chunk_sums + c);
        cudaEventRecord(events[c], streams[c]);
    }
    for (int c = 0; c < chunks; c++) {
        const int size = std::min<int>(CHUNK, n - c * CHUNK);
        for (int k = 0; k < c; k++) {
            cudaStreamWaitEvent(streams[c], events[k], 0);
        }
        addBoth<<<(size + BLOCK - 1) / BLOCK, BLOCK, 0, streams[c]>>>(sums + c * BLOCK, chunk_sums,
                                                                      c, d_out + c * CHUNK, size);
    }
    for (int c = 0; c < chunks; c++) {
        cudaStreamSynchronize(streams[c]);
        cudaEventDestroy(events[c]);
        cudaStreamDestroy(streams[c]);
    }
    cudaFree(sums);
    cudaFree(chunk_sums);
}

void exclusiveScan(const int *d_in, int *d_out, int n)
{
    scan(d_in, d_out, n, false);
}

__global__ void place(const int *in, const int *places, int n, int *out, int *count)
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
    int *places;
    cudaMalloc(&places, n * sizeof(int));
    scan(d_in, places, n, true);
    place<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_in, places, n, d_out, d_count);
    cudaFree(places);
}
