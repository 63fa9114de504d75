/* lane_intrinsics.h: the functions of libdevice that __vadd2, __vmaxu4 and so on call: they take
 * words as two halves or four bytes. */
#ifndef GPUGRADE_CUDA_HEADERS_LANE_INTRINSICS_H
#define GPUGRADE_CUDA_HEADERS_LANE_INTRINSICS_H

/* A lane: the bits of a word from `at` on, with a sign (s) or without (u); the numbers it holds. */
#define GPUGRADE_LANE_s(word, at, bits) ((int)((word) << (32 - (bits) - (at))) >> (32 - (bits)))
#define GPUGRADE_LANE_u(word, at, bits) ((int)((word) >> (at) & ((1u << (bits)) - 1)))
#define GPUGRADE_HELD_s(value, bits)                                                               \
    ((value) < -(1 << ((bits)-1))      ? -(1 << ((bits)-1))                                        \
     : (value) > (1 << ((bits)-1)) - 1 ? (1 << ((bits)-1)) - 1                                     \
                                       : (value))
#define GPUGRADE_HELD_u(value, bits)                                                               \
    ((value) < 0 ? 0 : (value) > (1 << (bits)) - 1 ? (1 << (bits)) - 1 : (value))

/* A function of words a and b: the sum of the parts that lanes x and y give. */
#define GPUGRADE_WORDS(name, lanes, parameters, sign, part)                                        \
    extern "C"                                                                                     \
        __attribute__((device, always_inline, nodebug)) inline int __nv_v##name##lanes parameters  \
    {                                                                                              \
        const int bits = 32 / lanes;                                                               \
        const unsigned a = (unsigned)first, b = (unsigned)second;                                  \
        unsigned result = 0;                                                                       \
        _Pragma("unroll") for (int at = 0; at < 32; at += bits)                                    \
        {                                                                                          \
            const int x = GPUGRADE_LANE_##sign(a, at, bits);                                       \
            const int y = GPUGRADE_LANE_##sign(b, at, bits);                                       \
            result += (unsigned)(part);                                                            \
        }                                                                                          \
        return (int)result;                                                                        \
    }
#define GPUGRADE_BOTH(name, sign, part)                                                            \
    GPUGRADE_WORDS(name, 2, (int first, int second), sign, part)                                   \
    GPUGRADE_WORDS(name, 4, (int first, int second), sign, part)
/* ... whose lanes are the value, cut off. */
#define GPUGRADE_LANES(name, sign, value)                                                          \
    GPUGRADE_BOTH(name, sign, ((unsigned)(value) & ((1u << bits) - 1)) << at)
#define GPUGRADE_COMPARISON(name, sign, operation)                                                 \
    GPUGRADE_LANES(cmp##name, sign, x operation y ? -1 : 0)                                        \
    GPUGRADE_LANES(set##name, sign, x operation y)
#define GPUGRADE_OF_ONE(name, of_two, first, second)                                               \
    extern "C" __attribute__((device, always_inline, nodebug)) inline int __nv_v##name(int a)      \
    {                                                                                              \
        return __nv_v##of_two(first, second);                                                      \
    }

GPUGRADE_LANES(add, u, x + y)
GPUGRADE_LANES(addus, u, GPUGRADE_HELD_u(x + y, bits))
GPUGRADE_LANES(addss, s, GPUGRADE_HELD_s(x + y, bits))
GPUGRADE_LANES(sub, u, x - y)
GPUGRADE_LANES(subus, u, GPUGRADE_HELD_u(x - y, bits))
GPUGRADE_LANES(subss, s, GPUGRADE_HELD_s(x - y, bits))
GPUGRADE_LANES(avgu, u, (x + y + 1) >> 1)
GPUGRADE_LANES(avgs, s, (x + y + (x + y >= 0)) >> 1)
GPUGRADE_LANES(haddu, u, (x + y) >> 1)
GPUGRADE_LANES(maxu, u, x > y ? x : y)
GPUGRADE_LANES(maxs, s, x > y ? x : y)
GPUGRADE_LANES(minu, u, x < y ? x : y)
GPUGRADE_LANES(mins, s, x < y ? x : y)
GPUGRADE_LANES(absdiffu, u, x > y ? x - y : y - x)
GPUGRADE_LANES(absdiffs, s, x > y ? x - y : y - x)
GPUGRADE_BOTH(sadu, u, x > y ? x - y : y - x)
GPUGRADE_BOTH(sads, s, x > y ? x - y : y - x)
GPUGRADE_COMPARISON(eq, u, ==)
GPUGRADE_COMPARISON(ne, u, !=)
GPUGRADE_COMPARISON(gtu, u, >)
GPUGRADE_COMPARISON(geu, u, >=)
GPUGRADE_COMPARISON(ltu, u, <)
GPUGRADE_COMPARISON(leu, u, <=)
GPUGRADE_COMPARISON(gts, s, >)
GPUGRADE_COMPARISON(ges, s, >=)
GPUGRADE_COMPARISON(lts, s, <)
GPUGRADE_COMPARISON(les, s, <=)
GPUGRADE_OF_ONE(neg2, sub2, 0, a)
GPUGRADE_OF_ONE(neg4, sub4, 0, a)
GPUGRADE_OF_ONE(negss2, subss2, 0, a)
GPUGRADE_OF_ONE(negss4, subss4, 0, a)
GPUGRADE_OF_ONE(abs2, absdiffs2, a, 0)
GPUGRADE_OF_ONE(abs4, absdiffs4, a, 0)
GPUGRADE_OF_ONE(absss2, maxs2, a, __nv_vsubss2(0, a))
GPUGRADE_OF_ONE(absss4, maxs4, a, __nv_vsubss4(0, a))

#undef GPUGRADE_LANE_s
#undef GPUGRADE_LANE_u
#undef GPUGRADE_HELD_s
#undef GPUGRADE_HELD_u
#undef GPUGRADE_WORDS
#undef GPUGRADE_BOTH
#undef GPUGRADE_LANES
#undef GPUGRADE_COMPARISON
#undef GPUGRADE_OF_ONE

#endif
