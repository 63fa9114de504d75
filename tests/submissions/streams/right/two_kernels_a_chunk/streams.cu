// A class for the resources; two kernels for each chunk.
#include "streams.h"

class Worker
{
  public:
    explicit Worker(int capacity)
    {
        cudaStreamCreate(&stream_);
        cudaMalloc(&data_, capacity * sizeof(float));
    }
    ~Worker()
    {
        cudaFree(data_);
        cudaStreamDestroy(stream_);
    }
    void start(const float *in, float *out, int count);
    void wait()
    {
        cudaStreamSynchronize(stream_);
    }

  private:
    cudaStream_t stream_;
    float *data_ = nullptr;
};

__global__ void takeRoots(float *data, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        data[i] = sqrtf(data[i]);
    }
}

__global__ void scaleAndShift(float *data, int count, float scale, float shift)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        data[i] = data[i] * scale + shift;
    }
}

void Worker::start(const float *in, float *out, int count)
{
    const int threads = 192, blocks = (count + threads - 1) / threads;
    cudaMemcpyAsync(data_, in, count * sizeof(float), cudaMemcpyHostToDevice, stream_);
    takeRoots<<<blocks, threads, 0, stream_>>>(data_, count);
    scaleAndShift<<<blocks, threads, 0, stream_>>>(data_, count, 2.0f, 1.0f);
    cudaMemcpyAsync(out, data_, count * sizeof(float), cudaMemcpyDeviceToHost, stream_);
}

void process(const float *h_in, float *h_out, int n, int chunks)
{
    const int size = (n + chunks - 1) / chunks;
    Worker even(size), odd(size), third(size);
    Worker *workers[] = {&even, &odd, &third};
    int next = 0;
    for (int first = 0; first < n; first += size) {
        workers[next]->start(h_in + first, h_out + first, first + size <= n ? size : n - first);
        next = next == 2 ? 0 : next + 1;
    }
    even.wait();
    odd.wait();
    third.wait();
}
