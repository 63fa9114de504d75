// Two streams with asynchronous copies, events between them, callbacks in their place.
#include "../kernel_program.h"

#include <atomic>
#include <thread>
#include <vector>

__global__ void scale(float *values, float factor, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < count) {
        values[i] *= factor;
    }
}

static std::vector<int> order;

static void CUDART_CB note(void *data)
{
    order.push_back(*(int *)data);
}

static void CUDART_CB note_stream(cudaStream_t, cudaError_t status, void *data)
{
    order.push_back(status == cudaSuccess ? *(int *)data : -1);
}

static void work(int thread, std::atomic<int> *right)
{
    const int count = 3000;
    cudaStream_t stream;
    float *device;
    std::vector<float> host(count, (float)thread);

    CHECK(cudaSetDevice(0));
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMallocAsync(&device, count * sizeof(float), stream));
    for (int round = 0; round < 5; round++) {
        CHECK(cudaMemcpyAsync(device, host.data(), count * sizeof(float), cudaMemcpyHostToDevice,
                              stream));
        scale<<<(count + 127) / 128, 128, 0, stream>>>(device, 2, count);
        CHECK(cudaMemcpyAsync(host.data(), device, count * sizeof(float), cudaMemcpyDeviceToHost,
                              stream));
        CHECK(cudaStreamSynchronize(stream));
    }
    *right += host[count - 1] == (float)thread * 32;
    CHECK(cudaFreeAsync(device, stream));
    CHECK(cudaStreamDestroy(stream));
}

int main()
{
    const int count = 4096, half = count / 2;
    float *host, *device;
    cudaStream_t streams[2];
    cudaEvent_t start, stop, between, untimed;
    int numbers[] = {1, 2, 3};
    float ms = -1;

    CHECK(cudaMallocHost(&host, count * sizeof(float)));
    CHECK(cudaMalloc(&device, count * sizeof(float)));
    CHECK(cudaStreamCreateWithFlags(&streams[0], cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithPriority(&streams[1], cudaStreamDefault, -1));
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
    CHECK(cudaEventCreate(&between));
    printf("unrecorded: %s\n", cudaGetErrorName(cudaEventElapsedTime(&ms, start, stop)));
    cudaGetLastError();
    for (int i = 0; i < count; i++) {
        host[i] = (float)input_value(i);
    }
    CHECK(cudaEventRecord(start));
    for (int i = 0; i < 2; i++) {
        float *part = device + i * half;
        CHECK(cudaMemcpyAsync(part, host + i * half, half * sizeof(float), cudaMemcpyHostToDevice,
                              streams[i]));
        scale<<<half / 256, 256, 0, streams[i]>>>(part, 3, half);
        CHECK(cudaLaunchHostFunc(streams[i], note, &numbers[i]));
    }
    CHECK(cudaEventRecord(between, streams[0]));
    CHECK(cudaStreamWaitEvent(streams[1], between, 0));
    scale<<<half / 256, 256, 0, streams[1]>>>(device, 0.5f, half);
    CHECK(cudaStreamAddCallback(streams[1], note_stream, &numbers[2], 0));
    CHECK(cudaMemcpyAsync(host, device, count * sizeof(float), cudaMemcpyDeviceToHost, streams[1]));
    CHECK(cudaEventRecord(stop, streams[1]));
    CHECK(cudaEventSynchronize(stop));
    CHECK(cudaStreamQuery(streams[0]));
    CHECK(cudaEventQuery(stop));
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    int wrong = 0;
    for (int i = 0; i < count; i++) {
        wrong += host[i] != (float)input_value(i) * (i < half ? 1.5f : 3);
    }
    printf("wrong %d, time passed %d, callbacks", wrong, ms > 0 && ms < 1000);
    for (int number : order) {
        printf(" %d", number);
    }
    CHECK(cudaEventRecord(untimed));
    printf("\nuntimed: %s\n", cudaGetErrorName(cudaEventElapsedTime(&ms, start, untimed)));
    cudaGetLastError();
    unsigned flags;
    int priority;
    CHECK(cudaStreamGetFlags(streams[0], &flags));
    CHECK(cudaStreamGetPriority(streams[1], &priority));
    printf("flags %u, priority %d\n", flags, priority);

    std::atomic<int> right{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; i++) {
        threads.emplace_back(work, i + 1, &right);
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    printf("threads right: %d\n", right.load());

    for (cudaStream_t stream : streams) {
        CHECK(cudaStreamDestroy(stream));
    }
    printf("destroyed: %s\n", cudaGetErrorName(cudaStreamSynchronize(streams[0])));
    cudaGetLastError();
    CHECK(cudaFree(device));
    CHECK(cudaFreeHost(host));
    return 0;
}
