/* runtime_templates.h: the calls of cuda_runtime_api.h as C++ programs write them: pointers of any
 * type instead of void *, kernels and device variables by name. */
#ifndef GPUGRADE_CUDA_HEADERS_RUNTIME_TEMPLATES_H
#define GPUGRADE_CUDA_HEADERS_RUNTIME_TEMPLATES_H

#include <cuda_runtime_api.h>

#include <utility>

#define GPUGRADE_CALL static inline cudaError_t

/* Memory. */
template <class T> GPUGRADE_CALL cudaMalloc(T **pointer, size_t bytes)
{
    return ::cudaMalloc((void **)(void *)pointer, bytes);
}
template <class T>
GPUGRADE_CALL cudaMallocManaged(T **pointer, size_t bytes, unsigned flags = cudaMemAttachGlobal)
{
    return ::cudaMallocManaged((void **)(void *)pointer, bytes, flags);
}
template <class T>
GPUGRADE_CALL cudaMallocPitch(T **pointer, size_t *pitch, size_t width, size_t height)
{
    return ::cudaMallocPitch((void **)(void *)pointer, pitch, width, height);
}
static inline cudaError_t cudaMallocHost(void **pointer, size_t bytes, unsigned flags)
{
    return ::cudaHostAlloc(pointer, bytes, flags);
}
template <class T> GPUGRADE_CALL cudaMallocHost(T **pointer, size_t bytes, unsigned flags = 0)
{
    return ::cudaHostAlloc((void **)(void *)pointer, bytes, flags);
}
template <class T> GPUGRADE_CALL cudaHostAlloc(T **pointer, size_t bytes, unsigned flags)
{
    return ::cudaHostAlloc((void **)(void *)pointer, bytes, flags);
}
template <class T> GPUGRADE_CALL cudaHostGetDevicePointer(T **device, void *host, unsigned flags)
{
    return ::cudaHostGetDevicePointer((void **)(void *)device, host, flags);
}
template <class T> GPUGRADE_CALL cudaMallocAsync(T **pointer, size_t bytes, cudaStream_t stream)
{
    return ::cudaMallocAsync((void **)(void *)pointer, bytes, stream);
}
static inline cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaMemPool_t pool,
                                          cudaStream_t stream)
{
    return ::cudaMallocFromPoolAsync(pointer, bytes, pool, stream);
}
template <class T>
GPUGRADE_CALL cudaMallocAsync(T **pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream)
{
    return ::cudaMallocFromPoolAsync((void **)(void *)pointer, bytes, pool, stream);
}
template <class T>
GPUGRADE_CALL cudaMallocFromPoolAsync(T **pointer, size_t bytes, cudaMemPool_t pool,
                                      cudaStream_t stream)
{
    return ::cudaMallocFromPoolAsync((void **)(void *)pointer, bytes, pool, stream);
}
template <class T>
GPUGRADE_CALL cudaStreamAttachMemAsync(cudaStream_t stream, T *pointer, size_t bytes = 0,
                                       unsigned flags = cudaMemAttachSingle)
{
    return ::cudaStreamAttachMemAsync(stream, (void *)pointer, bytes, flags);
}

/* Variables of the device. */
template <class T>
GPUGRADE_CALL cudaMemcpyToSymbol(const T &symbol, const void *source, size_t bytes,
                                 size_t offset = 0,
                                 enum cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return ::cudaMemcpyToSymbol((const void *)&symbol, source, bytes, offset, kind);
}
template <class T>
GPUGRADE_CALL
cudaMemcpyToSymbolAsync(const T &symbol, const void *source, size_t bytes, size_t offset = 0,
                        enum cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0)
{
    return ::cudaMemcpyToSymbolAsync((const void *)&symbol, source, bytes, offset, kind, stream);
}
template <class T>
GPUGRADE_CALL cudaMemcpyFromSymbol(void *target, const T &symbol, size_t bytes, size_t offset = 0,
                                   enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return ::cudaMemcpyFromSymbol(target, (const void *)&symbol, bytes, offset, kind);
}
template <class T>
GPUGRADE_CALL cudaMemcpyFromSymbolAsync(void *target, const T &symbol, size_t bytes,
                                        size_t offset = 0,
                                        enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                        cudaStream_t stream = 0)
{
    return ::cudaMemcpyFromSymbolAsync(target, (const void *)&symbol, bytes, offset, kind, stream);
}
template <class T> GPUGRADE_CALL cudaGetSymbolAddress(void **pointer, const T &symbol)
{
    return ::cudaGetSymbolAddress(pointer, (const void *)&symbol);
}
/* What the address of a variable is stored in may be a pointer to anything. */
template <class P, class T> GPUGRADE_CALL cudaGetSymbolAddress(P **pointer, const T &symbol)
{
    return ::cudaGetSymbolAddress((void **)(void *)pointer, (const void *)&symbol);
}
template <class T> GPUGRADE_CALL cudaGetSymbolSize(size_t *bytes, const T &symbol)
{
    return ::cudaGetSymbolSize(bytes, (const void *)&symbol);
}

/* Kernels. */
template <class T> GPUGRADE_CALL cudaFuncGetAttributes(struct cudaFuncAttributes *found, T *kernel)
{
    return ::cudaFuncGetAttributes(found, (const void *)kernel);
}
template <class T>
GPUGRADE_CALL cudaFuncSetAttribute(T *kernel, enum cudaFuncAttribute attribute, int value)
{
    return ::cudaFuncSetAttribute((const void *)kernel, attribute, value);
}
template <class T> GPUGRADE_CALL cudaFuncSetCacheConfig(T *kernel, enum cudaFuncCache config)
{
    return ::cudaFuncSetCacheConfig((const void *)kernel, config);
}
template <class T>
GPUGRADE_CALL cudaFuncSetSharedMemConfig(T *kernel, enum cudaSharedMemConfig config)
{
    return ::cudaFuncSetSharedMemConfig((const void *)kernel, config);
}
template <class T> GPUGRADE_CALL cudaFuncGetName(const char **name, T *kernel)
{
    return ::cudaFuncGetName(name, (const void *)kernel);
}
template <class T> GPUGRADE_CALL cudaGetKernel(cudaKernel_t *handle, T *kernel)
{
    return ::cudaGetKernel(handle, (const void *)kernel);
}

/* Launches without <<<>>>. */
template <class T>
GPUGRADE_CALL cudaLaunchKernel(T *kernel, dim3 grid, dim3 block, void **arguments,
                               size_t shared_bytes = 0, cudaStream_t stream = 0)
{
    return ::cudaLaunchKernel((const void *)kernel, grid, block, arguments, shared_bytes, stream);
}
template <class T>
GPUGRADE_CALL cudaLaunchCooperativeKernel(T *kernel, dim3 grid, dim3 block, void **arguments,
                                          size_t shared_bytes = 0, cudaStream_t stream = 0)
{
    return ::cudaLaunchCooperativeKernel((const void *)kernel, grid, block, arguments, shared_bytes,
                                         stream);
}
/* Each argument becomes what the kernel's parameter is. */
template <class... Parameters, class... Arguments>
GPUGRADE_CALL cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(Parameters...),
                                 Arguments &&...arguments)
{
    return [&](Parameters... values) {
        void *places[sizeof...(values) + 1] = {(void *)&values...};
        return ::cudaLaunchKernelExC(config, (const void *)kernel, places);
    }(std::forward<Arguments>(arguments)...);
}

/* Events, graphs. */
static inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned flags)
{
    return ::cudaEventCreateWithFlags(event, flags);
}
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph,
                                               cudaGraphNode_t *error_node, char *log,
                                               size_t log_bytes)
{
    (void)error_node, (void)log, (void)log_bytes;
    return ::cudaGraphInstantiate(executable, graph, 0);
}
static inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                              cudaGraphNode_t *error_node,
                                              enum cudaGraphExecUpdateResult *result)
{
    cudaGraphExecUpdateResultInfo info;
    cudaError_t error = ::cudaGraphExecUpdate(executable, graph, &info);
    if (error_node != nullptr) {
        *error_node = info.errorNode;
    }
    if (result != nullptr) {
        *result = info.result;
    }
    return error;
}
/* The channels of a texel of type T: a number, or the members of a vector. */
template <class T> auto gpugrade_channel(T texel, int) -> decltype(texel.x);
template <class T> T gpugrade_channel(T texel, long);
template <class T> static inline struct cudaChannelFormatDesc cudaCreateChannelDesc()
{
    typedef decltype(gpugrade_channel(T(), 0)) channel;
    const enum cudaChannelFormatKind kind = channel(0.5f) != channel(0) ? cudaChannelFormatKindFloat
                                            : channel(-1) < channel(0)
                                                ? cudaChannelFormatKindSigned
                                                : cudaChannelFormatKindUnsigned;
    const int bits = 8 * (int)sizeof(channel), count = (int)(sizeof(T) / sizeof(channel));
    return ::cudaCreateChannelDesc(bits, count > 1 ? bits : 0, count > 2 ? bits : 0,
                                   count > 3 ? bits : 0, kind);
}
static inline struct cudaChannelFormatDesc cudaCreateChannelDescHalf()
{
    return ::cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
static inline struct cudaChannelFormatDesc cudaCreateChannelDescHalf1()
{
    return cudaCreateChannelDescHalf();
}
static inline struct cudaChannelFormatDesc cudaCreateChannelDescHalf2()
{
    return ::cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat);
}
static inline struct cudaChannelFormatDesc cudaCreateChannelDescHalf4()
{
    return ::cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat);
}

/* How many blocks fit. */
template <class T>
GPUGRADE_CALL cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T kernel, int threads,
                                                            size_t shared_bytes)
{
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        blocks, (const void *)kernel, threads, shared_bytes, cudaOccupancyDefault);
}
template <class T>
GPUGRADE_CALL
cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, T kernel, int threads,
                                                       size_t shared_bytes, unsigned flags)
{
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void *)kernel,
                                                                    threads, shared_bytes, flags);
}
template <class T>
GPUGRADE_CALL cudaOccupancyAvailableDynamicSMemPerBlock(size_t *shared_bytes, T *kernel, int blocks,
                                                        int threads)
{
    return ::cudaOccupancyAvailableDynamicSMemPerBlock(shared_bytes, (const void *)kernel, blocks,
                                                       threads);
}

/* The block size with which most threads of a multiprocessor work, the largest of several, and with
 * how many blocks all multiprocessors have work. shared_bytes_of(threads) is the dynamic shared
 * memory of a block. */
template <class SharedBytes, class T>
GPUGRADE_CALL
cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int *grid_blocks, int *block_threads,
                                                        T kernel, SharedBytes shared_bytes_of,
                                                        int thread_limit = 0, unsigned flags = 0)
{
    if (grid_blocks == nullptr || block_threads == nullptr || !kernel) {
        return cudaErrorInvalidValue;
    }
    int device = 0, per_multiprocessor = 0, per_block = 0, multiprocessors = 0;
    struct cudaFuncAttributes attributes;
    cudaError_t errors[] = {
        ::cudaGetDevice(&device),
        ::cudaDeviceGetAttribute(&per_multiprocessor, cudaDevAttrMaxThreadsPerMultiProcessor,
                                 device),
        ::cudaDeviceGetAttribute(&per_block, cudaDevAttrMaxThreadsPerBlock, device),
        ::cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
        ::cudaFuncGetAttributes(&attributes, (const void *)kernel),
    };
    for (cudaError_t error : errors) {
        if (error != cudaSuccess) {
            return error;
        }
    }
    const int warp = 32;
    int most =
        per_block < attributes.maxThreadsPerBlock ? per_block : attributes.maxThreadsPerBlock;
    if (thread_limit > 0 && thread_limit < most) {
        most = thread_limit;
    }
    int best = 0;
    for (int rounded = (most + warp - 1) / warp * warp; rounded > 0; rounded -= warp) {
        int threads = rounded < most ? rounded : most, blocks = 0;
        cudaError_t error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
            &blocks, (const void *)kernel, threads, shared_bytes_of(threads), flags);
        if (error != cudaSuccess) {
            return error;
        }
        if (threads * blocks > best) {
            best = threads * blocks;
            *grid_blocks = blocks * multiprocessors;
            *block_threads = threads;
        }
        if (best == per_multiprocessor) {
            break;
        }
    }
    return cudaSuccess;
}
template <class SharedBytes, class T>
GPUGRADE_CALL cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid_blocks, int *block_threads,
                                                             T kernel, SharedBytes shared_bytes_of,
                                                             int thread_limit = 0)
{
    return ::cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
        grid_blocks, block_threads, kernel, shared_bytes_of, thread_limit, cudaOccupancyDefault);
}
template <class T>
GPUGRADE_CALL cudaOccupancyMaxPotentialBlockSizeWithFlags(int *grid_blocks, int *block_threads,
                                                          T kernel, size_t shared_bytes = 0,
                                                          int thread_limit = 0, unsigned flags = 0)
{
    return ::cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
        grid_blocks, block_threads, kernel, [=](int) { return shared_bytes; }, thread_limit, flags);
}
template <class T>
GPUGRADE_CALL cudaOccupancyMaxPotentialBlockSize(int *grid_blocks, int *block_threads, T kernel,
                                                 size_t shared_bytes = 0, int thread_limit = 0)
{
    return ::cudaOccupancyMaxPotentialBlockSizeWithFlags(
        grid_blocks, block_threads, kernel, shared_bytes, thread_limit, cudaOccupancyDefault);
}

#undef GPUGRADE_CALL

#endif
