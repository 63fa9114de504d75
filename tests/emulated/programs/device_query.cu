// What programs ask about a device and its kernels; the model is the H200.
#include "../kernel_program.h"

__global__ void __launch_bounds__(256) tile(float *out)
{
    __shared__ float values[256];

    values[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = values[255 - threadIdx.x];
}

__global__ void copy(const double *in, char tag, double *out)
{
    out[threadIdx.x] = in[threadIdx.x] + tag;
}

extern __shared__ float dynamic[];
__global__ void large(float *out)
{
    dynamic[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = dynamic[blockDim.x - 1 - threadIdx.x];
}

int main()
{
    cudaDeviceProp properties;
    int version = 0, value = 0, blocks = 0, threads = 0;

    CHECK(cudaGetDeviceProperties(&properties, 0));
    printf("%s, compute %d.%d, %d multiprocessors, warps of %d\n", properties.name,
           properties.major, properties.minor, properties.multiProcessorCount, properties.warpSize);
    printf("threads %d and %d, blocks %d, registers %d\n", properties.maxThreadsPerBlock,
           properties.maxThreadsPerMultiProcessor, properties.maxBlocksPerMultiProcessor,
           properties.regsPerBlock);
    printf("shared %zu, %zu with opt-in, constant %zu\n", properties.sharedMemPerBlock,
           properties.sharedMemPerBlockOptin, properties.totalConstMem);
    printf("maps host memory %d, managed %d at once %d, cooperative %d, unified %d\n",
           properties.canMapHostMemory, properties.managedMemory,
           properties.concurrentManagedAccess, properties.cooperativeLaunch,
           properties.unifiedAddressing);
    static const cudaDeviceAttr attributes[] = {
        cudaDevAttrMaxBlockDimZ, cudaDevAttrMaxGridDimX,       cudaDevAttrMaxSharedMemoryPerBlock,
        cudaDevAttrMemoryPoolsSupported, cudaDevAttrCanMapHostMemory, cudaDevAttrAsyncEngineCount};
    for (cudaDeviceAttr attribute : attributes) {
        CHECK(cudaDeviceGetAttribute(&value, attribute, 0));
        printf("attribute %d: %d\n", (int)attribute, value);
    }
    printf("no attribute: %s\n",
           cudaGetErrorName(cudaDeviceGetAttribute(&value, (cudaDeviceAttr)9999, 0)));
    cudaGetLastError();
    CHECK(cudaRuntimeGetVersion(&version));
    printf("runtime at least 12.0: %d\n", version >= 12000);
    char bus[20];
    CHECK(cudaDeviceGetPCIBusId(bus, sizeof(bus), 0));
    CHECK(cudaDeviceGetByPCIBusId(&value, bus));
    printf("device %d at a bus\n", value);
    CHECK(cudaDeviceCanAccessPeer(&value, 0, 0));
    printf("its own peer: %d\n", value);

    cudaFuncAttributes about;
    size_t offset, bytes;
    CHECK(cudaFuncGetAttributes(&about, tile));
    printf("tile: shared %zu, most threads %d, registers %d\n", about.sharedSizeBytes,
           about.maxThreadsPerBlock, about.numRegs > 0);
    CHECK(cudaFuncGetParamInfo((const void *)copy, 2, &offset, &bytes));
    printf("copy: parameter 2 at %zu, %zu bytes\n", offset, bytes);
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, tile, 256, 0));
    printf("tile: %d blocks of 256\n", blocks);
    CHECK(cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, large, 0, 0));
    printf("large: blocks of %d\n", threads);
    CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, large, 4, 256));
    printf("large: 4 blocks leave %d bytes each\n", bytes > 40000 && bytes <= 57344);
    float *out;
    CHECK(cudaMalloc(&out, 4 * 1024));
    CHECK(cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 * 1024));
    CHECK(cudaFuncSetCacheConfig(large, cudaFuncCachePreferShared));
    large<<<1, 1024, 100 * 1024>>>(out);
    CHECK(cudaGetLastError());
    printf("beyond the limit: %s\n",
           cudaGetErrorName(cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                 300 * 1024)));
    cudaGetLastError();
    float last;
    CHECK(cudaMemcpy(&last, out + 1023, sizeof(last), cudaMemcpyDeviceToHost));
    printf("last %g\n", last);

    cudaMemPool_t pool;
    cudaStream_t stream;
    uint64_t threshold = 1 << 20, used = 0;
    void *pooled;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
    CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    CHECK(cudaMallocAsync(&pooled, 5000, stream));
    CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
    CHECK(cudaFreeAsync(pooled, stream));
    printf("pool: %d bytes used\n", (int)used);
    CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
    CHECK(cudaMemPoolTrimTo(pool, 0));
    printf("pool: %d bytes used\n", (int)used);
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(out));
    return 0;
}
