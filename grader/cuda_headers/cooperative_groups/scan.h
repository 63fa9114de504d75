/* scan.h: inclusive_scan and exclusive_scan: each thread of a group gets what the values up to its
 * own come to, its own included or not. Without an operation they are added. */
#ifndef GPUGRADE_CUDA_HEADERS_SCAN_H
#define GPUGRADE_CUDA_HEADERS_SCAN_H

#include <device_code/group_operations.h>

#if defined(__cplusplus) && defined(__CUDA__)
namespace cooperative_groups
{
template <class Group, class T, class Operation>
GPUGRADE_DEVICE T inclusive_scan(const Group &group, T value, Operation &&operation)
{
    return details::scan_up(group, value, operation);
}
template <class Group, class T> GPUGRADE_DEVICE T inclusive_scan(const Group &group, T value)
{
    return details::scan_up(group, value, plus<T>());
}
/* The first thread gets T(), which is what a sum starts from. */
template <class Group, class T, class Operation>
GPUGRADE_DEVICE T exclusive_scan(const Group &group, T value, Operation &&operation)
{
    T up_to_own = details::scan_up(group, value, operation);
    T below = group.shfl_up(up_to_own, 1);
    return group.thread_rank() == 0 ? T() : below;
}
template <class Group, class T> GPUGRADE_DEVICE T exclusive_scan(const Group &group, T value)
{
    return exclusive_scan(group, value, plus<T>());
}
} // namespace cooperative_groups
#endif

#endif
