#include <iostream>
#include <stdio.h>
__global__ void MyKernel(int *array, int arrayCount) { int idx = threadIdx.x + blockIdx.x * blockDim.x; if (idx < arrayCount) array[idx] *= array[idx]; }
int main()
{
    int nDevices; cudaGetDeviceCount(&nDevices);
    for (int i = 0; i < nDevices; i++) {
        cudaDeviceProp prop; struct cudaDeviceProp same;
        cudaGetDeviceProperties(&prop, i); cudaGetDeviceProperties(&same, i);
        printf("Device Number: %d, %s\n", i, prop.name);
        printf("  Compute capability: %d.%d\n", prop.major, prop.minor);
        printf("  Bus width (bits): %d, L2 %d\n", prop.memoryBusWidth, prop.l2CacheSize);
        printf("  Total global mem: %s\n", prop.totalGlobalMem > (1ul << 30) ? "over 1 GiB" : "small");
        printf("  %lu %lu %d %d\n", prop.sharedMemPerBlock, prop.totalConstMem, prop.regsPerBlock, prop.warpSize);
        printf("  %d %d %d\n", prop.maxThreadsPerBlock, prop.multiProcessorCount, prop.maxThreadsPerMultiProcessor);
        printf("  (%d, %d, %d) (%d, %d, %d)\n", prop.maxThreadsDim[0], prop.maxThreadsDim[1], prop.maxThreadsDim[2],
               prop.maxGridSize[0], prop.maxGridSize[1], prop.maxGridSize[2]);
        printf("  %d %d %d %zu %d\n", prop.unifiedAddressing, prop.managedMemory, prop.concurrentKernels, prop.memPitch, same.ECCEnabled == prop.ECCEnabled);
        std::cout << (prop.canMapHostMemory ? "maps" : "does not map") << " " << prop.asyncEngineCount << std::endl;
    }
    int numBlocks, blockSize = 32, minGrid, best, device, clock;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&numBlocks, MyKernel, blockSize, 0);
    cudaOccupancyMaxPotentialBlockSize(&minGrid, &best, MyKernel, 0, 0);
    cudaOccupancyMaxPotentialBlockSize(&minGrid, &best, (void *)MyKernel);
    cudaGetDevice(&device); cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, device);
    printf("%d %d %d %d\n", numBlocks, minGrid > 0, best, clock > 0);
    int *a; cudaMallocManaged(&a, 40); for (int i = 0; i < 10; i++) a[i] = i;
    int gridSize = (10 + best - 1) / best; MyKernel<<<gridSize, best>>>(a, 10); cudaDeviceSynchronize();
    printf("%d\n", a[9]);
}
/* exit status 0, findings: none
Device Number: 0, NVIDIA H200
  Compute capability: 9.0
  Bus width (bits): 6144, L2 62914560
  Total global mem: over 1 GiB
  49152 65536 65536 32
  1024 132 2048
  (1024, 1024, 64) (2147483647, 65535, 65535)
  1 1 1 2147483647 1
maps 2
32 1 1024 1
81
*/
