/* integer_intrinsics.h: shifts of two words, dot products of bytes, and what an address points
 * into. */
#ifndef GPUGRADE_CUDA_HEADERS_INTEGER_INTRINSICS_H
#define GPUGRADE_CUDA_HEADERS_INTEGER_INTRINSICS_H

/* 32 bits of high:low, shifted by 0 to 31 (or, clamped, to 32) bits. */
#define GPUGRADE_FUNNEL(name, ptx)                                                                 \
    GPUGRADE_DEVICE unsigned name(unsigned low, unsigned high, unsigned shift)                     \
    {                                                                                              \
        unsigned result;                                                                           \
        asm("shf." ptx ".b32 %0, %1, %2, %3;" : "=r"(result) : "r"(low), "r"(high), "r"(shift));   \
        return result;                                                                             \
    }
GPUGRADE_FUNNEL(__funnelshift_l, "l.wrap")
GPUGRADE_FUNNEL(__funnelshift_lc, "l.clamp")
GPUGRADE_FUNNEL(__funnelshift_r, "r.wrap")
GPUGRADE_FUNNEL(__funnelshift_rc, "r.clamp")
#undef GPUGRADE_FUNNEL

/* sum + the products of the four bytes of a and b, or of two halves of a with two bytes of b. */
#define GPUGRADE_DOT(name, ptx, wide, narrow, word, as_word, as_narrow)                            \
    GPUGRADE_DEVICE word name(word a, word b, word sum)                                            \
    {                                                                                              \
        word result;                                                                               \
        asm(ptx " %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(sum));                     \
        return result;                                                                             \
    }                                                                                              \
    GPUGRADE_DEVICE word name(wide a, narrow b, word sum)                                          \
    {                                                                                              \
        return name(as_word, as_narrow, sum);                                                      \
    }
#define GPUGRADE_WORD_OF(word, v) __builtin_bit_cast(word, v)
GPUGRADE_DOT(__dp4a, "dp4a.s32.s32", char4, char4, int, GPUGRADE_WORD_OF(int, a),
             GPUGRADE_WORD_OF(int, b))
GPUGRADE_DOT(__dp4a, "dp4a.u32.u32", uchar4, uchar4, unsigned, GPUGRADE_WORD_OF(unsigned, a),
             GPUGRADE_WORD_OF(unsigned, b))
GPUGRADE_DOT(__dp2a_lo, "dp2a.lo.s32.s32", short2, char4, int, GPUGRADE_WORD_OF(int, a),
             GPUGRADE_WORD_OF(int, b))
GPUGRADE_DOT(__dp2a_lo, "dp2a.lo.u32.u32", ushort2, uchar4, unsigned, GPUGRADE_WORD_OF(unsigned, a),
             GPUGRADE_WORD_OF(unsigned, b))
GPUGRADE_DOT(__dp2a_hi, "dp2a.hi.s32.s32", short2, char4, int, GPUGRADE_WORD_OF(int, a),
             GPUGRADE_WORD_OF(int, b))
GPUGRADE_DOT(__dp2a_hi, "dp2a.hi.u32.u32", ushort2, uchar4, unsigned, GPUGRADE_WORD_OF(unsigned, a),
             GPUGRADE_WORD_OF(unsigned, b))
#undef GPUGRADE_DOT
#undef GPUGRADE_WORD_OF

/* Where the n-th set bit of value at or above (offset > 0) or below `base` is; 0xffffffff if there
 * is none. */
GPUGRADE_DEVICE unsigned __fns(unsigned value, unsigned base, int offset)
{
    if (offset == 0) {
        return value >> base & 1 ? base : 0xffffffff;
    }
    int step = offset > 0 ? 1 : -1, left = offset > 0 ? offset : -offset;
    for (int bit = (int)base; bit >= 0 && bit < 32; bit += step) {
        if (value >> bit & 1 && --left == 0) {
            return (unsigned)bit;
        }
    }
    return 0xffffffff;
}

/* Which memory a generic address points into, and addresses of one memory alone. */
#define GPUGRADE_SPACE(is_in, to_space, to_generic, builtin, number)                               \
    GPUGRADE_DEVICE unsigned is_in(const void *pointer)                                            \
    {                                                                                              \
        return (unsigned)builtin(pointer);                                                         \
    }                                                                                              \
    GPUGRADE_DEVICE size_t to_space(const void *pointer)                                           \
    {                                                                                              \
        return (size_t)(const __attribute__((address_space(number))) void *)pointer;               \
    }                                                                                              \
    GPUGRADE_DEVICE void *to_generic(size_t address)                                               \
    {                                                                                              \
        return (void *)(__attribute__((address_space(number))) void *)address;                     \
    }
GPUGRADE_SPACE(__isGlobal, __cvta_generic_to_global, __cvta_global_to_generic,
               __nvvm_isspacep_global, 1)
GPUGRADE_SPACE(__isShared, __cvta_generic_to_shared, __cvta_shared_to_generic,
               __nvvm_isspacep_shared, 3)
GPUGRADE_SPACE(__isConstant, __cvta_generic_to_constant, __cvta_constant_to_generic,
               __nvvm_isspacep_const, 4)
GPUGRADE_SPACE(__isLocal, __cvta_generic_to_local, __cvta_local_to_generic, __nvvm_isspacep_local,
               5)
#undef GPUGRADE_SPACE

#endif
