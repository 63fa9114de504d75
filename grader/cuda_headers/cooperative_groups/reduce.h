/* reduce.h: reduce(group, value, operation): all threads get what the values of a group come to. */
#ifndef GPUGRADE_CUDA_HEADERS_REDUCE_H
#define GPUGRADE_CUDA_HEADERS_REDUCE_H

#include <device_code/group_operations.h>

#if defined(__cplusplus) && defined(__CUDA__)
namespace cooperative_groups
{
template <unsigned Size, class Parent, class T, class Operation>
GPUGRADE_DEVICE T reduce(const thread_block_tile<Size, Parent> &tile, T value,
                         Operation &&operation)
{
    for (unsigned distance = Size / 2; distance > 0; distance /= 2) {
        value = operation(value, tile.shfl_xor(value, distance));
    }
    return value;
}
/* The thread of the highest rank has all; a full warp is reduced as a tile is. */
template <class T, class Operation>
GPUGRADE_DEVICE T reduce(const coalesced_group &group, T value, Operation &&operation)
{
    if (group.size() == 32) {
        return reduce(thread_block_tile<32>(0, 1), value, operation);
    }
    return group.shfl(details::scan_up(group, value, operation), group.size() - 1);
}
} // namespace cooperative_groups
#endif

#endif
