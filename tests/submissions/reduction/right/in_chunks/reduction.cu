#include "reduction.h"

#include <climits>

/* Chunks in four streams, a partial result of each in scratch memory, joined at the end. */
#define STREAMS 4
#define CHUNK 65536
#define THREADS 1024

__global__ void sumChunk(const float *in, float *out, int count)
{
    __shared__ float room[THREADS];
    float sum = 0;
    for (int i = threadIdx.x; i < count; i += THREADS)
        sum += in[i];
    room[threadIdx.x] = sum;
    for (int half = THREADS / 2; half >= 1; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            room[threadIdx.x] += room[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        *out = room[0];
}

__global__ void maxChunk(const int *in, int *out, int count)
{
    __shared__ int room;
    if (threadIdx.x == 0)
        room = in[0];
    __syncthreads();
    int largest = in[0];
    for (int i = threadIdx.x; i < count; i += THREADS)
        largest = max(largest, in[i]);
    atomicMax(&room, largest);
    __syncthreads();
    if (threadIdx.x == 0)
        *out = room;
}

template <typename T>
static void inChunks(void (*kernel)(const T *, T *, int), const T *d_in, T *d_out, int n)
{
    const int chunks = (n + CHUNK - 1) / CHUNK;
    cudaStream_t streams[STREAMS];
    T *d_results;
    cudaMalloc(&d_results, chunks * sizeof(T));
    for (int s = 0; s < STREAMS; s++)
        cudaStreamCreateWithFlags(&streams[s], cudaStreamNonBlocking);
    for (int c = 0; c < chunks; c++) {
        const int first = c * CHUNK, count = n - first < CHUNK ? n - first : CHUNK;
        kernel<<<1, THREADS, 0, streams[c % STREAMS]>>>(d_in + first, d_results + c, count);
    }
    for (int s = 0; s < STREAMS; s++)
        cudaStreamSynchronize(streams[s]);
    kernel<<<1, THREADS>>>(d_results, d_out, chunks);
    cudaDeviceSynchronize();
    for (int s = 0; s < STREAMS; s++)
        cudaStreamDestroy(streams[s]);
    cudaFree(d_results);
}

void reduceSum(const float *d_in, float *d_out, int n)
{
    inChunks(sumChunk, d_in, d_out, n);
}

void reduceMax(const int *d_in, int *d_out, int n)
{
    inChunks(maxChunk, d_in, d_out, n);
}
