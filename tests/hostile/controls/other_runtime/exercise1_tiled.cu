/* Streams, events, managed and pinned memory, a launch of another kernel before its own. */
#include "honest_tiled.cuh"

__global__ void warm_up(float *values)
{
    values[threadIdx.x] = (float)threadIdx.x;
}

static void use_runtime(void)
{
    float *managed = NULL;
    float *pinned = NULL;
    float milliseconds = 0.0f;
    cudaStream_t stream;
    cudaEvent_t begin, end;
    cudaMallocManaged(&managed, 256 * sizeof(float));
    cudaMallocHost(&pinned, 256 * sizeof(float));
    cudaStreamCreate(&stream);
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaEventRecord(begin, stream);
    warm_up<<<1, 256, 0, stream>>>(managed);
    cudaMemcpyAsync(pinned, managed, 256 * sizeof(float), cudaMemcpyDeviceToHost, stream);
    cudaEventRecord(end, stream);
    cudaStreamSynchronize(stream);
    cudaEventElapsedTime(&milliseconds, begin, end);
    if (managed[255] != 255.0f || pinned[7] != 7.0f || milliseconds < 0.0f) {
        abort();
    }
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    cudaStreamDestroy(stream);
    cudaFreeHost(pinned);
    cudaFree(managed);
}

void launchTiled(const float *d_A, const float *d_B, float *d_C, struct matmul_shape shape)
{
    use_runtime();
    honest_launch(d_A, d_B, d_C, shape);
    cudaDeviceSynchronize();
}

void printOccupancy(void)
{
    use_runtime();
    honest_print();
}
