/* vector_types.h: short vectors and the sizes of grids. */
#ifndef GPUGRADE_CUDA_HEADERS_VECTOR_TYPES_H
#define GPUGRADE_CUDA_HEADERS_VECTOR_TYPES_H

#include <host_defines.h>

/* Vectors of two and four are loaded at once, so they are aligned to their whole size, up to 16
 * bytes. Those of four 8-byte elements exist with both alignments of today, 16 and 32. */
#define GPUGRADE_VECTOR_1(name, element)                                                           \
    struct name {                                                                                  \
        element x;                                                                                 \
    };                                                                                             \
    typedef struct name name;
#define GPUGRADE_VECTOR_2(name, element, alignment)                                                \
    struct __attribute__((aligned(alignment))) name {                                              \
        element x, y;                                                                              \
    };                                                                                             \
    typedef struct name name;
#define GPUGRADE_VECTOR_3(name, element)                                                           \
    struct name {                                                                                  \
        element x, y, z;                                                                           \
    };                                                                                             \
    typedef struct name name;
#define GPUGRADE_VECTOR_4(name, element, alignment)                                                \
    struct __attribute__((aligned(alignment))) name {                                              \
        element x, y, z, w;                                                                        \
    };                                                                                             \
    typedef struct name name;

GPUGRADE_VECTOR_1(char1, signed char)
GPUGRADE_VECTOR_2(char2, signed char, 2)
GPUGRADE_VECTOR_3(char3, signed char)
GPUGRADE_VECTOR_4(char4, signed char, 4)

GPUGRADE_VECTOR_1(uchar1, unsigned char)
GPUGRADE_VECTOR_2(uchar2, unsigned char, 2)
GPUGRADE_VECTOR_3(uchar3, unsigned char)
GPUGRADE_VECTOR_4(uchar4, unsigned char, 4)

GPUGRADE_VECTOR_1(short1, short)
GPUGRADE_VECTOR_2(short2, short, 4)
GPUGRADE_VECTOR_3(short3, short)
GPUGRADE_VECTOR_4(short4, short, 8)

GPUGRADE_VECTOR_1(ushort1, unsigned short)
GPUGRADE_VECTOR_2(ushort2, unsigned short, 4)
GPUGRADE_VECTOR_3(ushort3, unsigned short)
GPUGRADE_VECTOR_4(ushort4, unsigned short, 8)

GPUGRADE_VECTOR_1(int1, int)
GPUGRADE_VECTOR_2(int2, int, 8)
GPUGRADE_VECTOR_3(int3, int)
GPUGRADE_VECTOR_4(int4, int, 16)

GPUGRADE_VECTOR_1(uint1, unsigned)
GPUGRADE_VECTOR_2(uint2, unsigned, 8)
GPUGRADE_VECTOR_3(uint3, unsigned)
GPUGRADE_VECTOR_4(uint4, unsigned, 16)

GPUGRADE_VECTOR_1(float1, float)
GPUGRADE_VECTOR_2(float2, float, 8)
GPUGRADE_VECTOR_3(float3, float)
GPUGRADE_VECTOR_4(float4, float, 16)

GPUGRADE_VECTOR_1(long1, long)
GPUGRADE_VECTOR_2(long2, long, 2 * sizeof(long))
GPUGRADE_VECTOR_3(long3, long)
GPUGRADE_VECTOR_4(long4, long, 16)
GPUGRADE_VECTOR_4(long4_16a, long, 16)
GPUGRADE_VECTOR_4(long4_32a, long, 32)

GPUGRADE_VECTOR_1(ulong1, unsigned long)
GPUGRADE_VECTOR_2(ulong2, unsigned long, 2 * sizeof(long))
GPUGRADE_VECTOR_3(ulong3, unsigned long)
GPUGRADE_VECTOR_4(ulong4, unsigned long, 16)
GPUGRADE_VECTOR_4(ulong4_16a, unsigned long, 16)
GPUGRADE_VECTOR_4(ulong4_32a, unsigned long, 32)

GPUGRADE_VECTOR_1(longlong1, long long)
GPUGRADE_VECTOR_2(longlong2, long long, 16)
GPUGRADE_VECTOR_3(longlong3, long long)
GPUGRADE_VECTOR_4(longlong4, long long, 16)
GPUGRADE_VECTOR_4(longlong4_16a, long long, 16)
GPUGRADE_VECTOR_4(longlong4_32a, long long, 32)

GPUGRADE_VECTOR_1(ulonglong1, unsigned long long)
GPUGRADE_VECTOR_2(ulonglong2, unsigned long long, 16)
GPUGRADE_VECTOR_3(ulonglong3, unsigned long long)
GPUGRADE_VECTOR_4(ulonglong4, unsigned long long, 16)
GPUGRADE_VECTOR_4(ulonglong4_16a, unsigned long long, 16)
GPUGRADE_VECTOR_4(ulonglong4_32a, unsigned long long, 32)

GPUGRADE_VECTOR_1(double1, double)
GPUGRADE_VECTOR_2(double2, double, 16)
GPUGRADE_VECTOR_3(double3, double)
GPUGRADE_VECTOR_4(double4, double, 16)
GPUGRADE_VECTOR_4(double4_16a, double, 16)
GPUGRADE_VECTOR_4(double4_32a, double, 32)

#undef GPUGRADE_VECTOR_1
#undef GPUGRADE_VECTOR_2
#undef GPUGRADE_VECTOR_3
#undef GPUGRADE_VECTOR_4

/* A number of threads or blocks in each dimension; in C++ what is left out is 1. */
struct dim3 {
    unsigned x, y, z;
#ifdef __cplusplus
    __host__ __device__ constexpr dim3(unsigned x_count = 1, unsigned y_count = 1,
                                       unsigned z_count = 1)
        : x(x_count), y(y_count), z(z_count)
    {
    }
    __host__ __device__ constexpr dim3(uint3 counts) : x(counts.x), y(counts.y), z(counts.z)
    {
    }
    __host__ __device__ constexpr operator uint3() const
    {
        return uint3{x, y, z};
    }
#endif
};
typedef struct dim3 dim3;

#endif
