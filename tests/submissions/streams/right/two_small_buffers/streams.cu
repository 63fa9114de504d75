// Two streams, each with a buffer for one chunk, which its chunks use in turn. In place.
#include "streams.h"

#define STREAMS 2

__global__ void twoRootsPlusOne(float *x, int count)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= count)
        return;
    x[i] = 2.f * sqrtf(x[i]) + 1.f;
}

void process(const float *h_in, float *h_out, int n, int chunks)
{
    int size = n / chunks + (n % chunks != 0);
    cudaStream_t stream[STREAMS];
    float *buffer[STREAMS];
    for (int s = 0; s < STREAMS; s++) {
        cudaStreamCreateWithFlags(&stream[s], cudaStreamNonBlocking);
        cudaMalloc((void **)&buffer[s], size * sizeof(float));
    }
    int s = 0;
    for (int first = 0; first < n; first += size) {
        int count = first + size > n ? n - first : size;
        cudaMemcpyAsync(buffer[s], h_in + first, count * sizeof(float), cudaMemcpyHostToDevice,
                        stream[s]);
        twoRootsPlusOne<<<(count + 511) / 512, 512, 0, stream[s]>>>(buffer[s], count);
        cudaMemcpyAsync(h_out + first, buffer[s], count * sizeof(float), cudaMemcpyDeviceToHost,
                        stream[s]);
        s = (s + 1) % STREAMS;
    }
    for (s = 0; s < STREAMS; s++) {
        cudaStreamSynchronize(stream[s]);
        cudaStreamDestroy(stream[s]);
        cudaFree(buffer[s]);
    }
}
