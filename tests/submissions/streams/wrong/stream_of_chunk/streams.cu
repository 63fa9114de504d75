/* An array in host memory, processed in chunks. Each chunk is copied to the device, transformed
 * and copied back by one stream, which keeps this order.
 */
#include "streams.h"

enum { STREAMS = 4, THREADS = 256 };

__global__ void transform(const float *in, float *out, int count)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < count) {
        out[i] = sqrtf(in[i]) * 2.0f + 1.0f;
    }
}

/* Puts all work of one chunk into a stream, and does not wait for it. */
static void process_chunk(const float *h_in, float *h_out, float *d_in, float *d_out, int count,
                          cudaStream_t stream)
{
    const size_t bytes = count * sizeof(float);
    const int blocks = (count + THREADS - 1) / THREADS;
    cudaMemcpyAsync(d_in, h_in, bytes, cudaMemcpyHostToDevice, stream);
    transform<<<blocks, THREADS, 0, stream>>>(d_in, d_out, count);
    cudaMemcpyAsync(h_out, d_out, bytes, cudaMemcpyDeviceToHost, stream);
}

void process(const float *h_in, float *h_out, int n, int chunks)
{
    const int size = (n + chunks - 1) / chunks; /* of every chunk but the last ones */
    cudaStream_t streams[STREAMS];
    float *d_in = nullptr;
    float *d_out = nullptr;

    cudaMalloc(&d_in, n * sizeof(float));
    cudaMalloc(&d_out, n * sizeof(float));
    for (cudaStream_t &stream : streams) {
        cudaStreamCreate(&stream);
    }
    /* The chunks cover all elements after n / size rounds, which may be fewer than `chunks`. */
    for (int chunk = 0; chunk * size < n; chunk++) {
        const int first = chunk * size;
        const int count = min(size, n - first);
        process_chunk(h_in + first, h_out + first, d_in + first, d_out + first, count,
                      streams[chunk]);
    }
    /* The result must be complete when this function returns. */
    for (cudaStream_t stream : streams) {
        cudaStreamSynchronize(stream);
        cudaStreamDestroy(stream);
    }
    cudaFree(d_in);
    cudaFree(d_out);
}
