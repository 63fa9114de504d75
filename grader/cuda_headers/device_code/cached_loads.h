/* cached_loads.h: loads and stores that say how they use the caches: __ldg, __ldcg, __stwt and so
 * on, of numbers and of vectors of two and four. */
#ifndef GPUGRADE_CUDA_HEADERS_CACHED_LOADS_H
#define GPUGRADE_CUDA_HEADERS_CACHED_LOADS_H

/* X(type, element, PTX type, register of the element, what the register holds) */
#define GPUGRADE_NUMBERS(X)                                                                        \
    X(char, "s8", "r", int)                                                                        \
    X(signed char, "s8", "r", int)                                                                 \
    X(unsigned char, "u8", "r", unsigned)                                                          \
    X(short, "s16", "h", short)                                                                    \
    X(unsigned short, "u16", "h", unsigned short)                                                  \
    X(int, "s32", "r", int)                                                                        \
    X(unsigned, "u32", "r", unsigned)                                                              \
    X(long, "s64", "l", long)                                                                      \
    X(unsigned long, "u64", "l", unsigned long)                                                    \
    X(long long, "s64", "l", long long)                                                            \
    X(unsigned long long, "u64", "l", unsigned long long)                                          \
    X(float, "f32", "f", float)                                                                    \
    X(double, "f64", "d", double)
#define GPUGRADE_PAIRS(X)                                                                          \
    X(char2, signed char, "s8", "r", int)                                                          \
    X(uchar2, unsigned char, "u8", "r", unsigned)                                                  \
    X(short2, short, "s16", "h", short)                                                            \
    X(ushort2, unsigned short, "u16", "h", unsigned short)                                         \
    X(int2, int, "s32", "r", int)                                                                  \
    X(uint2, unsigned, "u32", "r", unsigned)                                                       \
    X(longlong2, long long, "s64", "l", long long)                                                 \
    X(ulonglong2, unsigned long long, "u64", "l", unsigned long long)                              \
    X(float2, float, "f32", "f", float)                                                            \
    X(double2, double, "f64", "d", double)
#define GPUGRADE_QUADS(X)                                                                          \
    X(char4, signed char, "s8", "r", int)                                                          \
    X(uchar4, unsigned char, "u8", "r", unsigned)                                                  \
    X(short4, short, "s16", "h", short)                                                            \
    X(ushort4, unsigned short, "u16", "h", unsigned short)                                         \
    X(int4, int, "s32", "r", int)                                                                  \
    X(uint4, unsigned, "u32", "r", unsigned)                                                       \
    X(float4, float, "f32", "f", float)

#define GPUGRADE_LOAD(name, how, type, ptx, in, value, ...)                                        \
    GPUGRADE_DEVICE type name(const type *pointer)                                                 \
    {                                                                                              \
        value x;                                                                                   \
        asm volatile("ld.global." how "." ptx " %0, [%1];" : "=" in(x) : "l"(pointer)__VA_ARGS__); \
        return (type)x;                                                                            \
    }
#define GPUGRADE_LOAD_PAIR(name, how, type, element, ptx, in, value, ...)                          \
    GPUGRADE_DEVICE type name(const type *pointer)                                                 \
    {                                                                                              \
        value x, y;                                                                                \
        asm volatile("ld.global." how ".v2." ptx " {%0, %1}, [%2];"                                \
                     : "=" in(x), "=" in(y)                                                        \
                     : "l"(pointer)__VA_ARGS__);                                                   \
        return type{(element)x, (element)y};                                                       \
    }
#define GPUGRADE_LOAD_QUAD(name, how, type, element, ptx, in, value, ...)                          \
    GPUGRADE_DEVICE type name(const type *pointer)                                                 \
    {                                                                                              \
        value x, y, z, w;                                                                          \
        asm volatile("ld.global." how ".v4." ptx " {%0, %1, %2, %3}, [%4];"                        \
                     : "=" in(x), "=" in(y), "=" in(z), "=" in(w)                                  \
                     : "l"(pointer)__VA_ARGS__);                                                   \
        return type{(element)x, (element)y, (element)z, (element)w};                               \
    }
#define GPUGRADE_STORE(name, how, type, ptx, in, value)                                            \
    GPUGRADE_DEVICE void name(type *pointer, type x)                                               \
    {                                                                                              \
        asm volatile("st.global." how "." ptx " [%0], %1;" ::"l"(pointer), in((value)x)            \
                     : "memory");                                                                  \
    }
#define GPUGRADE_STORE_PAIR(name, how, type, element, ptx, in, value)                              \
    GPUGRADE_DEVICE void name(type *pointer, type v)                                               \
    {                                                                                              \
        asm volatile("st.global." how ".v2." ptx " [%0], {%1, %2};" ::"l"(pointer),                \
                     in((value)v.x), in((value)v.y)                                                \
                     : "memory");                                                                  \
    }
#define GPUGRADE_STORE_QUAD(name, how, type, element, ptx, in, value)                              \
    GPUGRADE_DEVICE void name(type *pointer, type v)                                               \
    {                                                                                              \
        asm volatile("st.global." how ".v4." ptx " [%0], {%1, %2, %3, %4};" ::"l"(pointer),        \
                     in((value)v.x), in((value)v.y), in((value)v.z), in((value)v.w)                \
                     : "memory");                                                                  \
    }
#define GPUGRADE_CLOBBER_MEMORY : "memory"

/* __ldg reads what no thread writes while the kernel runs. */
#define GPUGRADE_LDG(...) GPUGRADE_LOAD(__ldg, "nc", __VA_ARGS__, )
#define GPUGRADE_LDG_PAIR(...) GPUGRADE_LOAD_PAIR(__ldg, "nc", __VA_ARGS__, )
#define GPUGRADE_LDG_QUAD(...) GPUGRADE_LOAD_QUAD(__ldg, "nc", __VA_ARGS__, )
GPUGRADE_NUMBERS(GPUGRADE_LDG)
GPUGRADE_PAIRS(GPUGRADE_LDG_PAIR)
GPUGRADE_QUADS(GPUGRADE_LDG_QUAD)
#undef GPUGRADE_LDG
#undef GPUGRADE_LDG_PAIR
#undef GPUGRADE_LDG_QUAD

#define GPUGRADE_X(...) GPUGRADE_LOAD(__ldca, "ca", __VA_ARGS__, GPUGRADE_CLOBBER_MEMORY)
#define GPUGRADE_X_PAIR(...) GPUGRADE_LOAD_PAIR(__ldca, "ca", __VA_ARGS__, GPUGRADE_CLOBBER_MEMORY)
#define GPUGRADE_X_QUAD(...) GPUGRADE_LOAD_QUAD(__ldca, "ca", __VA_ARGS__, GPUGRADE_CLOBBER_MEMORY)
GPUGRADE_NUMBERS(GPUGRADE_X)
GPUGRADE_PAIRS(GPUGRADE_X_PAIR)
GPUGRADE_QUADS(GPUGRADE_X_QUAD)
#undef GPUGRADE_X
#undef GPUGRADE_X_PAIR
#undef GPUGRADE_X_QUAD

#define GPUGRADE_X(...) GPUGRADE_LOAD(__ldcg, "cg", __VA_ARGS__, GPUGRADE_CLOBBER_MEMORY)
#define GPUGRADE_X_PAIR(...) GPUGRADE_LOAD_PAIR(__ldcg, "cg", __VA_ARGS__, GPUGRADE_CLOBBER_MEMORY)
#define GPUGRADE_X_QUAD(...) GPUGRADE_LOAD_QUAD(__ldcg, "cg", __VA_ARGS__, GPUGRADE_CLOBBER_MEMORY)
GPUGRADE_NUMBERS(GPUGRADE_X)
GPUGRADE_PAIRS(GPUGRADE_X_PAIR)
GPUGRADE_QUADS(GPUGRADE_X_QUAD)
#undef GPUGRADE_X
#undef GPUGRADE_X_PAIR
#undef GPUGRADE_X_QUAD

#define GPUGRADE_X(...) GPUGRADE_LOAD(__ldcs, "cs", __VA_ARGS__, GPUGRADE_CLOBBER_MEMORY)
#define GPUGRADE_X_PAIR(...) GPUGRADE_LOAD_PAIR(__ldcs, "cs", __VA_ARGS__, GPUGRADE_CLOBBER_MEMORY)
#define GPUGRADE_X_QUAD(...) GPUGRADE_LOAD_QUAD(__ldcs, "cs", __VA_ARGS__, GPUGRADE_CLOBBER_MEMORY)
GPUGRADE_NUMBERS(GPUGRADE_X)
GPUGRADE_PAIRS(GPUGRADE_X_PAIR)
GPUGRADE_QUADS(GPUGRADE_X_QUAD)
#undef GPUGRADE_X
#undef GPUGRADE_X_PAIR
#undef GPUGRADE_X_QUAD

#define GPUGRADE_X(...) GPUGRADE_LOAD(__ldcv, "cv", __VA_ARGS__, GPUGRADE_CLOBBER_MEMORY)
#define GPUGRADE_X_PAIR(...) GPUGRADE_LOAD_PAIR(__ldcv, "cv", __VA_ARGS__, GPUGRADE_CLOBBER_MEMORY)
#define GPUGRADE_X_QUAD(...) GPUGRADE_LOAD_QUAD(__ldcv, "cv", __VA_ARGS__, GPUGRADE_CLOBBER_MEMORY)
GPUGRADE_NUMBERS(GPUGRADE_X)
GPUGRADE_PAIRS(GPUGRADE_X_PAIR)
GPUGRADE_QUADS(GPUGRADE_X_QUAD)
#undef GPUGRADE_X
#undef GPUGRADE_X_PAIR
#undef GPUGRADE_X_QUAD

#define GPUGRADE_X(...) GPUGRADE_LOAD(__ldlu, "lu", __VA_ARGS__, GPUGRADE_CLOBBER_MEMORY)
#define GPUGRADE_X_PAIR(...) GPUGRADE_LOAD_PAIR(__ldlu, "lu", __VA_ARGS__, GPUGRADE_CLOBBER_MEMORY)
#define GPUGRADE_X_QUAD(...) GPUGRADE_LOAD_QUAD(__ldlu, "lu", __VA_ARGS__, GPUGRADE_CLOBBER_MEMORY)
GPUGRADE_NUMBERS(GPUGRADE_X)
GPUGRADE_PAIRS(GPUGRADE_X_PAIR)
GPUGRADE_QUADS(GPUGRADE_X_QUAD)
#undef GPUGRADE_X
#undef GPUGRADE_X_PAIR
#undef GPUGRADE_X_QUAD

#define GPUGRADE_X(...) GPUGRADE_STORE(__stwb, "wb", __VA_ARGS__)
#define GPUGRADE_X_PAIR(...) GPUGRADE_STORE_PAIR(__stwb, "wb", __VA_ARGS__)
#define GPUGRADE_X_QUAD(...) GPUGRADE_STORE_QUAD(__stwb, "wb", __VA_ARGS__)
GPUGRADE_NUMBERS(GPUGRADE_X)
GPUGRADE_PAIRS(GPUGRADE_X_PAIR)
GPUGRADE_QUADS(GPUGRADE_X_QUAD)
#undef GPUGRADE_X
#undef GPUGRADE_X_PAIR
#undef GPUGRADE_X_QUAD

#define GPUGRADE_X(...) GPUGRADE_STORE(__stcg, "cg", __VA_ARGS__)
#define GPUGRADE_X_PAIR(...) GPUGRADE_STORE_PAIR(__stcg, "cg", __VA_ARGS__)
#define GPUGRADE_X_QUAD(...) GPUGRADE_STORE_QUAD(__stcg, "cg", __VA_ARGS__)
GPUGRADE_NUMBERS(GPUGRADE_X)
GPUGRADE_PAIRS(GPUGRADE_X_PAIR)
GPUGRADE_QUADS(GPUGRADE_X_QUAD)
#undef GPUGRADE_X
#undef GPUGRADE_X_PAIR
#undef GPUGRADE_X_QUAD

#define GPUGRADE_X(...) GPUGRADE_STORE(__stcs, "cs", __VA_ARGS__)
#define GPUGRADE_X_PAIR(...) GPUGRADE_STORE_PAIR(__stcs, "cs", __VA_ARGS__)
#define GPUGRADE_X_QUAD(...) GPUGRADE_STORE_QUAD(__stcs, "cs", __VA_ARGS__)
GPUGRADE_NUMBERS(GPUGRADE_X)
GPUGRADE_PAIRS(GPUGRADE_X_PAIR)
GPUGRADE_QUADS(GPUGRADE_X_QUAD)
#undef GPUGRADE_X
#undef GPUGRADE_X_PAIR
#undef GPUGRADE_X_QUAD

#define GPUGRADE_X(...) GPUGRADE_STORE(__stwt, "wt", __VA_ARGS__)
#define GPUGRADE_X_PAIR(...) GPUGRADE_STORE_PAIR(__stwt, "wt", __VA_ARGS__)
#define GPUGRADE_X_QUAD(...) GPUGRADE_STORE_QUAD(__stwt, "wt", __VA_ARGS__)
GPUGRADE_NUMBERS(GPUGRADE_X)
GPUGRADE_PAIRS(GPUGRADE_X_PAIR)
GPUGRADE_QUADS(GPUGRADE_X_QUAD)
#undef GPUGRADE_X
#undef GPUGRADE_X_PAIR
#undef GPUGRADE_X_QUAD

#undef GPUGRADE_NUMBERS
#undef GPUGRADE_PAIRS
#undef GPUGRADE_QUADS
#undef GPUGRADE_LOAD
#undef GPUGRADE_LOAD_PAIR
#undef GPUGRADE_LOAD_QUAD
#undef GPUGRADE_STORE
#undef GPUGRADE_STORE_PAIR
#undef GPUGRADE_STORE_QUAD
#undef GPUGRADE_CLOBBER_MEMORY

#endif
