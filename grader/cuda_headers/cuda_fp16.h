/* cuda_fp16.h: half and half2: conversions, arithmetic, comparisons, some functions. Devices add
 * and multiply in half, hosts in float, which rounds to the same. */
#ifndef GPUGRADE_CUDA_HEADERS_CUDA_FP16_H
#define GPUGRADE_CUDA_HEADERS_CUDA_FP16_H

#include <cuda_runtime.h>

#if defined(__cplusplus) && defined(__CUDA__)
#include <device_code/half_type.h>

GPUGRADE_HOST_DEVICE __half __hfma(__half x, __half y, __half z)
{
#ifdef __CUDA_ARCH__
    unsigned short bits;
    asm("fma.rn.f16 %0, %1, %2, %3;"
        : "=h"(bits)
        : "h"(x.gpugrade_bits()), "h"(y.gpugrade_bits()), "h"(z.gpugrade_bits()));
    return __half(__half_raw{bits});
#else
    return __double2half((double)__half2float(x) * __half2float(y) + __half2float(z));
#endif
}
GPUGRADE_HOST_DEVICE __half2 __hfma2(__half2 x, __half2 y, __half2 z)
{
#ifdef __CUDA_ARCH__
    unsigned bits;
    asm("fma.rn.f16x2 %0, %1, %2, %3;"
        : "=r"(bits)
        : "r"(__builtin_bit_cast(unsigned, x)), "r"(__builtin_bit_cast(unsigned, y)),
          "r"(__builtin_bit_cast(unsigned, z)));
    return __builtin_bit_cast(__half2, bits);
#else
    return __half2(__hfma(x.x, y.x, z.x), __hfma(x.y, y.y, z.y));
#endif
}

#ifdef __CUDA_ARCH__
#define GPUGRADE_BINARY(instruction, value)                                                        \
    unsigned short bits;                                                                           \
    asm(instruction ".f16 %0, %1, %2;"                                                             \
        : "=h"(bits)                                                                               \
        : "h"(x.gpugrade_bits()), "h"(y.gpugrade_bits()));                                         \
    return __half(__half_raw{bits});
#define GPUGRADE_BINARY_2(instruction, name)                                                       \
    unsigned bits;                                                                                 \
    asm(instruction ".f16x2 %0, %1, %2;"                                                           \
        : "=r"(bits)                                                                               \
        : "r"(__builtin_bit_cast(unsigned, x)), "r"(__builtin_bit_cast(unsigned, y)));             \
    return __builtin_bit_cast(__half2, bits);
#else
#define GPUGRADE_BINARY(instruction, value) return __float2half(value);
#define GPUGRADE_BINARY_2(instruction, name) return __half2(name(x.x, y.x), name(x.y, y.y));
#endif
#define GPUGRADE_T __half
#define GPUGRADE_T2 __half2
#define GPUGRADE_N half
#define GPUGRADE_N2 half2
#define GPUGRADE_RAW __half_raw
#define GPUGRADE_ONE 0x3c00
#define GPUGRADE_INF 0x7c00
#define GPUGRADE_VALUE(x) __half2float(x)
#define GPUGRADE_ROUNDED(value) __float2half(value)
#include <device_code/small_float.def>

/* Atomic additions. */
GPUGRADE_DEVICE __half atomicAdd(__half *address, __half value)
{
    unsigned short before;
    asm volatile("atom.add.noftz.f16 %0, [%1], %2;"
                 : "=h"(before)
                 : "l"(address), "h"(value.gpugrade_bits())
                 : "memory");
    return __half_raw{before};
}
GPUGRADE_DEVICE __half2 atomicAdd(__half2 *address, __half2 value)
{
    unsigned before;
    asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;"
                 : "=r"(before)
                 : "l"(address), "r"(__builtin_bit_cast(unsigned, value))
                 : "memory");
    return __builtin_bit_cast(__half2, before);
}
#endif

#endif
