/* group_lanes.h: lanes of a warp and the groups that they form, for cooperative_groups.h. Masks
 * have a bit for each lane; ranks count the lanes of a mask from the lowest. */
#ifndef GPUGRADE_CUDA_HEADERS_GROUP_LANES_H
#define GPUGRADE_CUDA_HEADERS_GROUP_LANES_H

namespace cooperative_groups
{
namespace details
{
GPUGRADE_DEVICE unsigned lane()
{
    unsigned number;
    asm("mov.u32 %0, %%laneid;" : "=r"(number));
    return number;
}

GPUGRADE_DEVICE unsigned lanes_below()
{
    unsigned mask;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
    return mask;
}

GPUGRADE_DEVICE unsigned lane_of_rank(unsigned mask, unsigned rank)
{
    return mask == 0xffffffffu ? rank : __fns(mask, 0, (int)rank + 1);
}

/* The lanes of a part of `mask`, as ranks. */
GPUGRADE_DEVICE unsigned ranks_of(unsigned mask, unsigned part)
{
    if (mask == 0xffffffffu) {
        return part;
    }
    unsigned ranks = 0;
    for (unsigned rank = 0; mask != 0; mask &= mask - 1, rank++) {
        ranks |= ((part & mask & (0u - mask)) != 0) << rank;
    }
    return ranks;
}

/* A value of any trivial type, each of its words moved by `move`. */
template <class T, class Move> GPUGRADE_DEVICE T shuffled(T value, Move move)
{
    static_assert(sizeof(T) <= 32, "at most 32 bytes are shuffled");
    unsigned words[(sizeof(T) + 3) / 4] = {0};
    __builtin_memcpy(words, &value, sizeof(T));
#pragma unroll
    for (unsigned i = 0; i < sizeof words / 4; i++) {
        words[i] = move(words[i]);
    }
    __builtin_memcpy(&value, words, sizeof(T));
    return value;
}

template <class T> GPUGRADE_DEVICE T from_lane(unsigned mask, T value, unsigned lane)
{
    return shuffled(value, [=](unsigned word)
                               GPUGRADE_INLINE { return __shfl_sync(mask, word, (int)lane, 32); });
}

/* One of the parts that `mask` falls into: parts are numbered by their lowest lanes. */
template <class Group> GPUGRADE_DEVICE Group numbered_part(unsigned mask, unsigned part)
{
    const bool is_first = (part & lanes_below()) == 0;
    const unsigned firsts = __ballot_sync(mask, is_first);
    const unsigned own = part & (0u - part);
    return Group(part, (unsigned)__popc(firsts & (own - 1)), (unsigned)__popc(firsts));
}
} // namespace details
} // namespace cooperative_groups

#endif
