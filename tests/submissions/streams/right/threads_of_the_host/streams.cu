#include "streams.h"

#include <thread>
#include <vector>

static __global__ void transform(float *v, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        v[i] = sqrtf(v[i]) * 2 + 1;
    }
}

/* Up to four threads of the host take turns, each with its own default stream and buffer. */
void process(const float *h_in, float *h_out, int n, int chunks)
{
    const int size = (n + chunks - 1) / chunks;
    const int workers = chunks < 4 ? chunks : 4;
    std::vector<std::thread> threads;

    for (int worker = 0; worker < workers; worker++) {
        threads.emplace_back([=] {
            const cudaStream_t stream = cudaStreamPerThread;
            float *d = nullptr;
            cudaMalloc(&d, size * sizeof(float));
            for (int chunk = worker; chunk < chunks && chunk * size < n; chunk += workers) {
                const int first = chunk * size;
                const int count = n - first < size ? n - first : size;
                cudaMemcpyAsync(d, h_in + first, count * sizeof(float), cudaMemcpyHostToDevice,
                                stream);
                transform<<<(count + 255) / 256, 256, 0, stream>>>(d, count);
                cudaMemcpyAsync(h_out + first, d, count * sizeof(float), cudaMemcpyDeviceToHost,
                                stream);
            }
            cudaStreamSynchronize(stream);
            cudaFree(d);
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
}
