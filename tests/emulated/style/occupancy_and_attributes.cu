#include <cstdio>
#include <iostream>
__global__ void MyKernel(int *array, int arrayCount)
{
    int idx = threadIdx.x + blockIdx.x * blockDim.x;
    if (idx < arrayCount) array[idx] *= array[idx];
}
template <typename T> __global__ void dynamic(T *out, int n)
{
    extern __shared__ unsigned char raw[];
    T *s = reinterpret_cast<T *>(raw);
    for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = i;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = s[n - 1 - i];
}
int launchMyKernel(int *array, int arrayCount)
{
    int blockSize, minGridSize, gridSize;
    cudaOccupancyMaxPotentialBlockSize(&minGridSize, &blockSize, (void *)MyKernel, 0, arrayCount);
    cudaOccupancyMaxPotentialBlockSize(&minGridSize, &blockSize, MyKernel);
    gridSize = (arrayCount + blockSize - 1) / blockSize;
    MyKernel<<<gridSize, blockSize>>>(array, arrayCount);
    return blockSize;
}
int main()
{
    int *d, n = 100, blocks = 0, device; cudaDeviceProp prop;
    cudaGetDevice(&device); cudaGetDeviceProperties(&prop, device);
    cudaMallocManaged(&d, n * sizeof(int));
    for (int i = 0; i < n; i++) d[i] = i;
    int block = launchMyKernel(d, n);
    cudaDeviceSynchronize();
    printf("%d %d\n", block, d[9]);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, MyKernel, 256, 0);
    double occupancy = (double)(blocks * 256 / prop.warpSize) / (prop.maxThreadsPerMultiProcessor / prop.warpSize);
    std::cout << "Occupancy: " << occupancy * 100 << "%" << std::endl;
    cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, dynamic<double>, 128, 40000, cudaOccupancyDefault);
    printf("%d\n", blocks);
    int mg, bs;
    cudaOccupancyMaxPotentialBlockSizeVariableSMem(&mg, &bs, dynamic<float>, [](int b) -> size_t { return b * sizeof(float); });
    printf("%d\n", bs);
    cudaFuncAttributes attr;
    cudaFuncGetAttributes(&attr, dynamic<double>);
    printf("%zu %d %d %zu\n", attr.sharedSizeBytes, attr.maxThreadsPerBlock, attr.numRegs > 0, attr.constSizeBytes);
    cudaFuncSetAttribute(dynamic<double>, cudaFuncAttributeMaxDynamicSharedMemorySize, 80000);
    cudaFuncSetAttribute((const void *)dynamic<double>, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared);
    cudaFuncSetCacheConfig(MyKernel, cudaFuncCachePreferShared);
    cudaDeviceSetCacheConfig(cudaFuncCachePreferL1);
    double *e; cudaMallocManaged(&e, 8000 * sizeof(double));
    dynamic<<<1, 256, 8000 * sizeof(double)>>>(e, 8000);
    cudaError_t r = cudaDeviceSynchronize();
    printf("%s %g\n", cudaGetErrorString(r), e[0]);
}

/* exit status 0, findings: none
1024 81
Occupancy: 100%
5
1024
0 1024 1 0
no error 7999
*/
