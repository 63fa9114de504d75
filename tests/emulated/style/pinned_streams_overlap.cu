#include <stdio.h>
#include <cuda_runtime.h>
#include "device_launch_parameters.h"
#define NSTREAMS 4
const int N = 1 << 12;
static void CUDART_CB done(cudaStream_t, cudaError_t status, void *data) { *(int *)data += status == cudaSuccess ? 1 : 100; }
static void host_work(void *data) { *(int *)data += 10; }
__global__ void square(float *a, int offset, int n) { int i = offset + blockIdx.x * blockDim.x + threadIdx.x; if (i < offset + n) a[i] *= a[i]; }
int main()
{
    float *h, *d;
    cudaStream_t streams[NSTREAMS];
    cudaEvent_t start, stop, ready;
    int callbacks = 0, hosted = 0;
    cudaHostAlloc((void **)&h, N * sizeof(float), cudaHostAllocDefault | cudaHostAllocPortable);
    cudaMalloc((void **)&d, N * sizeof(float));
    for (int i = 0; i < N; i++) h[i] = i % 10;
    for (int i = 0; i < NSTREAMS; i++) cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking);
    cudaEventCreate(&start); cudaEventCreate(&stop);
    cudaEventCreateWithFlags(&ready, cudaEventDisableTiming);
    cudaEventRecord(start, 0);
    const int chunk = N / NSTREAMS;
    for (int i = 0; i < NSTREAMS; i++) {
        int o = i * chunk;
        cudaMemcpyAsync(h ? d + o : NULL, h + o, chunk * sizeof(float), cudaMemcpyHostToDevice, streams[i]);
        square<<<(chunk + 127) / 128, 128, 0, streams[i]>>>(d, o, chunk);
        cudaMemcpyAsync(&h[o], &d[o], chunk * sizeof(float), cudaMemcpyDeviceToHost, streams[i]);
    }
    cudaStreamAddCallback(streams[0], done, &callbacks, 0);
    cudaLaunchHostFunc(streams[1], host_work, &hosted);
    cudaEventRecord(ready, streams[2]);
    cudaStreamWaitEvent(streams[3], ready, 0);
    for (int i = 0; i < NSTREAMS; ++i) cudaStreamSynchronize(streams[i]);
    cudaEventRecord(stop, 0);
    cudaEventSynchronize(stop);
    float ms = -1;
    cudaEventElapsedTime(&ms, start, stop);
    double sum = 0;
    for (int i = 0; i < N; i++) sum += h[i];
    printf("%.0f %d %d %d %s\n", sum, callbacks, hosted, ms >= 0, cudaStreamQuery(streams[0]) == cudaSuccess ? "idle" : "busy");
    for (auto s : streams) cudaStreamDestroy(s);
    cudaEventDestroy(start); cudaEventDestroy(stop); cudaEventDestroy(ready);
    cudaFreeHost(h); cudaFree(d);
    cudaDeviceReset();
    return 0;
}

/* exit status 0, findings: none
116620 1 10 1 idle
*/
