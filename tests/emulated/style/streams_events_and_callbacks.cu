#include <stdio.h>
#include <stdlib.h>
#define NSTREAMS 4
#define CUDART_CB_OR_NOT
__global__ void work(int *d, int v) { int i = threadIdx.x; d[i] = d[i] * 2 + v; }
void CUDART_CB done(cudaStream_t s, cudaError_t e, void *data) { *(int *)data += 1 + e; (void)s; }
void hostfn(void *data) { *(int *)data += 10; }
int main()
{
    cudaStream_t streams[NSTREAMS]; cudaEvent_t start, stop, ev; float ms = -1.0f;
    int *h[NSTREAMS], *d[NSTREAMS], calls = 0;
    cudaEventCreate(&start); cudaEventCreate(&stop); cudaEventCreateWithFlags(&ev, cudaEventDisableTiming);
    cudaEventRecord(start, 0);
    for (int i = 0; i < NSTREAMS; i++) {
        if (i % 2) cudaStreamCreate(&streams[i]); else cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking);
        cudaHostAlloc((void**)&h[i], 32 * sizeof(int), cudaHostAllocDefault);
        cudaMalloc((void**)&d[i], 32 * sizeof(int));
        for (int j = 0; j < 32; j++) h[i][j] = j;
    }
    for (int i = 0; i < NSTREAMS; i++) {
        cudaMemcpyAsync(d[i], h[i], 32 * sizeof(int), cudaMemcpyHostToDevice, streams[i]);
        work<<<1, 32, 0, streams[i]>>>(d[i], i);
        cudaMemcpyAsync(h[i], d[i], 32 * sizeof(int), cudaMemcpyDeviceToHost, streams[i]);
    }
    cudaEventRecord(ev, streams[0]); cudaStreamWaitEvent(streams[1], ev, 0);
    cudaStreamAddCallback(streams[1], done, &calls, 0);
    cudaLaunchHostFunc(streams[1], hostfn, &calls);
    for (int i = 0; i < NSTREAMS; i++) cudaStreamSynchronize(streams[i]);
    cudaEventRecord(stop); cudaEventSynchronize(stop);
    cudaEventElapsedTime(&ms, start, stop);
    printf("%s %d %d\n", ms >= 0 ? "timed" : "not timed", calls, cudaStreamQuery(streams[0]) == cudaSuccess);
    for (int i = 0; i < NSTREAMS; i++) {
        printf("%d ", h[i][31]);
        cudaStreamDestroy(streams[i]); cudaFreeHost(h[i]); cudaFree(d[i]);
    }
    printf("\n");
    cudaEventDestroy(start); cudaEventDestroy(stop); cudaEventDestroy(ev);
    return 0;
}
/* exit status 0, findings: none
timed 11 1
62 63 64 65 
*/
