/* cuda_bf16.h: bfloat16, the upper half of a float, and pairs of it. All is computed in float and
 * rounded. */
#ifndef GPUGRADE_CUDA_HEADERS_CUDA_BF16_H
#define GPUGRADE_CUDA_HEADERS_CUDA_BF16_H

#include <cuda_runtime.h>

#if defined(__cplusplus) && defined(__CUDA__)
struct __nv_bfloat16_raw {
    unsigned short x;
};
struct __nv_bfloat162_raw {
    unsigned short x, y;
};

/* The bits of a value rounded to nearest, or (RZ, RD, RU) to zero, down, up. */
enum gpugrade_bfloat_rounding { GPUGRADE_BF_RN, GPUGRADE_BF_RZ, GPUGRADE_BF_RD, GPUGRADE_BF_RU };
GPUGRADE_HOST_DEVICE unsigned short gpugrade_bfloat_bits(float value,
                                                         enum gpugrade_bfloat_rounding rounding)
{
    const unsigned bits = __builtin_bit_cast(unsigned, value);
    const unsigned rest = bits & 0xffff, sign = bits >> 31;
    unsigned short kept = (unsigned short)(bits >> 16);
    if (!(value == value)) {
        return 0x7fff;
    }
    if ((kept & 0x7fff) == 0x7f80) {
        return kept;
    }
    switch (rounding) {
    case GPUGRADE_BF_RN:
        return (unsigned short)((bits + 0x7fff + (kept & 1)) >> 16);
    case GPUGRADE_BF_RZ:
        return kept;
    case GPUGRADE_BF_RD:
        return (unsigned short)(kept + (sign != 0 && rest != 0));
    default:
        return (unsigned short)(kept + (sign == 0 && rest != 0));
    }
}
/* A float that rounds as the double does: cut off, with its last bit set if anything was lost. */
GPUGRADE_HOST_DEVICE float gpugrade_sticky_float(double value)
{
    float nearest = (float)value;
    if ((double)nearest == value || !(value == value)) {
        return nearest;
    }
    unsigned bits = __builtin_bit_cast(unsigned, nearest);
    const double size = value < 0 ? -value : value;
    const double other = value < 0 ? -(double)nearest : (double)nearest;
    bits -= other > size;
    return __builtin_bit_cast(float, bits | 1);
}

struct alignas(2) __nv_bfloat16 {
  protected:
    unsigned short __x;

  public:
    __nv_bfloat16() = default;
    __host__ __device__ GPUGRADE_INLINE constexpr __nv_bfloat16(const __nv_bfloat16_raw &raw)
        : __x(raw.x)
    {
    }
    __host__ __device__ GPUGRADE_INLINE constexpr operator __nv_bfloat16_raw() const
    {
        return __nv_bfloat16_raw{__x};
    }
    __host__ __device__ GPUGRADE_INLINE constexpr unsigned short gpugrade_bits() const
    {
        return __x;
    }
    __host__ __device__ GPUGRADE_INLINE constexpr explicit operator bool() const
    {
        return (__x & 0x7fff) != 0;
    }
    __host__ __device__ GPUGRADE_INLINE operator float() const
    {
        return __builtin_bit_cast(float, (unsigned)__x << 16);
    }
/* From and to each type of numbers. */
#define GPUGRADE_NUMBER(type)                                                                      \
    __host__ __device__ GPUGRADE_INLINE __nv_bfloat16(type value)                                  \
        : __x(gpugrade_bfloat_bits(gpugrade_sticky_float((double)value), GPUGRADE_BF_RN))          \
    {                                                                                              \
    }                                                                                              \
    __host__ __device__ GPUGRADE_INLINE __nv_bfloat16 &operator=(type value)                       \
    {                                                                                              \
        return *this = __nv_bfloat16(value);                                                       \
    }
#define GPUGRADE_INTEGER(type)                                                                     \
    GPUGRADE_NUMBER(type)                                                                          \
    __host__ __device__ GPUGRADE_INLINE operator type() const                                      \
    {                                                                                              \
        return (type)(float)*this;                                                                 \
    }
    GPUGRADE_NUMBER(float)
    GPUGRADE_NUMBER(double)
    GPUGRADE_INTEGER(short)
    GPUGRADE_INTEGER(unsigned short)
    GPUGRADE_INTEGER(int)
    GPUGRADE_INTEGER(unsigned)
    GPUGRADE_INTEGER(long)
    GPUGRADE_INTEGER(unsigned long)
    GPUGRADE_INTEGER(long long)
    GPUGRADE_INTEGER(unsigned long long)
#undef GPUGRADE_INTEGER
#undef GPUGRADE_NUMBER
};

struct alignas(4) __nv_bfloat162 {
    __nv_bfloat16 x, y;

    __nv_bfloat162() = default;
    __host__ __device__ GPUGRADE_INLINE constexpr __nv_bfloat162(const __nv_bfloat16 &low,
                                                                 const __nv_bfloat16 &high)
        : x(low), y(high)
    {
    }
    __host__ __device__ GPUGRADE_INLINE constexpr __nv_bfloat162(const __nv_bfloat162_raw &raw)
        : x(__nv_bfloat16_raw{raw.x}), y(__nv_bfloat16_raw{raw.y})
    {
    }
    __host__ __device__ GPUGRADE_INLINE constexpr operator __nv_bfloat162_raw() const
    {
        return __nv_bfloat162_raw{x.gpugrade_bits(), y.gpugrade_bits()};
    }
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

/* From and to numbers by name. */
#define GPUGRADE_FROM(name, type, value, rounding)                                                 \
    GPUGRADE_HOST_DEVICE __nv_bfloat16 name(type x)                                                \
    {                                                                                              \
        return __nv_bfloat16_raw{gpugrade_bfloat_bits(value, rounding)};                           \
    }
GPUGRADE_FROM(__float2bfloat16, float, x, GPUGRADE_BF_RN)
GPUGRADE_FROM(__float2bfloat16_rn, float, x, GPUGRADE_BF_RN)
GPUGRADE_FROM(__float2bfloat16_rz, float, x, GPUGRADE_BF_RZ)
GPUGRADE_FROM(__float2bfloat16_rd, float, x, GPUGRADE_BF_RD)
GPUGRADE_FROM(__float2bfloat16_ru, float, x, GPUGRADE_BF_RU)
GPUGRADE_FROM(__double2bfloat16, double, gpugrade_sticky_float(x), GPUGRADE_BF_RN)
#undef GPUGRADE_FROM
GPUGRADE_HOST_DEVICE float __bfloat162float(__nv_bfloat16 number)
{
    return (float)number;
}
#define GPUGRADE_INTEGER(name, type)                                                               \
    GPUGRADE_HOST_DEVICE __nv_bfloat16 __##name##2bfloat16_rn(type value)                          \
    {                                                                                              \
        return __nv_bfloat16(value);                                                               \
    }                                                                                              \
    GPUGRADE_HOST_DEVICE type __bfloat162##name##_rz(__nv_bfloat16 number)                         \
    {                                                                                              \
        return (type)(float)number;                                                                \
    }                                                                                              \
    GPUGRADE_HOST_DEVICE type __bfloat162##name##_rn(__nv_bfloat16 number)                         \
    {                                                                                              \
        return (type)rintf((float)number);                                                         \
    }
GPUGRADE_INTEGER(short, short)
GPUGRADE_INTEGER(ushort, unsigned short)
GPUGRADE_INTEGER(int, int)
GPUGRADE_INTEGER(uint, unsigned)
GPUGRADE_INTEGER(ll, long long)
GPUGRADE_INTEGER(ull, unsigned long long)
#undef GPUGRADE_INTEGER

GPUGRADE_HOST_DEVICE __nv_bfloat16 __hfma(__nv_bfloat16 x, __nv_bfloat16 y, __nv_bfloat16 z)
{
    return __float2bfloat16(fmaf((float)x, (float)y, (float)z));
}
GPUGRADE_HOST_DEVICE __nv_bfloat162 __hfma2(__nv_bfloat162 x, __nv_bfloat162 y, __nv_bfloat162 z)
{
    return __nv_bfloat162(__hfma(x.x, y.x, z.x), __hfma(x.y, y.y, z.y));
}

#define GPUGRADE_T __nv_bfloat16
#define GPUGRADE_T2 __nv_bfloat162
#define GPUGRADE_N bfloat16
#define GPUGRADE_N2 bfloat162
#define GPUGRADE_RAW __nv_bfloat16_raw
#define GPUGRADE_ONE 0x3f80
#define GPUGRADE_INF 0x7f80
#define GPUGRADE_VALUE(x) __bfloat162float(x)
#define GPUGRADE_ROUNDED(value) __float2bfloat16(value)
#define GPUGRADE_BINARY(instruction, value) return __float2bfloat16(value);
#define GPUGRADE_BINARY_2(instruction, name) return __nv_bfloat162(name(x.x, y.x), name(x.y, y.y));
#include <device_code/small_float.def>

/* Atomic additions: the word that holds the number is exchanged for one with the sum. */
GPUGRADE_DEVICE __nv_bfloat16 atomicAdd(__nv_bfloat16 *address, __nv_bfloat16 value)
{
    unsigned short *bits = (unsigned short *)address, before = *bits, seen;
    do {
        seen = before;
        const __nv_bfloat16 sum = __hadd(__nv_bfloat16_raw{seen}, value);
        before = atomicCAS(bits, seen, sum.gpugrade_bits());
    } while (before != seen);
    return __nv_bfloat16_raw{before};
}
GPUGRADE_DEVICE __nv_bfloat162 atomicAdd(__nv_bfloat162 *address, __nv_bfloat162 value)
{
    return __nv_bfloat162(atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y));
}
#endif

#endif
