/* cuda_fp8.h: numbers of 8 bits, e4m3 (largest 448, without infinities) and e5m2, as the toolkit
 * has them where no instruction converts them: they are stored, and computed with as other types.
 * Those of exponents alone (e8m0) are not here. */
#ifndef GPUGRADE_CUDA_HEADERS_CUDA_FP8_H
#define GPUGRADE_CUDA_HEADERS_CUDA_FP8_H

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#if defined(__cplusplus) && defined(__CUDA__)
typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t; /* the first number is the low one */
typedef unsigned __nv_fp8x4_storage_t;

/* What becomes of a number that is too large: NaN or infinity, or the largest one. */
typedef enum __nv_saturation_t {
    __NV_NOSAT,
    __NV_SATFINITE,
} __nv_saturation_t;

typedef enum __nv_fp8_interpretation_t {
    __NV_E4M3,
    __NV_E5M2,
} __nv_fp8_interpretation_t;

/* The two, or four, of an array in the bits of one number. */
GPUGRADE_HOST_DEVICE __nv_fp8x2_storage_t gpugrade_fp8_pair(__nv_fp8_storage_t low,
                                                            __nv_fp8_storage_t high)
{
    return (__nv_fp8x2_storage_t)(low | high << 8);
}
GPUGRADE_HOST_DEVICE __nv_fp8x4_storage_t gpugrade_fp8_four(__nv_fp8x2_storage_t low,
                                                            __nv_fp8x2_storage_t high)
{
    return low | (__nv_fp8x4_storage_t)high << 16;
}

/* Rounds to nearest, halves to even: the bits of the significand above those that are lost, and the
 * exponent, make the number together. */
GPUGRADE_HOST_DEVICE __nv_fp8_storage_t __nv_cvt_double_to_fp8(double value,
                                                               __nv_saturation_t saturation,
                                                               __nv_fp8_interpretation_t kind)
{
    const int fraction_bits = kind == __NV_E4M3 ? 3 : 2;
    const int least_exponent = kind == __NV_E4M3 ? -6 : -14;
    const unsigned largest = kind == __NV_E4M3 ? 0x7e : 0x7b;
    const unsigned long long bits = __builtin_bit_cast(unsigned long long, value);
    const unsigned long long fraction = bits & 0xfffffffffffffull;
    const unsigned sign = (unsigned)(bits >> 63) << 7;
    const int exponent = (int)(bits >> 52 & 0x7ff) - 1023;

    if (exponent == 1024 && fraction != 0) {
        const unsigned kept = kind == __NV_E4M3 ? 0x7f : 0x7e | (unsigned)(fraction >> 50);
        return (__nv_fp8_storage_t)(sign | kept);
    }
    const unsigned long long significand = exponent < -1022 ? 0 : fraction | 1ull << 52;
    const int base = exponent < least_exponent ? least_exponent : exponent;
    const int lost = base - exponent + 52 - fraction_bits;
    if (lost > 54) {
        return (__nv_fp8_storage_t)sign;
    }
    const unsigned long long rest = significand & ((1ull << lost) - 1), half = 1ull << (lost - 1);
    unsigned result = (unsigned)(significand >> lost);
    result += rest > half || (rest == half && (result & 1) != 0);
    result += (unsigned)(base - least_exponent) << fraction_bits;
    if (result > largest) {
        result = saturation == __NV_SATFINITE ? largest : largest + 1;
    }
    return (__nv_fp8_storage_t)(sign | result);
}
/* A NaN of a narrower type loses its sign and its bits. */
GPUGRADE_HOST_DEVICE __nv_fp8_storage_t __nv_cvt_float_to_fp8(float value,
                                                              __nv_saturation_t saturation,
                                                              __nv_fp8_interpretation_t kind)
{
    return value == value ? __nv_cvt_double_to_fp8(value, saturation, kind)
                          : (__nv_fp8_storage_t)0x7f;
}
GPUGRADE_HOST_DEVICE __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x,
                                                                __nv_saturation_t saturation,
                                                                __nv_fp8_interpretation_t kind)
{
    return __nv_cvt_float_to_fp8(__half2float(__half(x)), saturation, kind);
}
GPUGRADE_HOST_DEVICE __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x,
                                                                    __nv_saturation_t saturation,
                                                                    __nv_fp8_interpretation_t kind)
{
    return __nv_cvt_float_to_fp8((float)__nv_bfloat16(x), saturation, kind);
}
/* Pairs of each. */
#define GPUGRADE_FP8_PAIR(name, pair, one, element)                                                \
    GPUGRADE_HOST_DEVICE __nv_fp8x2_storage_t name(pair v, __nv_saturation_t saturation,           \
                                                   __nv_fp8_interpretation_t kind)                 \
    {                                                                                              \
        return gpugrade_fp8_pair(one(element{v.x}, saturation, kind),                              \
                                 one(element{v.y}, saturation, kind));                             \
    }
GPUGRADE_FP8_PAIR(__nv_cvt_double2_to_fp8x2, double2, __nv_cvt_double_to_fp8, double)
GPUGRADE_FP8_PAIR(__nv_cvt_float2_to_fp8x2, float2, __nv_cvt_float_to_fp8, float)
GPUGRADE_FP8_PAIR(__nv_cvt_halfraw2_to_fp8x2, __half2_raw, __nv_cvt_halfraw_to_fp8, __half_raw)
GPUGRADE_FP8_PAIR(__nv_cvt_bfloat16raw2_to_fp8x2, __nv_bfloat162_raw, __nv_cvt_bfloat16raw_to_fp8,
                  __nv_bfloat16_raw)
#undef GPUGRADE_FP8_PAIR

/* Halves have all numbers of both kinds: the bits of e5m2 are their upper ones, and an e4m3 is 256
 * times the half with its bits at the place of theirs. */
GPUGRADE_HOST_DEVICE __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x,
                                                        __nv_fp8_interpretation_t kind)
{
    const unsigned size = x & 0x7f, sign = (x & 0x80u) << 8;

    if (size > (kind == __NV_E4M3 ? 0x7e : 0x7c)) {
        return __half_raw{0x7fff};
    }
    if (kind == __NV_E5M2) {
        return __half_raw{(unsigned short)(x << 8)};
    }
    const float part = __half2float(__half(__half_raw{(unsigned short)(size << 7)}));
    return __half_raw{(unsigned short)(sign | __float2half(part * 256.0f).gpugrade_bits())};
}
GPUGRADE_HOST_DEVICE __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t v,
                                                            __nv_fp8_interpretation_t kind)
{
    return __half2_raw{__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)v, kind).x,
                       __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(v >> 8), kind).x};
}
GPUGRADE_HOST_DEVICE float gpugrade_fp8_value(unsigned x, __nv_fp8_interpretation_t kind)
{
    const __half_raw half = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)x, kind);

    return half.x == 0x7fff ? __builtin_bit_cast(float, 0x7fffffff) : __half2float(__half(half));
}
/* As an integer of 8 bits; NaN is 0. */
GPUGRADE_HOST_DEVICE int gpugrade_fp8_integer(float value, int least, int most)
{
    return !(value == value)      ? 0
           : value > (float)most  ? most
           : value < (float)least ? least
                                  : (int)value;
}

#define GPUGRADE_MEMBER __host__ __device__ GPUGRADE_INLINE
#define GPUGRADE_FROM(type, kind)                                                                  \
    GPUGRADE_MEMBER explicit __nv_fp8_##kind(type value)                                           \
        : __x(__nv_cvt_float_to_fp8((float)value, __NV_SATFINITE, GPUGRADE_KIND))                  \
    {                                                                                              \
    }
#define GPUGRADE_TO(type, value)                                                                   \
    GPUGRADE_MEMBER explicit operator type() const                                                 \
    {                                                                                              \
        return value;                                                                              \
    }
#define GPUGRADE_FP8(kind)                                                                         \
    struct alignas(1) __nv_fp8_##kind {                                                            \
        __nv_fp8_storage_t __x;                                                                    \
        __nv_fp8_##kind() = default;                                                               \
        GPUGRADE_FROM(__half, kind)                                                                \
        GPUGRADE_FROM(__nv_bfloat16, kind)                                                         \
        GPUGRADE_FROM(float, kind)                                                                 \
        GPUGRADE_FROM(short, kind)                                                                 \
        GPUGRADE_FROM(unsigned short, kind)                                                        \
        GPUGRADE_FROM(int, kind)                                                                   \
        GPUGRADE_FROM(unsigned, kind)                                                              \
        GPUGRADE_FROM(long, kind)                                                                  \
        GPUGRADE_FROM(unsigned long, kind)                                                         \
        GPUGRADE_FROM(long long, kind)                                                             \
        GPUGRADE_FROM(unsigned long long, kind)                                                    \
        GPUGRADE_MEMBER explicit __nv_fp8_##kind(double value)                                     \
            : __x(__nv_cvt_double_to_fp8(value, __NV_SATFINITE, GPUGRADE_KIND))                    \
        {                                                                                          \
        }                                                                                          \
        GPUGRADE_TO(__half, __half(__nv_cvt_fp8_to_halfraw(__x, GPUGRADE_KIND)))                   \
        GPUGRADE_TO(float, gpugrade_fp8_value(__x, GPUGRADE_KIND))                                 \
        GPUGRADE_TO(__nv_bfloat16, __float2bfloat16_rz(gpugrade_fp8_value(__x, GPUGRADE_KIND)))    \
        GPUGRADE_TO(double, gpugrade_fp8_value(__x, GPUGRADE_KIND))                                \
        GPUGRADE_TO(signed char, (signed char)gpugrade_fp8_integer((float)*this, -128, 127))       \
        GPUGRADE_TO(unsigned char, (unsigned char)gpugrade_fp8_integer((float)*this, 0, 255))      \
        GPUGRADE_TO(char,                                                                          \
                    (char)((char)-1 < 0 ? (char)(signed char)*this : (char)(unsigned char)*this))  \
        GPUGRADE_TO(short, __half2short_rz((__half) * this))                                       \
        GPUGRADE_TO(unsigned short, __half2ushort_rz((__half) * this))                             \
        GPUGRADE_TO(int, __half2int_rz((__half) * this))                                           \
        GPUGRADE_TO(unsigned, __half2uint_rz((__half) * this))                                     \
        GPUGRADE_TO(long, (long)__half2ll_rz((__half) * this))                                     \
        GPUGRADE_TO(unsigned long, (unsigned long)__half2ull_rz((__half) * this))                  \
        GPUGRADE_TO(long long, __half2ll_rz((__half) * this))                                      \
        GPUGRADE_TO(unsigned long long, __half2ull_rz((__half) * this))                            \
        GPUGRADE_TO(bool, (__x & 0x7f) != 0)                                                       \
    };                                                                                             \
    struct alignas(2) __nv_fp8x2_##kind {                                                          \
        __nv_fp8x2_storage_t __x;                                                                  \
        __nv_fp8x2_##kind() = default;                                                             \
        GPUGRADE_PAIR_FROM(__half2, __nv_cvt_halfraw2_to_fp8x2, kind)                              \
        GPUGRADE_PAIR_FROM(__nv_bfloat162, __nv_cvt_bfloat16raw2_to_fp8x2, kind)                   \
        GPUGRADE_PAIR_FROM(float2, __nv_cvt_float2_to_fp8x2, kind)                                 \
        GPUGRADE_PAIR_FROM(double2, __nv_cvt_double2_to_fp8x2, kind)                               \
        GPUGRADE_TO(__half2, __half2(__nv_cvt_fp8x2_to_halfraw2(__x, GPUGRADE_KIND)))              \
        GPUGRADE_TO(float2, make_float2(gpugrade_fp8_value(__x, GPUGRADE_KIND),                    \
                                        gpugrade_fp8_value(__x >> 8, GPUGRADE_KIND)))              \
    };                                                                                             \
    struct alignas(4) __nv_fp8x4_##kind {                                                          \
        __nv_fp8x4_storage_t __x;                                                                  \
        __nv_fp8x4_##kind() = default;                                                             \
        GPUGRADE_FOUR_FROM(kind, __nv_cvt_halfraw2_to_fp8x2, (__half2 low, __half2 high), low,     \
                           high)                                                                   \
        GPUGRADE_FOUR_FROM(kind, __nv_cvt_bfloat16raw2_to_fp8x2,                                   \
                           (__nv_bfloat162 low, __nv_bfloat162 high), low, high)                   \
        GPUGRADE_FOUR_FROM(kind, __nv_cvt_float2_to_fp8x2, (float4 v), make_float2(v.x, v.y),      \
                           make_float2(v.z, v.w))                                                  \
        GPUGRADE_FOUR_FROM(kind, __nv_cvt_double2_to_fp8x2, (double4 v), make_double2(v.x, v.y),   \
                           make_double2(v.z, v.w))                                                 \
        GPUGRADE_TO(float4, make_float4(gpugrade_fp8_value(__x, GPUGRADE_KIND),                    \
                                        gpugrade_fp8_value(__x >> 8, GPUGRADE_KIND),               \
                                        gpugrade_fp8_value(__x >> 16, GPUGRADE_KIND),              \
                                        gpugrade_fp8_value(__x >> 24, GPUGRADE_KIND)))             \
    };
#define GPUGRADE_PAIR_FROM(type, convert, kind)                                                    \
    GPUGRADE_MEMBER explicit __nv_fp8x2_##kind(type v)                                             \
        : __x(convert(v, __NV_SATFINITE, GPUGRADE_KIND))                                           \
    {                                                                                              \
    }
#define GPUGRADE_FOUR_FROM(kind, convert, parameters, low_pair, high_pair)                         \
    GPUGRADE_MEMBER explicit __nv_fp8x4_##kind parameters                                          \
        : __x(gpugrade_fp8_four(convert(low_pair, __NV_SATFINITE, GPUGRADE_KIND),                  \
                                convert(high_pair, __NV_SATFINITE, GPUGRADE_KIND)))                \
    {                                                                                              \
    }

#define GPUGRADE_KIND __NV_E4M3
GPUGRADE_FP8(e4m3)
#undef GPUGRADE_KIND
#define GPUGRADE_KIND __NV_E5M2
GPUGRADE_FP8(e5m2)
#undef GPUGRADE_KIND
#undef GPUGRADE_MEMBER
#undef GPUGRADE_FROM
#undef GPUGRADE_TO
#undef GPUGRADE_PAIR_FROM
#undef GPUGRADE_FOUR_FROM
#undef GPUGRADE_FP8
#endif

#endif
