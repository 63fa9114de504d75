/* compatibility.cuh: provides what newer toolkits removed from the runtime, for programs that were
 * written for older ones. A rubric switches it on for a program; nvcc then reads it before the
 * program's sources.
 *
 * CUDA 13 removed the functions cudaThread..., fields of cudaDeviceProp that change while a device
 * runs, and the forms of two functions on managed memory that take a device's number. Functions are
 * templates here: if the program has its own function with the same name, that one is called, and
 * functions that are not called are not compiled. A program that uses none of this behaves as
 * without it.
 */
#if defined(__CUDACC__) && defined(__cplusplus)
#include <cuda_runtime.h>

#if CUDART_VERSION >= 13000

template <typename unused = void> inline cudaError_t cudaThreadSynchronize()
{
    return cudaDeviceSynchronize();
}

template <typename unused = void> inline cudaError_t cudaThreadExit()
{
    return cudaDeviceReset();
}

template <typename unused = void>
inline cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value)
{
    return cudaDeviceSetLimit(limit, value);
}

template <typename unused = void>
inline cudaError_t cudaThreadGetLimit(size_t *out_value, enum cudaLimit limit)
{
    return cudaDeviceGetLimit(out_value, limit);
}

template <typename unused = void>
inline cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config)
{
    return cudaDeviceSetCacheConfig(config);
}

template <typename unused = void>
inline cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *out_config)
{
    return cudaDeviceGetCacheConfig(out_config);
}

/* Every GPU that this toolkit knows has doubles. */
template <typename unused = void> inline cudaError_t cudaSetDoubleForDevice(double *value)
{
    return value == nullptr ? cudaErrorInvalidValue : cudaSuccess;
}

template <typename unused = void> inline cudaError_t cudaSetDoubleForHost(double *value)
{
    return value == nullptr ? cudaErrorInvalidValue : cudaSuccess;
}

template <typename unused = void> inline struct cudaMemLocation gpugrade_memory_location(int device)
{
    struct cudaMemLocation location = {};

    location.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    location.id = device == cudaCpuDeviceId ? 0 : device;
    return location;
}

template <typename unused = void>
inline cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device,
                                        cudaStream_t stream = 0)
{
    return cudaMemPrefetchAsync(pointer, bytes, gpugrade_memory_location(device), 0, stream);
}

template <typename unused = void>
inline cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, enum cudaMemoryAdvise advice,
                                 int device)
{
    return cudaMemAdvise(pointer, bytes, advice, gpugrade_memory_location(device));
}

/* The structure with its former fields; cudaDeviceGetAttribute still knows most of them. */
struct gpugrade_cudaDeviceProp : cudaDeviceProp {
    int clockRate;
    int deviceOverlap;
    int kernelExecTimeoutEnabled;
    int computeMode;
    int maxTexture1DLinear;
    int memoryClockRate;
    int singleToDoublePrecisionPerfRatio;
    int cooperativeMultiDeviceLaunch;
};

inline cudaError_t cudaGetDeviceProperties(struct gpugrade_cudaDeviceProp *properties, int device)
{
    struct cudaDeviceProp *known = properties;
    cudaError_t error = cudaGetDeviceProperties(known, device);

    if (error == cudaSuccess) {
        cudaDeviceGetAttribute(&properties->clockRate, cudaDevAttrClockRate, device);
        cudaDeviceGetAttribute(&properties->deviceOverlap, cudaDevAttrGpuOverlap, device);
        cudaDeviceGetAttribute(&properties->kernelExecTimeoutEnabled, cudaDevAttrKernelExecTimeout,
                               device);
        cudaDeviceGetAttribute(&properties->computeMode, cudaDevAttrComputeMode, device);
        cudaDeviceGetAttribute(&properties->maxTexture1DLinear, cudaDevAttrMaxTexture1DLinearWidth,
                               device);
        cudaDeviceGetAttribute(&properties->memoryClockRate, cudaDevAttrMemoryClockRate, device);
        cudaDeviceGetAttribute(&properties->singleToDoublePrecisionPerfRatio,
                               cudaDevAttrSingleToDoublePrecisionPerfRatio, device);
        properties->cooperativeMultiDeviceLaunch = 0;
    }
    return error;
}

/* `struct cudaDeviceProp p;`, pointers to it and `cudaDeviceProp p = {};` mean this one now. */
#define cudaDeviceProp gpugrade_cudaDeviceProp

#endif
#endif
