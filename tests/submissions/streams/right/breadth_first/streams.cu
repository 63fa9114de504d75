// All copies to the device, then all kernels, then all copies back, over three streams. In double.
#include "streams.h"

const int kStreams = 3;

__global__ void calculate(const float *in, float *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = (float)(sqrt((double)in[i]) * 2.0 + 1.0);
    }
}

void process(const float *h_in, float *h_out, int n, int chunks)
{
    const int size = (n + chunks - 1) / chunks;
    const int used = (n + size - 1) / size;
    cudaStream_t streams[kStreams];
    float *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(float));
    cudaMalloc(&d_out, n * sizeof(float));
    for (int s = 0; s < kStreams; ++s) {
        cudaStreamCreate(streams + s);
    }
    auto count = [=](int c) { return c == used - 1 ? n - c * size : size; };
    for (int c = 0; c < used; ++c) {
        cudaMemcpyAsync(d_in + c * size, h_in + c * size, count(c) * sizeof(float),
                        cudaMemcpyHostToDevice, streams[c % kStreams]);
    }
    for (int c = 0; c < used; ++c) {
        calculate<<<(count(c) + 255) / 256, 256, 0, streams[c % kStreams]>>>(
            d_in + c * size, d_out + c * size, count(c));
    }
    for (int c = 0; c < used; ++c) {
        cudaMemcpyAsync(h_out + c * size, d_out + c * size, count(c) * sizeof(float),
                        cudaMemcpyDeviceToHost, streams[c % kStreams]);
    }
    for (int s = 0; s < kStreams; ++s) {
        cudaStreamSynchronize(streams[s]);
    }
    for (int s = 0; s < kStreams; ++s) {
        cudaStreamDestroy(streams[s]);
    }
    cudaFree(d_in);
    cudaFree(d_out);
}
