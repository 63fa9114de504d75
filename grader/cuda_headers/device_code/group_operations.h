/* group_operations.h: what reduce.h and scan.h combine values with. */
#ifndef GPUGRADE_CUDA_HEADERS_GROUP_OPERATIONS_H
#define GPUGRADE_CUDA_HEADERS_GROUP_OPERATIONS_H

#include <cooperative_groups.h>

#if defined(__cplusplus) && defined(__CUDA__)

namespace cooperative_groups
{
#define GPUGRADE_OPERATION(name, expression)                                                       \
    template <class T> struct name {                                                               \
        __device__ __inline__ GPUGRADE_INLINE T operator()(T x, T y) const                         \
        {                                                                                          \
            return expression;                                                                     \
        }                                                                                          \
    };
GPUGRADE_OPERATION(plus, x + y)
GPUGRADE_OPERATION(less, y < x ? y : x)
GPUGRADE_OPERATION(greater, x < y ? y : x)
GPUGRADE_OPERATION(bit_and, x &y)
GPUGRADE_OPERATION(bit_or, x | y)
GPUGRADE_OPERATION(bit_xor, x ^ y)
#undef GPUGRADE_OPERATION

namespace details
{
/* Each thread gets what it and all of lower rank have; a value comes from the thread 1, 2, 4 ...
 * ranks below. */
template <class Group, class T, class Operation>
GPUGRADE_DEVICE T scan_up(const Group &group, T value, Operation operation)
{
    for (unsigned distance = 1; distance < group.num_threads(); distance *= 2) {
        T below = group.shfl_up(value, distance);
        if (group.thread_rank() >= distance) {
            value = operation(value, below);
        }
    }
    return value;
}
} // namespace details
} // namespace cooperative_groups

#endif

#endif
