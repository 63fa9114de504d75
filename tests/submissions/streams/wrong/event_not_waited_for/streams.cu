// One stream copies in, one computes, one copies out. Events keep the order of a chunk.
#include "streams.h"

#include <vector>

template <int BLOCK> __global__ void chunkKernel(const float *in, float *out, int count)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < count) {
        out[i] = sqrtf(in[i]) * 2 + 1;
    }
}

namespace {

cudaEvent_t after(cudaStream_t stream)
{
    cudaEvent_t event;
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    cudaEventRecord(event, stream);
    return event;
}

} // namespace

void process(const float *h_in, float *h_out, int n, int chunks)
{
    constexpr int block = 128;
    cudaStream_t up, compute, down;
    std::vector<cudaEvent_t> events;
    float *in = nullptr, *out = nullptr;
    cudaStreamCreate(&up);
    cudaStreamCreate(&compute);
    cudaStreamCreate(&down);
    cudaMalloc(&in, n * sizeof *in);
    cudaMalloc(&out, n * sizeof *out);
    const int size = (n - 1) / chunks + 1;
    for (int first = 0; first < n; first += size) {
        const int count = min(size, n - first);
        const size_t bytes = count * sizeof(float);
        cudaMemcpyAsync(in + first, h_in + first, bytes, cudaMemcpyHostToDevice, up);
        events.push_back(after(up));
        cudaStreamWaitEvent(compute, events.back(), 0);
        chunkKernel<block>
            <<<(count + block - 1) / block, block, 0, compute>>>(in + first, out + first, count);
        events.push_back(after(compute));
        cudaMemcpyAsync(h_out + first, out + first, bytes, cudaMemcpyDeviceToHost, down);
    }
    cudaDeviceSynchronize();
    for (cudaEvent_t event : events) {
        cudaEventDestroy(event);
    }
    cudaStreamDestroy(up);
    cudaStreamDestroy(compute);
    cudaStreamDestroy(down);
    cudaFree(in);
    cudaFree(out);
}
