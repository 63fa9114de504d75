/* memcpy_async.h: memcpy_async(group, to, from, bytes), which the threads of a group do together,
 * and wait(group), which all of them call before they read the copy. */
#ifndef GPUGRADE_CUDA_HEADERS_MEMCPY_ASYNC_H
#define GPUGRADE_CUDA_HEADERS_MEMCPY_ASYNC_H

#include <cooperative_groups.h>
#include <cuda_pipeline.h>

#if defined(__cplusplus) && defined(__CUDA__)
namespace cooperative_groups
{
namespace details
{
/* Words that fit the alignment of both sides, a thread each, and what is left byte by byte. */
template <class Group>
GPUGRADE_DEVICE void copy_together(const Group &group, char *to, const char *from, size_t bytes)
{
    const size_t rank = group.thread_rank(), threads = group.num_threads();
    const size_t both = (size_t)to | (size_t)from;
    const size_t word = both % 16 == 0 ? 16 : both % 8 == 0 ? 8 : both % 4 == 0 ? 4 : 1;
    const bool is_started = word > 1 && __isShared(to) && __isGlobal(from);
    const size_t whole = is_started ? bytes / word * word : 0;
    for (size_t at = rank * word; at < whole; at += threads * word) {
        if (word == 16) {
            __pipeline_memcpy_async(to + at, from + at, 16);
        } else if (word == 8) {
            __pipeline_memcpy_async(to + at, from + at, 8);
        } else {
            __pipeline_memcpy_async(to + at, from + at, 4);
        }
    }
    for (size_t at = whole + rank; at < bytes; at += threads) {
        to[at] = from[at];
    }
    __pipeline_commit();
}
} // namespace details

template <class Group, class T>
GPUGRADE_DEVICE void memcpy_async(const Group &group, T *to, const T *from, size_t bytes)
{
    details::copy_together(group, (char *)to, (const char *)from, bytes);
}
/* The same for void. */
template <class Group>
GPUGRADE_DEVICE void memcpy_async(const Group &group, void *to, const void *from, size_t bytes)
{
    details::copy_together(group, (char *)to, (const char *)from, bytes);
}
/* Copies as many elements as both sides have. */
template <class Group, class T>
GPUGRADE_DEVICE void memcpy_async(const Group &group, T *to, size_t to_elements, const T *from,
                                  size_t from_elements)
{
    const size_t elements = to_elements < from_elements ? to_elements : from_elements;
    details::copy_together(group, (char *)to, (const char *)from, elements * sizeof(T));
}
template <unsigned Batches, class Group> GPUGRADE_DEVICE void wait_prior(const Group &group)
{
    __pipeline_wait_prior(Batches);
    group.sync();
}
template <class Group> GPUGRADE_DEVICE void wait(const Group &group)
{
    wait_prior<0>(group);
}
} // namespace cooperative_groups
#endif

#endif
