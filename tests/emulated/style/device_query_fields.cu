#include <stdio.h>
#include <cuda_runtime.h>
#include <stdlib.h>
#define KB(x) ((x) / 1024)
int main(void)
{
    int count = 0;
    cudaError_t err = cudaGetDeviceCount(&count);
    if (err != cudaSuccess) { fprintf(stderr, "%s\n", cudaGetErrorString(err)); exit(EXIT_FAILURE); }
    for (int dev = 0; dev < count && dev < 1; ++dev) {
        struct cudaDeviceProp prop;
        cudaSetDevice(dev);
        cudaGetDeviceProperties(&prop, dev);
        printf("Device %d: \"%s\"\n", dev, prop.name);
        printf("  Compute capability:            %d.%d\n", prop.major, prop.minor);
        printf("  Shared memory per block:       %zu KB\n", KB(prop.sharedMemPerBlock));
        printf("  Shared memory per SM:          %lu KB\n", (unsigned long)KB(prop.sharedMemPerMultiprocessor));
        printf("  Opt-in:                        %zu\n", prop.sharedMemPerBlockOptin);
        printf("  Registers per block:           %d\n", prop.regsPerBlock);
        printf("  Warp size:                     %d\n", prop.warpSize);
        printf("  Max threads per block:         %d\n", prop.maxThreadsPerBlock);
        printf("  Max threads per SM:            %d\n", prop.maxThreadsPerMultiProcessor);
        printf("  Max block dims:                (%d, %d, %d)\n", prop.maxThreadsDim[0], prop.maxThreadsDim[1], prop.maxThreadsDim[2]);
        printf("  Max grid dims:                 (%d, %d, %d)\n", prop.maxGridSize[0], prop.maxGridSize[1], prop.maxGridSize[2]);
        printf("  SMs:                           %d\n", prop.multiProcessorCount);
        printf("  Constant memory:               %zu\n", prop.totalConstMem);
        printf("  Bus width:                     %d\n", prop.memoryBusWidth);
        printf("  L2:                            %d\n", prop.l2CacheSize > 0);
        printf("  Memory:                        %d\n", prop.totalGlobalMem > (1ull << 20));
        printf("  Unified addressing:            %s\n", prop.unifiedAddressing ? "Yes" : "No");
        printf("  Concurrent kernels:            %s\n", prop.concurrentKernels ? "Yes" : "No");
        printf("  Can map:                       %s\n", prop.canMapHostMemory ? "Yes" : "No");
        printf("  ECC:                           %s\n", prop.ECCEnabled ? "On" : "Off");
        printf("  Async engines:                 %d\n", prop.asyncEngineCount > 0);
        printf("  Cooperative:                   %d\n", prop.cooperativeLaunch);
        printf("  Managed:                       %d %d\n", prop.managedMemory, prop.concurrentManagedAccess);
        printf("  Texture alignment:             %zu %zu\n", prop.textureAlignment, prop.memPitch);
        printf("  PCI:                           %d\n", prop.pciBusID >= 0 && prop.pciDeviceID >= 0 && prop.pciDomainID >= 0);
        printf("  Integrated:                    %d, multi-GPU board %d\n", prop.integrated, prop.isMultiGpuBoard);
    }
    int clock = 0, rt = 0, drv = 0, value = 0;
    cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, 0);
    cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, 0);
    cudaRuntimeGetVersion(&rt); cudaDriverGetVersion(&drv);
    size_t f, t; cudaMemGetInfo(&f, &t);
    printf("%d %d %d %d\n", clock > 0, value, rt > 0 && drv > 0, f <= t);
    size_t heap; cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize); cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 20);
    printf("%zu\n", heap);
    return 0;
}

/* exit status 0, findings: none
Device 0: "NVIDIA H200"
  Compute capability:            9.0
  Shared memory per block:       48 KB
  Shared memory per SM:          228 KB
  Opt-in:                        232448
  Registers per block:           65536
  Warp size:                     32
  Max threads per block:         1024
  Max threads per SM:            2048
  Max block dims:                (1024, 1024, 64)
  Max grid dims:                 (2147483647, 65535, 65535)
  SMs:                           132
  Constant memory:               65536
  Bus width:                     6144
  L2:                            1
  Memory:                        1
  Unified addressing:            Yes
  Concurrent kernels:            Yes
  Can map:                       Yes
  ECC:                           Off
  Async engines:                 1
  Cooperative:                   1
  Managed:                       1 0
  Texture alignment:             512 2147483647
  PCI:                           1
  Integrated:                    0, multi-GPU board 0
1 1024 1 1
8388608
*/
