/* vector_functions.h: make_float4(x, y, z, w) and its like for all vector types. */
#ifndef GPUGRADE_CUDA_HEADERS_VECTOR_FUNCTIONS_H
#define GPUGRADE_CUDA_HEADERS_VECTOR_FUNCTIONS_H

#include <host_defines.h>
#include <vector_types.h>

#ifdef __cplusplus
#define GPUGRADE_MAKE static __inline__ __host__ __device__ constexpr GPUGRADE_INLINE
#else
#define GPUGRADE_MAKE static __inline__ GPUGRADE_INLINE
#endif

#define GPUGRADE_MAKE_123(name, element)                                                           \
    GPUGRADE_MAKE struct name##1 make_##name##1(element x)                                         \
    {                                                                                              \
        struct name##1 made = {x};                                                                 \
        return made;                                                                               \
    }                                                                                              \
    GPUGRADE_MAKE struct name##2 make_##name##2(element x, element y)                              \
    {                                                                                              \
        struct name##2 made = {x, y};                                                              \
        return made;                                                                               \
    }                                                                                              \
    GPUGRADE_MAKE struct name##3 make_##name##3(element x, element y, element z)                   \
    {                                                                                              \
        struct name##3 made = {x, y, z};                                                           \
        return made;                                                                               \
    }
#define GPUGRADE_MAKE_4(name, element)                                                             \
    GPUGRADE_MAKE struct name make_##name(element x, element y, element z, element w)              \
    {                                                                                              \
        struct name made = {x, y, z, w};                                                           \
        return made;                                                                               \
    }
#define GPUGRADE_MAKE_SMALL(name, element)                                                         \
    GPUGRADE_MAKE_123(name, element)                                                               \
    GPUGRADE_MAKE_4(name##4, element)
#define GPUGRADE_MAKE_WIDE(name, element)                                                          \
    GPUGRADE_MAKE_SMALL(name, element)                                                             \
    GPUGRADE_MAKE_4(name##4_16a, element)                                                          \
    GPUGRADE_MAKE_4(name##4_32a, element)

GPUGRADE_MAKE_SMALL(char, signed char)
GPUGRADE_MAKE_SMALL(uchar, unsigned char)
GPUGRADE_MAKE_SMALL(short, short)
GPUGRADE_MAKE_SMALL(ushort, unsigned short)
GPUGRADE_MAKE_SMALL(int, int)
GPUGRADE_MAKE_SMALL(uint, unsigned)
GPUGRADE_MAKE_SMALL(float, float)
GPUGRADE_MAKE_WIDE(long, long)
GPUGRADE_MAKE_WIDE(ulong, unsigned long)
GPUGRADE_MAKE_WIDE(longlong, long long)
GPUGRADE_MAKE_WIDE(ulonglong, unsigned long long)
GPUGRADE_MAKE_WIDE(double, double)

#undef GPUGRADE_MAKE
#undef GPUGRADE_MAKE_123
#undef GPUGRADE_MAKE_4
#undef GPUGRADE_MAKE_SMALL
#undef GPUGRADE_MAKE_WIDE

#endif
