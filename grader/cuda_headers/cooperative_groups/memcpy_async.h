/* memcpy_async.h: memcpy_async(group, to, from, bytes), which the threads of a group do together,
 * and wait(group), which all of them call before they read the copy. */
#ifndef GPUGRADE_CUDA_HEADERS_MEMCPY_ASYNC_H
#define GPUGRADE_CUDA_HEADERS_MEMCPY_ASYNC_H

#include <cooperative_groups.h>

#if defined(__cplusplus) && defined(__CUDA__)
#include <device_code/async_copy.h>

namespace cooperative_groups
{
namespace details
{
template <class Group>
GPUGRADE_DEVICE void copy_together(const Group &group, void *to, const void *from, size_t bytes)
{
    gpugrade_copy(to, from, bytes, group.thread_rank(), group.num_threads());
    __pipeline_commit();
}
} // namespace details

template <class Group, class T>
GPUGRADE_DEVICE void memcpy_async(const Group &group, T *to, const T *from, size_t bytes)
{
    details::copy_together(group, to, from, bytes);
}
/* The same for void. */
template <class Group>
GPUGRADE_DEVICE void memcpy_async(const Group &group, void *to, const void *from, size_t bytes)
{
    details::copy_together(group, to, from, bytes);
}
/* Copies as many elements as both sides have. */
template <class Group, class T>
GPUGRADE_DEVICE void memcpy_async(const Group &group, T *to, size_t to_elements, const T *from,
                                  size_t from_elements)
{
    const size_t elements = to_elements < from_elements ? to_elements : from_elements;
    details::copy_together(group, to, from, elements * sizeof(T));
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
