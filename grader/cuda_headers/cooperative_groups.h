/* cooperative_groups.h: groups of threads that wait, vote and shuffle together: blocks, tiles of a
 * warp, the threads that go the same way, and the grid. Not here: tiles of more than a warp,
 * clusters. */
#ifndef GPUGRADE_CUDA_HEADERS_COOPERATIVE_GROUPS_H
#define GPUGRADE_CUDA_HEADERS_COOPERATIVE_GROUPS_H

#include <cuda_runtime.h>

#if defined(__cplusplus) && defined(__CUDA__)
#include <device_code/group_lanes.h>

#define GPUGRADE_GROUP __device__ __inline__ GPUGRADE_INLINE

namespace cooperative_groups
{
/* All threads of a block. */
class thread_block
{
  public:
    struct arrival_token {
    };

    GPUGRADE_GROUP static void sync()
    {
        __barrier_sync(0);
    }
    GPUGRADE_GROUP static arrival_token barrier_arrive()
    {
        return {};
    }
    GPUGRADE_GROUP static void barrier_wait(arrival_token &&)
    {
        sync();
    }
    GPUGRADE_GROUP static unsigned size()
    {
        return blockDim.x * blockDim.y * blockDim.z;
    }
    GPUGRADE_GROUP static unsigned num_threads()
    {
        return size();
    }
    GPUGRADE_GROUP static unsigned thread_rank()
    {
        return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    }
    GPUGRADE_GROUP static dim3 group_index()
    {
        return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
    }
    GPUGRADE_GROUP static dim3 thread_index()
    {
        return dim3(threadIdx.x, threadIdx.y, threadIdx.z);
    }
    GPUGRADE_GROUP static dim3 group_dim()
    {
        return dim3(blockDim.x, blockDim.y, blockDim.z);
    }
    GPUGRADE_GROUP static dim3 dim_threads()
    {
        return group_dim();
    }
};

/* All threads of a cooperative launch. */
class grid_group
{
    unsigned *barrier;

    GPUGRADE_GROUP static unsigned word(unsigned which)
    {
        unsigned value;
        if (which == 1) {
            asm("mov.u32 %0, %%envreg1;" : "=r"(value));
        } else {
            asm("mov.u32 %0, %%envreg2;" : "=r"(value));
        }
        return value;
    }

  public:
    struct arrival_token {
        unsigned before;
    };

    /* The launch's workspace, whose second word is the barrier; null in other launches. */
    GPUGRADE_GROUP grid_group() : barrier((unsigned *)((unsigned long long)word(1) << 32 | word(2)))
    {
    }
    GPUGRADE_GROUP bool is_valid() const
    {
        return barrier != nullptr;
    }
    /* One thread of each block adds to a word whose highest bit changes when all have. */
    GPUGRADE_GROUP arrival_token barrier_arrive() const
    {
        if (!is_valid()) {
            __trap();
        }
        __barrier_sync(0);
        unsigned before = 0;
        if (thread_block::thread_rank() == 0) {
            const bool is_first = blockIdx.x + blockIdx.y + blockIdx.z == 0;
            const unsigned blocks = gridDim.x * gridDim.y * gridDim.z;
            const unsigned part = is_first ? 0x80000000u - (blocks - 1) : 1;
            __threadfence();
            asm volatile("atom.add.release.gpu.u32 %0, [%1], %2;"
                         : "=r"(before)
                         : "l"(barrier + 1), "r"(part)
                         : "memory");
        }
        return {before};
    }
    GPUGRADE_GROUP void barrier_wait(arrival_token &&arrived) const
    {
        if (thread_block::thread_rank() == 0) {
            unsigned now;
            do {
                asm volatile("ld.acquire.gpu.u32 %0, [%1];"
                             : "=r"(now)
                             : "l"(barrier + 1)
                             : "memory");
            } while (((now ^ arrived.before) & 0x80000000u) == 0);
        }
        __barrier_sync(0);
    }
    GPUGRADE_GROUP void sync() const
    {
        barrier_wait(barrier_arrive());
    }
    GPUGRADE_GROUP static unsigned long long num_blocks()
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    GPUGRADE_GROUP static unsigned long long block_rank()
    {
        return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    GPUGRADE_GROUP static unsigned long long size()
    {
        return num_blocks() * thread_block::size();
    }
    GPUGRADE_GROUP static unsigned long long num_threads()
    {
        return size();
    }
    GPUGRADE_GROUP static unsigned long long thread_rank()
    {
        return block_rank() * thread_block::size() + thread_block::thread_rank();
    }
    GPUGRADE_GROUP static dim3 block_index()
    {
        return thread_block::group_index();
    }
    GPUGRADE_GROUP static dim3 thread_index()
    {
        return dim3(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
                    blockIdx.z * blockDim.z + threadIdx.z);
    }
    GPUGRADE_GROUP static dim3 group_dim()
    {
        return dim_blocks();
    }
    GPUGRADE_GROUP static dim3 dim_blocks()
    {
        return dim3(gridDim.x, gridDim.y, gridDim.z);
    }
};

/* Some threads of a warp, which `mask` names. Rank 0 has the lowest lane. */
class coalesced_group
{
    unsigned mask, rank_in_parent, parts_of_parent;

  public:
    GPUGRADE_GROUP explicit coalesced_group(unsigned lanes, unsigned part = 0, unsigned parts = 1)
        : mask(lanes), rank_in_parent(part), parts_of_parent(parts)
    {
    }
    GPUGRADE_GROUP unsigned gpugrade_mask() const
    {
        return mask;
    }
    GPUGRADE_GROUP void sync() const
    {
        __syncwarp(mask);
    }
    GPUGRADE_GROUP unsigned size() const
    {
        return (unsigned)__popc(mask);
    }
    GPUGRADE_GROUP unsigned num_threads() const
    {
        return size();
    }
    GPUGRADE_GROUP unsigned thread_rank() const
    {
        return (unsigned)__popc(mask & details::lanes_below());
    }
    GPUGRADE_GROUP unsigned meta_group_rank() const
    {
        return rank_in_parent;
    }
    GPUGRADE_GROUP unsigned meta_group_size() const
    {
        return parts_of_parent;
    }
    template <class T> GPUGRADE_GROUP T shfl(T value, unsigned rank) const
    {
        return details::from_lane(mask, value, details::lane_of_rank(mask, rank));
    }
    /* A thread with none that far up or down gets its own value. */
    template <class T> GPUGRADE_GROUP T shfl_down(T value, unsigned delta) const
    {
        const unsigned lane = __fns(mask, details::lane(), (int)delta + 1);
        return details::from_lane(mask, value, lane < 32 ? lane : details::lane());
    }
    template <class T> GPUGRADE_GROUP T shfl_up(T value, unsigned delta) const
    {
        const unsigned lane = __fns(mask, details::lane(), -((int)delta + 1));
        return details::from_lane(mask, value, lane < 32 ? lane : details::lane());
    }
    GPUGRADE_GROUP int any(int predicate) const
    {
        return __ballot_sync(mask, predicate) != 0;
    }
    GPUGRADE_GROUP int all(int predicate) const
    {
        return __ballot_sync(mask, predicate) == mask;
    }
    /* Bits are ranks, as in match_any and match_all. */
    GPUGRADE_GROUP unsigned ballot(int predicate) const
    {
        return details::ranks_of(mask, __ballot_sync(mask, predicate));
    }
    template <class T> GPUGRADE_GROUP unsigned match_any(T value) const
    {
        return details::ranks_of(mask, __match_any_sync(mask, value));
    }
    template <class T> GPUGRADE_GROUP unsigned match_all(T value, int &all) const
    {
        return details::ranks_of(mask, __match_all_sync(mask, value, &all));
    }
};

/* Size threads of a warp that lie side by side; a power of two, 32 at most. */
template <unsigned Size, class Parent = void> class thread_block_tile
{
    static_assert(Size > 0 && Size <= 32 && (Size & (Size - 1)) == 0,
                  "a tile has 1, 2, 4, 8, 16 or 32 threads");
    unsigned rank_in_parent, parts_of_parent;

  public:
    GPUGRADE_GROUP explicit thread_block_tile(unsigned part, unsigned parts)
        : rank_in_parent(part), parts_of_parent(parts)
    {
    }
    template <class Other>
    GPUGRADE_GROUP thread_block_tile(const thread_block_tile<Size, Other> &tile)
        : rank_in_parent(tile.meta_group_rank()), parts_of_parent(tile.meta_group_size())
    {
    }
    GPUGRADE_GROUP static unsigned gpugrade_mask()
    {
        return Size == 32 ? 0xffffffffu
                          : ((1u << (Size & 31)) - 1) << (details::lane() & ~(Size - 1));
    }
    GPUGRADE_GROUP static void sync()
    {
        __syncwarp(gpugrade_mask());
    }
    GPUGRADE_GROUP static constexpr unsigned size()
    {
        return Size;
    }
    GPUGRADE_GROUP static constexpr unsigned num_threads()
    {
        return Size;
    }
    GPUGRADE_GROUP static unsigned thread_rank()
    {
        return details::lane() & (Size - 1);
    }
    GPUGRADE_GROUP unsigned meta_group_rank() const
    {
        return rank_in_parent;
    }
    GPUGRADE_GROUP unsigned meta_group_size() const
    {
        return parts_of_parent;
    }
    template <class T> GPUGRADE_GROUP T shfl(T value, int rank) const
    {
        return details::shuffled(value, [=](unsigned word) GPUGRADE_INLINE {
            return __shfl_sync(gpugrade_mask(), word, rank, Size);
        });
    }
    template <class T> GPUGRADE_GROUP T shfl_down(T value, unsigned delta) const
    {
        return details::shuffled(value, [=](unsigned word) GPUGRADE_INLINE {
            return __shfl_down_sync(gpugrade_mask(), word, delta, Size);
        });
    }
    template <class T> GPUGRADE_GROUP T shfl_up(T value, unsigned delta) const
    {
        return details::shuffled(value, [=](unsigned word) GPUGRADE_INLINE {
            return __shfl_up_sync(gpugrade_mask(), word, delta, Size);
        });
    }
    template <class T> GPUGRADE_GROUP T shfl_xor(T value, unsigned lanes) const
    {
        return details::shuffled(value, [=](unsigned word) GPUGRADE_INLINE {
            return __shfl_xor_sync(gpugrade_mask(), word, (int)lanes, Size);
        });
    }
    GPUGRADE_GROUP int any(int predicate) const
    {
        return __ballot_sync(gpugrade_mask(), predicate) != 0;
    }
    GPUGRADE_GROUP int all(int predicate) const
    {
        return __ballot_sync(gpugrade_mask(), predicate) == gpugrade_mask();
    }
    GPUGRADE_GROUP unsigned ballot(int predicate) const
    {
        return __ballot_sync(gpugrade_mask(), predicate) >> (details::lane() & ~(Size - 1));
    }
    template <class T> GPUGRADE_GROUP unsigned match_any(T value) const
    {
        return __match_any_sync(gpugrade_mask(), value) >> (details::lane() & ~(Size - 1));
    }
    template <class T> GPUGRADE_GROUP unsigned match_all(T value, int &all) const
    {
        return __match_all_sync(gpugrade_mask(), value, &all) >> (details::lane() & ~(Size - 1));
    }
};

/* Any of the groups above but a grid. */
class thread_group
{
    enum { BLOCK, WARP } kind;
    unsigned mask, rank_in_parent, parts_of_parent;

  public:
    GPUGRADE_GROUP thread_group(const thread_block &)
        : kind(BLOCK), mask(0), rank_in_parent(0), parts_of_parent(1)
    {
    }
    GPUGRADE_GROUP thread_group(const coalesced_group &group)
        : kind(WARP), mask(group.gpugrade_mask()), rank_in_parent(group.meta_group_rank()),
          parts_of_parent(group.meta_group_size())
    {
    }
    template <unsigned Size, class Parent>
    GPUGRADE_GROUP thread_group(const thread_block_tile<Size, Parent> &tile)
        : kind(WARP), mask(tile.gpugrade_mask()), rank_in_parent(tile.meta_group_rank()),
          parts_of_parent(tile.meta_group_size())
    {
    }
    GPUGRADE_GROUP bool gpugrade_is_block() const
    {
        return kind == BLOCK;
    }
    GPUGRADE_GROUP coalesced_group gpugrade_lanes() const
    {
        return coalesced_group(mask, rank_in_parent, parts_of_parent);
    }
    GPUGRADE_GROUP void sync() const
    {
        if (kind == BLOCK) {
            thread_block::sync();
        } else {
            __syncwarp(mask);
        }
    }
    GPUGRADE_GROUP unsigned long long size() const
    {
        return kind == BLOCK ? thread_block::size() : gpugrade_lanes().size();
    }
    GPUGRADE_GROUP unsigned long long num_threads() const
    {
        return size();
    }
    GPUGRADE_GROUP unsigned long long thread_rank() const
    {
        return kind == BLOCK ? thread_block::thread_rank() : gpugrade_lanes().thread_rank();
    }
};

/* The group that the calling thread is in. */
GPUGRADE_DEVICE thread_block this_thread_block()
{
    return thread_block();
}
GPUGRADE_DEVICE grid_group this_grid()
{
    return grid_group();
}
GPUGRADE_DEVICE thread_block_tile<1> this_thread()
{
    return thread_block_tile<1>(0, 1);
}
GPUGRADE_DEVICE coalesced_group coalesced_threads()
{
    return coalesced_group(__activemask());
}

/* Parts of a group. */
template <unsigned Size>
GPUGRADE_DEVICE thread_block_tile<Size, thread_block> tiled_partition(const thread_block &block)
{
    return thread_block_tile<Size, thread_block>(block.thread_rank() / Size,
                                                 (block.size() + Size - 1) / Size);
}
template <unsigned Size, unsigned ParentSize, class Parent>
GPUGRADE_DEVICE thread_block_tile<Size, thread_block_tile<ParentSize, Parent>>
tiled_partition(const thread_block_tile<ParentSize, Parent> &tile)
{
    static_assert(Size <= ParentSize, "a part is no larger than the group");
    return thread_block_tile<Size, thread_block_tile<ParentSize, Parent>>(tile.thread_rank() / Size,
                                                                          ParentSize / Size);
}
GPUGRADE_DEVICE coalesced_group tiled_partition(const coalesced_group &group, unsigned size)
{
    const unsigned first = group.thread_rank() / size * size;
    unsigned lanes = 0;
    for (unsigned rank = first; rank < first + size && rank < group.size(); rank++) {
        lanes |= 1u << details::lane_of_rank(group.gpugrade_mask(), rank);
    }
    return coalesced_group(lanes, first / size, (group.size() + size - 1) / size);
}
GPUGRADE_DEVICE thread_group tiled_partition(const thread_group &group, unsigned size)
{
    if (!group.gpugrade_is_block()) {
        return tiled_partition(group.gpugrade_lanes(), size);
    }
    const unsigned lanes = size >= 32 ? 0xffffffffu : (1u << size) - 1;
    return coalesced_group(lanes << (details::lane() & ~(size - 1)),
                           thread_block::thread_rank() / size,
                           (thread_block::size() + size - 1) / size);
}
template <class Group, class Label>
GPUGRADE_DEVICE coalesced_group labeled_partition(const Group &group, Label label)
{
    const unsigned mask = group.gpugrade_mask();
    return details::numbered_part<coalesced_group>(mask, __match_any_sync(mask, label));
}
template <class Group>
GPUGRADE_DEVICE coalesced_group binary_partition(const Group &group, bool side)
{
    const unsigned mask = group.gpugrade_mask();
    const unsigned with = __ballot_sync(mask, side);
    return coalesced_group(side ? with : mask & ~with, side, 2);
}

/* The same for groups of any type. */
template <class Group> GPUGRADE_DEVICE void sync(const Group &group)
{
    group.sync();
}
template <class Group> GPUGRADE_DEVICE auto thread_rank(const Group &group)
{
    return group.thread_rank();
}
template <class Group> GPUGRADE_DEVICE auto group_size(const Group &group)
{
    return group.num_threads();
}

/* Calls a function in one thread of the group. */
template <class Group, class Function, class... Arguments>
GPUGRADE_DEVICE void invoke_one(const Group &group, Function &&function, Arguments &&...arguments)
{
    if (group.thread_rank() == 0) {
        function(std::forward<Arguments>(arguments)...);
    }
}
template <class Group, class Function, class... Arguments>
GPUGRADE_DEVICE auto invoke_one_broadcast(const Group &group, Function &&function,
                                          Arguments &&...arguments)
{
    decltype(function(std::forward<Arguments>(arguments)...)) result{};
    if (group.thread_rank() == 0) {
        result = function(std::forward<Arguments>(arguments)...);
    }
    return group.shfl(result, 0);
}
} // namespace cooperative_groups
#undef GPUGRADE_GROUP
#endif

#endif
