/* warp_intrinsics.h: what the threads of a warp do together: wait, vote, shuffle, match, reduce;
 * and named barriers. `mask` names the threads that take part. */
#ifndef GPUGRADE_CUDA_HEADERS_WARP_INTRINSICS_H
#define GPUGRADE_CUDA_HEADERS_WARP_INTRINSICS_H

GPUGRADE_DEVICE void __syncwarp(unsigned mask = 0xffffffff)
{
    __nvvm_bar_warp_sync(mask);
}
GPUGRADE_DEVICE void __barrier_sync(unsigned id)
{
    __nvvm_barrier_sync(id);
}
GPUGRADE_DEVICE void __barrier_sync_count(unsigned id, unsigned threads)
{
    __nvvm_barrier_sync_cnt(id, threads);
}

/* Votes. */
GPUGRADE_DEVICE int __all_sync(unsigned mask, int predicate)
{
    return __nvvm_vote_all_sync(mask, predicate);
}
GPUGRADE_DEVICE int __any_sync(unsigned mask, int predicate)
{
    return __nvvm_vote_any_sync(mask, predicate);
}
GPUGRADE_DEVICE int __uni_sync(unsigned mask, int predicate)
{
    return __nvvm_vote_uni_sync(mask, predicate);
}
GPUGRADE_DEVICE unsigned __ballot_sync(unsigned mask, int predicate)
{
    return __nvvm_vote_ballot_sync(mask, predicate);
}
GPUGRADE_DEVICE unsigned __activemask()
{
    unsigned mask;
    asm volatile("activemask.b32 %0;" : "=r"(mask));
    return mask;
}

/* Shuffles of all types that have 32 or 64 bits. `width` threads, a power of two, shuffle among
 * themselves; the last operand of the instruction says so, and how far up or down is too far. */
#define GPUGRADE_SHUFFLE_BITS(name, builtin, last, from)                                           \
    GPUGRADE_DEVICE unsigned __gpugrade_##name(unsigned mask, unsigned bits, from source,          \
                                               int width)                                          \
    {                                                                                              \
        return (unsigned)builtin(mask, (int)bits, (int)source, (32 - width) << 8 | (last));        \
    }                                                                                              \
    GPUGRADE_DEVICE unsigned long long __gpugrade_##name(unsigned mask, unsigned long long bits,   \
                                                         from source, int width)                   \
    {                                                                                              \
        unsigned low = __gpugrade_##name(mask, (unsigned)bits, source, width);                     \
        unsigned high = __gpugrade_##name(mask, (unsigned)(bits >> 32), source, width);            \
        return (unsigned long long)high << 32 | low;                                               \
    }
#define GPUGRADE_SHUFFLE(name, from, type, holder)                                                 \
    GPUGRADE_DEVICE type name(unsigned mask, type value, from source, int width = 32)              \
    {                                                                                              \
        return __builtin_bit_cast(                                                                 \
            type, __gpugrade_##name(mask, __builtin_bit_cast(holder, value), source, width));      \
    }
#define GPUGRADE_SHUFFLES(name, builtin, last, from)                                               \
    GPUGRADE_SHUFFLE_BITS(name, builtin, last, from)                                               \
    GPUGRADE_SHUFFLE(name, from, int, unsigned)                                                    \
    GPUGRADE_SHUFFLE(name, from, unsigned, unsigned)                                               \
    GPUGRADE_SHUFFLE(name, from, float, unsigned)                                                  \
    GPUGRADE_SHUFFLE(name, from, long, unsigned long long)                                         \
    GPUGRADE_SHUFFLE(name, from, unsigned long, unsigned long long)                                \
    GPUGRADE_SHUFFLE(name, from, long long, unsigned long long)                                    \
    GPUGRADE_SHUFFLE(name, from, unsigned long long, unsigned long long)                           \
    GPUGRADE_SHUFFLE(name, from, double, unsigned long long)

GPUGRADE_SHUFFLES(__shfl_sync, __nvvm_shfl_sync_idx_i32, 0x1f, int)
GPUGRADE_SHUFFLES(__shfl_up_sync, __nvvm_shfl_sync_up_i32, 0, unsigned)
GPUGRADE_SHUFFLES(__shfl_down_sync, __nvvm_shfl_sync_down_i32, 0x1f, unsigned)
GPUGRADE_SHUFFLES(__shfl_xor_sync, __nvvm_shfl_sync_bfly_i32, 0x1f, int)
#undef GPUGRADE_SHUFFLE_BITS
#undef GPUGRADE_SHUFFLE
#undef GPUGRADE_SHUFFLES

/* Which threads have the same value, compared bit by bit. */
#define GPUGRADE_MATCH(type, bits, holder)                                                         \
    GPUGRADE_DEVICE unsigned __match_any_sync(unsigned mask, type value)                           \
    {                                                                                              \
        unsigned same;                                                                             \
        asm volatile("match.any.sync.b" #bits " %0, %1, %2;"                                       \
                     : "=r"(same)                                                                  \
                     : holder(value), "r"(mask));                                                  \
        return same;                                                                               \
    }                                                                                              \
    GPUGRADE_DEVICE unsigned __match_all_sync(unsigned mask, type value, int *all)                 \
    {                                                                                              \
        unsigned same;                                                                             \
        int predicate;                                                                             \
        asm volatile("{.reg .pred p; match.all.sync.b" #bits " %0|p, %2, %3; selp.s32 %1, 1, 0, "  \
                     "p;}"                                                                         \
                     : "=r"(same), "=r"(predicate)                                                 \
                     : holder(value), "r"(mask));                                                  \
        *all = predicate;                                                                          \
        return same;                                                                               \
    }
#define GPUGRADE_BITS_32(value) "r"(__builtin_bit_cast(unsigned, value))
#define GPUGRADE_BITS_64(value) "l"(__builtin_bit_cast(unsigned long long, value))
GPUGRADE_MATCH(int, 32, GPUGRADE_BITS_32)
GPUGRADE_MATCH(unsigned, 32, GPUGRADE_BITS_32)
GPUGRADE_MATCH(float, 32, GPUGRADE_BITS_32)
GPUGRADE_MATCH(long, 64, GPUGRADE_BITS_64)
GPUGRADE_MATCH(unsigned long, 64, GPUGRADE_BITS_64)
GPUGRADE_MATCH(long long, 64, GPUGRADE_BITS_64)
GPUGRADE_MATCH(unsigned long long, 64, GPUGRADE_BITS_64)
GPUGRADE_MATCH(double, 64, GPUGRADE_BITS_64)
#undef GPUGRADE_MATCH
#undef GPUGRADE_BITS_32
#undef GPUGRADE_BITS_64

/* Reductions in one instruction, which devices of 8.0 and newer have. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define GPUGRADE_REDUCE(name, type, ptx)                                                           \
    GPUGRADE_DEVICE type name(unsigned mask, type value)                                           \
    {                                                                                              \
        type result;                                                                               \
        asm volatile("redux.sync." ptx " %0, %1, %2;" : "=r"(result) : "r"(value), "r"(mask));     \
        return result;                                                                             \
    }
GPUGRADE_REDUCE(__reduce_add_sync, unsigned, "add.u32")
GPUGRADE_REDUCE(__reduce_add_sync, int, "add.s32")
GPUGRADE_REDUCE(__reduce_min_sync, unsigned, "min.u32")
GPUGRADE_REDUCE(__reduce_min_sync, int, "min.s32")
GPUGRADE_REDUCE(__reduce_max_sync, unsigned, "max.u32")
GPUGRADE_REDUCE(__reduce_max_sync, int, "max.s32")
GPUGRADE_REDUCE(__reduce_and_sync, unsigned, "and.b32")
GPUGRADE_REDUCE(__reduce_or_sync, unsigned, "or.b32")
GPUGRADE_REDUCE(__reduce_xor_sync, unsigned, "xor.b32")
#undef GPUGRADE_REDUCE
#endif

#endif
