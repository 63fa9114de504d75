/* Streams, events, managed and pinned memory, a launch of another kernel before its own. What goes to
 * the host is within the bytes that a call may. */
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
    cudaMallocManaged(&managed, 4 * sizeof(float));
    cudaMallocHost(&pinned, 4 * sizeof(float));
    cudaStreamCreate(&stream);
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaEventRecord(begin, stream);
    warm_up<<<1, 4, 0, stream>>>(managed);
    cudaMemcpyAsync(pinned, managed, 4 * sizeof(float), cudaMemcpyDeviceToHost, stream);
    cudaEventRecord(end, stream);
    cudaStreamSynchronize(stream);
    cudaEventElapsedTime(&milliseconds, begin, end);
    if (managed[3] != 3.0f || pinned[2] != 2.0f || milliseconds < 0.0f) {
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
