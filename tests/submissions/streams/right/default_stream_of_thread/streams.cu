// The default stream of the thread is one of three streams. An array of events waits for them.
#include "streams.h"

__global__ void kernel(const float *__restrict__ in, float *__restrict__ out, int from, int to)
{
    const int i = from + blockIdx.x * 256 + threadIdx.x;
    if (i < to) {
        out[i] = 1.0f + sqrtf(in[i]) + sqrtf(in[i]);
    }
}

void process(const float *h_in, float *h_out, int n, int chunks)
{
    cudaStream_t streams[3] = {cudaStreamPerThread};
    cudaEvent_t done[3];
    float *d = nullptr;
    cudaMalloc(&d, 2 * n * sizeof(float));
    cudaStreamCreate(&streams[1]);
    cudaStreamCreate(&streams[2]);
    const int size = (n + chunks - 1) / chunks;
    for (int from = 0, turn = 0; from < n; from += size, turn++) {
        const int to = from + size < n ? from + size : n;
        const size_t bytes = sizeof(float) * (to - from);
        cudaStream_t stream = streams[turn % 3];
        cudaMemcpyAsync(d + from, h_in + from, bytes, cudaMemcpyDefault, stream);
        kernel<<<(to - from + 255) / 256, 256, 0, stream>>>(d, d + n, from, to);
        cudaMemcpyAsync(h_out + from, d + n + from, bytes, cudaMemcpyDefault, stream);
    }
    for (int s = 0; s < 3; s++) {
        cudaEventCreate(&done[s]);
        cudaEventRecord(done[s], streams[s]);
    }
    for (int s = 0; s < 3; s++) {
        cudaEventSynchronize(done[s]);
        cudaEventDestroy(done[s]);
    }
    cudaStreamDestroy(streams[1]);
    cudaStreamDestroy(streams[2]);
    cudaFree(d);
}
