/* replay_pool.h: lets a solution take its memory from a pool (replay_on_gpu.cu). */
cudaError_t pool_allocate(void **out, size_t bytes);
template <typename T> static inline cudaError_t pool_malloc(T **out, size_t bytes)
{
    return pool_allocate((void **)out, bytes);
}
static inline cudaError_t pool_free(void *)
{
    return cudaSuccess;
}
#define cudaMalloc pool_malloc
#define cudaFree pool_free
