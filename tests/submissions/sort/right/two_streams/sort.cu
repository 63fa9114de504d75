/* Two streams sort the two halves, one ascending and one descending; then one of them merges. */
#include "sort.h"

__global__ void fill(const unsigned int *keys, unsigned int *padded, int n, int all)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < all; i += gridDim.x * blockDim.x) {
        padded[i] = i < n ? keys[i] : ~0u;
    }
}

template <bool DOWN> __global__ void step(unsigned int *keys, int pairs, int run, int distance)
{
    const int stride = gridDim.x * blockDim.x;
    for (int t = blockIdx.x * blockDim.x + threadIdx.x; t < pairs; t += stride) {
        const int low = (t & ~(distance - 1)) * 2 + (t & (distance - 1));
        const bool ascending = ((low & run) == 0) != DOWN;
        const unsigned int smaller = min(keys[low], keys[low + distance]);
        const unsigned int larger = max(keys[low], keys[low + distance]);
        keys[low] = ascending ? smaller : larger;
        keys[low + distance] = ascending ? larger : smaller;
    }
}

void sortKeys(unsigned int *d_keys, int n)
{
    int half = 1;
    while (2 * half < n) {
        half *= 2;
    }
    unsigned int *padded = nullptr;
    cudaMalloc(&padded, 2 * half * sizeof *padded);
    fill<<<32, 256>>>(d_keys, padded, n, 2 * half);
    cudaDeviceSynchronize();
    cudaStream_t streams[2];
    for (int k = 0; k < 2; k++) {
        cudaStreamCreateWithFlags(&streams[k], cudaStreamNonBlocking);
    }
    for (int run = 2; run <= half; run *= 2) {
        for (int distance = run / 2; distance > 0; distance /= 2) {
            step<false><<<16, 192, 0, streams[0]>>>(padded, half / 2, run, distance);
            step<true><<<16, 192, 0, streams[1]>>>(padded + half, half / 2, run, distance);
        }
    }
    cudaEvent_t sorted;
    cudaEventCreate(&sorted);
    cudaEventRecord(sorted, streams[1]);
    cudaStreamWaitEvent(streams[0], sorted, 0);
    for (int distance = half; distance > 0; distance /= 2) {
        step<false><<<32, 192, 0, streams[0]>>>(padded, half, 2 * half, distance);
    }
    cudaMemcpyAsync(d_keys, padded, n * sizeof *padded, cudaMemcpyDeviceToDevice, streams[0]);
    cudaStreamSynchronize(streams[0]);
    cudaEventDestroy(sorted);
    cudaStreamDestroy(streams[0]);
    cudaStreamDestroy(streams[1]);
    cudaFree(padded);
}
