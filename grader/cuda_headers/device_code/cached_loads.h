/* cached_loads.h: loads and stores that say how they use the caches: __ldg, __ldcg, __stwt and so
 * on, of numbers and of vectors of two and four. */
#ifndef GPUGRADE_CUDA_HEADERS_CACHED_LOADS_H
#define GPUGRADE_CUDA_HEADERS_CACHED_LOADS_H

/* X(name, how, clobber, type, element of a vector, PTX type, register of the element, what the
 * register holds) */
#define GPUGRADE_NUMBERS(X, name, how, clobber)                                                    \
    X(name, how, clobber, char, "s8", "r", int)                                                    \
    X(name, how, clobber, signed char, "s8", "r", int)                                             \
    X(name, how, clobber, unsigned char, "u8", "r", unsigned)                                      \
    X(name, how, clobber, short, "s16", "h", short)                                                \
    X(name, how, clobber, unsigned short, "u16", "h", unsigned short)                              \
    X(name, how, clobber, int, "s32", "r", int)                                                    \
    X(name, how, clobber, unsigned, "u32", "r", unsigned)                                          \
    X(name, how, clobber, long, "s64", "l", long)                                                  \
    X(name, how, clobber, unsigned long, "u64", "l", unsigned long)                                \
    X(name, how, clobber, long long, "s64", "l", long long)                                        \
    X(name, how, clobber, unsigned long long, "u64", "l", unsigned long long)                      \
    X(name, how, clobber, float, "f32", "f", float)                                                \
    X(name, how, clobber, double, "f64", "d", double)
#define GPUGRADE_PAIRS(X, name, how, clobber)                                                      \
    X(name, how, clobber, char2, signed char, "s8", "r", int)                                      \
    X(name, how, clobber, uchar2, unsigned char, "u8", "r", unsigned)                              \
    X(name, how, clobber, short2, short, "s16", "h", short)                                        \
    X(name, how, clobber, ushort2, unsigned short, "u16", "h", unsigned short)                     \
    X(name, how, clobber, int2, int, "s32", "r", int)                                              \
    X(name, how, clobber, uint2, unsigned, "u32", "r", unsigned)                                   \
    X(name, how, clobber, longlong2, long long, "s64", "l", long long)                             \
    X(name, how, clobber, ulonglong2, unsigned long long, "u64", "l", unsigned long long)          \
    X(name, how, clobber, float2, float, "f32", "f", float)                                        \
    X(name, how, clobber, double2, double, "f64", "d", double)
#define GPUGRADE_QUADS(X, name, how, clobber)                                                      \
    X(name, how, clobber, char4, signed char, "s8", "r", int)                                      \
    X(name, how, clobber, uchar4, unsigned char, "u8", "r", unsigned)                              \
    X(name, how, clobber, short4, short, "s16", "h", short)                                        \
    X(name, how, clobber, ushort4, unsigned short, "u16", "h", unsigned short)                     \
    X(name, how, clobber, int4, int, "s32", "r", int)                                              \
    X(name, how, clobber, uint4, unsigned, "u32", "r", unsigned)                                   \
    X(name, how, clobber, float4, float, "f32", "f", float)

#define GPUGRADE_LOAD(name, how, clobber, type, ptx, in, value)                                    \
    GPUGRADE_DEVICE type name(const type *pointer)                                                 \
    {                                                                                              \
        value x;                                                                                   \
        asm volatile("ld.global." how "." ptx " %0, [%1];" : "=" in(x) : "l"(pointer)clobber);     \
        return (type)x;                                                                            \
    }
#define GPUGRADE_LOAD_PAIR(name, how, clobber, type, element, ptx, in, value)                      \
    GPUGRADE_DEVICE type name(const type *pointer)                                                 \
    {                                                                                              \
        value x, y;                                                                                \
        asm volatile("ld.global." how ".v2." ptx " {%0, %1}, [%2];"                                \
                     : "=" in(x), "=" in(y)                                                        \
                     : "l"(pointer)clobber);                                                       \
        return type{(element)x, (element)y};                                                       \
    }
#define GPUGRADE_LOAD_QUAD(name, how, clobber, type, element, ptx, in, value)                      \
    GPUGRADE_DEVICE type name(const type *pointer)                                                 \
    {                                                                                              \
        value x, y, z, w;                                                                          \
        asm volatile("ld.global." how ".v4." ptx " {%0, %1, %2, %3}, [%4];"                        \
                     : "=" in(x), "=" in(y), "=" in(z), "=" in(w)                                  \
                     : "l"(pointer)clobber);                                                       \
        return type{(element)x, (element)y, (element)z, (element)w};                               \
    }
#define GPUGRADE_STORE(name, how, clobber, type, ptx, in, value)                                   \
    GPUGRADE_DEVICE void name(type *pointer, type x)                                               \
    {                                                                                              \
        asm volatile("st.global." how "." ptx " [%0], %1;" ::"l"(pointer), in((value)x)            \
                     : "memory");                                                                  \
    }
#define GPUGRADE_STORE_PAIR(name, how, clobber, type, element, ptx, in, value)                     \
    GPUGRADE_DEVICE void name(type *pointer, type v)                                               \
    {                                                                                              \
        asm volatile("st.global." how ".v2." ptx " [%0], {%1, %2};" ::"l"(pointer),                \
                     in((value)v.x), in((value)v.y)                                                \
                     : "memory");                                                                  \
    }
#define GPUGRADE_STORE_QUAD(name, how, clobber, type, element, ptx, in, value)                     \
    GPUGRADE_DEVICE void name(type *pointer, type v)                                               \
    {                                                                                              \
        asm volatile("st.global." how ".v4." ptx " [%0], {%1, %2, %3, %4};" ::"l"(pointer),        \
                     in((value)v.x), in((value)v.y), in((value)v.z), in((value)v.w)                \
                     : "memory");                                                                  \
    }
#define GPUGRADE_LOADS(name, how, clobber)                                                         \
    GPUGRADE_NUMBERS(GPUGRADE_LOAD, name, how, clobber)                                            \
    GPUGRADE_PAIRS(GPUGRADE_LOAD_PAIR, name, how, clobber)                                         \
    GPUGRADE_QUADS(GPUGRADE_LOAD_QUAD, name, how, clobber)
#define GPUGRADE_STORES(name, how)                                                                 \
    GPUGRADE_NUMBERS(GPUGRADE_STORE, name, how, )                                                  \
    GPUGRADE_PAIRS(GPUGRADE_STORE_PAIR, name, how, )                                               \
    GPUGRADE_QUADS(GPUGRADE_STORE_QUAD, name, how, )
#define GPUGRADE_CLOBBER : "memory"

/* __ldg reads what no thread writes while the kernel runs. */
GPUGRADE_LOADS(__ldg, "nc", )
GPUGRADE_LOADS(__ldca, "ca", GPUGRADE_CLOBBER)
GPUGRADE_LOADS(__ldcg, "cg", GPUGRADE_CLOBBER)
GPUGRADE_LOADS(__ldcs, "cs", GPUGRADE_CLOBBER)
GPUGRADE_LOADS(__ldcv, "cv", GPUGRADE_CLOBBER)
GPUGRADE_LOADS(__ldlu, "lu", GPUGRADE_CLOBBER)
GPUGRADE_STORES(__stwb, "wb")
GPUGRADE_STORES(__stcg, "cg")
GPUGRADE_STORES(__stcs, "cs")
GPUGRADE_STORES(__stwt, "wt")

#undef GPUGRADE_CLOBBER
#undef GPUGRADE_LOAD
#undef GPUGRADE_LOADS
#undef GPUGRADE_LOAD_PAIR
#undef GPUGRADE_LOAD_QUAD
#undef GPUGRADE_NUMBERS
#undef GPUGRADE_PAIRS
#undef GPUGRADE_QUADS
#undef GPUGRADE_STORE
#undef GPUGRADE_STORES
#undef GPUGRADE_STORE_PAIR
#undef GPUGRADE_STORE_QUAD

#endif
