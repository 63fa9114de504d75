/* async_copy.h: copies that memcpy_async starts: of one thread, or of a group's threads. */
#ifndef GPUGRADE_CUDA_HEADERS_ASYNC_COPY_H
#define GPUGRADE_CUDA_HEADERS_ASYNC_COPY_H

#include <cuda_pipeline.h>

/* Copies the bytes of a thread: those at `first`, and at each `step` words from there on, in the
 * words that fit the alignment of both sides; what is left byte by byte, as is what does not go
 * from global to shared memory. */
GPUGRADE_DEVICE void gpugrade_copy(void *target, const void *source, size_t bytes, size_t first,
                                   size_t step)
{
    char *to = (char *)target;
    const char *from = (const char *)source;
    const size_t both = (size_t)to | (size_t)from;
    const size_t word = both % 16 == 0 && bytes >= 16 ? 16
                        : both % 8 == 0 && bytes >= 8 ? 8
                        : both % 4 == 0               ? 4
                                                      : 1;
    const bool is_started = word > 1 && __isShared(to) && __isGlobal(from);
    const size_t whole = is_started ? bytes / word * word : 0;
    for (size_t at = first * word; at < whole; at += step * word) {
        if (word == 16) {
            __pipeline_memcpy_async(to + at, from + at, 16);
        } else if (word == 8) {
            __pipeline_memcpy_async(to + at, from + at, 8);
        } else {
            __pipeline_memcpy_async(to + at, from + at, 4);
        }
    }
    for (size_t at = whole + first; at < bytes; at += step) {
        to[at] = from[at];
    }
}

namespace cuda
{
/* A size whose bytes start and end where a word of `Alignment` bytes does. */
template <size_t Alignment> struct aligned_size_t {
    static constexpr size_t align = Alignment;
    size_t value;
    __host__ __device__ explicit constexpr aligned_size_t(size_t bytes) : value(bytes)
    {
    }
    __host__ __device__ constexpr operator size_t() const
    {
        return value;
    }
};
} // namespace cuda

#endif
