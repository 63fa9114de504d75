/* half_type.h: __half and __half2, numbers of 16 bits, and what they are converted from and to. */
#ifndef GPUGRADE_CUDA_HEADERS_HALF_TYPE_H
#define GPUGRADE_CUDA_HEADERS_HALF_TYPE_H

struct __half_raw {
    unsigned short x;
};
struct __half2_raw {
    unsigned short x, y;
};

/* The bits of `value` rounded to 16 bits: to nearest, or (RZ, RM, RP) to zero, down, up. On the
 * host the value is scaled so that its last bit is worth 1, and rounded there. */
enum gpugrade_rounding { GPUGRADE_RN, GPUGRADE_RZ, GPUGRADE_RM, GPUGRADE_RP };
GPUGRADE_HOST_DEVICE unsigned short gpugrade_half_bits(double value,
                                                       enum gpugrade_rounding rounding)
{
    const unsigned short sign = __builtin_signbit(value) ? 0x8000 : 0;
    const double size = sign ? -value : value;
    if (!(size == size)) {
        return 0x7fff;
    }
    if (size > 1e30) {
        const bool is_finite = size <= 1.7976931348623157e308;
        const bool is_cut =
            rounding == GPUGRADE_RZ || rounding == (sign ? GPUGRADE_RP : GPUGRADE_RM);
        return (unsigned short)(sign | (is_finite && is_cut ? 0x7bff : 0x7c00));
    }
    int exponent = -14;
    for (double limit = 0x1p-13; exponent < 16 && size >= limit; limit *= 2) {
        exponent++;
    }
    double unit = 0x1p-24;
    for (int i = -14; i < exponent; i++) {
        unit *= 2;
    }
    const double scaled = size / unit;
    if (scaled >= 4096.0) {
        const bool is_cut =
            rounding == GPUGRADE_RZ || rounding == (sign ? GPUGRADE_RP : GPUGRADE_RM);
        return (unsigned short)(sign | (is_cut ? 0x7bff : 0x7c00));
    }
    unsigned whole = (unsigned)scaled;
    const double rest = scaled - whole;
    const bool is_up = rounding == GPUGRADE_RN
                           ? rest > 0.5 || (rest == 0.5 && whole % 2 == 1)
                           : rest > 0.0 && rounding == (sign ? GPUGRADE_RM : GPUGRADE_RP);
    whole += is_up;
    unsigned bits = exponent == -14 ? whole : whole + (unsigned)(exponent + 14) * 1024;
    if (bits >= 0x7c00) {
        const bool is_cut =
            rounding == GPUGRADE_RZ || rounding == (sign ? GPUGRADE_RP : GPUGRADE_RM);
        bits = is_cut ? 0x7bff : 0x7c00;
    }
    return (unsigned short)(sign | bits);
}

GPUGRADE_HOST_DEVICE float gpugrade_half_value(unsigned short bits)
{
#ifdef __CUDA_ARCH__
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
    return value;
#else
    const unsigned sign = (unsigned)(bits & 0x8000) << 16, size = bits & 0x7fff;
    if (size >= 0x7c00) {
        return __builtin_bit_cast(float, sign | 0x7f800000 | (size & 0x3ff) << 13);
    }
    if (size >= 0x400) {
        return __builtin_bit_cast(float, sign | ((size << 13) + (112u << 23)));
    }
    const float value = (float)size * 0x1p-24f;
    return sign ? -value : value;
#endif
}

/* CVT(bits, rounding for PTX, for the host, type in PTX, its register, value) */
#ifdef __CUDA_ARCH__
#define GPUGRADE_HALF_FROM(rounding, ptx, in, value)                                               \
    unsigned short bits;                                                                           \
    asm("cvt." #rounding ".f16." ptx " %0, %1;" : "=h"(bits) : in(value));                         \
    return __half(__half_raw{bits});
#define GPUGRADE_HALF_TO(rounding, ptx, out, type)                                                 \
    type result;                                                                                   \
    asm("cvt." #rounding "i." ptx ".f16 %0, %1;" : "=" out(result) : "h"(half.gpugrade_bits()));   \
    return result;
#else
#define GPUGRADE_RN_OF_rn GPUGRADE_RN
#define GPUGRADE_RN_OF_rz GPUGRADE_RZ
#define GPUGRADE_RN_OF_rm GPUGRADE_RM
#define GPUGRADE_RN_OF_rp GPUGRADE_RP
#define GPUGRADE_HALF_FROM(rounding, ptx, in, value)                                               \
    return __half(__half_raw{gpugrade_half_bits((double)(value), GPUGRADE_RN_OF_##rounding)});
#define GPUGRADE_HALF_TO(rounding, ptx, out, type)                                                 \
    return gpugrade_half_to<type>((double)gpugrade_half_value(half.gpugrade_bits()),               \
                                  GPUGRADE_RN_OF_##rounding);
/* A whole number of the type, the nearest that there is; 0 for what is not a number. */
template <class T> T gpugrade_half_to(double value, enum gpugrade_rounding rounding)
{
    const double whole = rounding == GPUGRADE_RN ? rint(value)
                         : rounding == GPUGRADE_RZ ? trunc(value)
                         : rounding == GPUGRADE_RM ? floor(value)
                                                   : ceil(value);
    const bool has_sign = (T)-1 < (T)0;
    const T most = (T)(has_sign ? ~0ull >> (65 - 8 * sizeof(T)) : ~0ull >> (64 - 8 * sizeof(T)));
    const T least = (T)(has_sign ? (T)(-most - 1) : (T)0);
    if (!(whole == whole)) {
        return (T)(sizeof(T) == 8 ? 1ull << 63 : 0);
    }
    return whole >= (double)most ? most : whole <= (double)least ? least : (T)whole;
}
#endif

struct __half;
GPUGRADE_HOST_DEVICE __half __float2half(float value);
GPUGRADE_HOST_DEVICE __half __double2half(double value);

struct alignas(2) __half {
  protected:
    unsigned short __x;

  public:
    __half() = default;
    __host__ __device__ GPUGRADE_INLINE constexpr __half(const __half_raw &raw) : __x(raw.x)
    {
    }
    __host__ __device__ GPUGRADE_INLINE constexpr __half &operator=(const __half_raw &raw)
    {
        __x = raw.x;
        return *this;
    }
    __host__ __device__ GPUGRADE_INLINE constexpr operator __half_raw() const
    {
        return __half_raw{__x};
    }
    __host__ __device__ GPUGRADE_INLINE constexpr unsigned short gpugrade_bits() const
    {
        return __x;
    }
    __host__ __device__ GPUGRADE_INLINE __half(float value) : __x(__float2half(value).__x)
    {
    }
    __host__ __device__ GPUGRADE_INLINE __half(double value) : __x(__double2half(value).__x)
    {
    }
    __host__ __device__ GPUGRADE_INLINE operator float() const
    {
        return gpugrade_half_value(__x);
    }
    __host__ __device__ GPUGRADE_INLINE constexpr explicit operator bool() const
    {
        return (__x & 0x7fff) != 0;
    }
#define GPUGRADE_HALF_INTEGER(type)                                                                \
    __host__ __device__ GPUGRADE_INLINE __half(type value);                                        \
    __host__ __device__ GPUGRADE_INLINE operator type() const;                                     \
    __host__ __device__ GPUGRADE_INLINE __half &operator=(type value)                              \
    {                                                                                              \
        return *this = __half(value);                                                              \
    }
    GPUGRADE_HALF_INTEGER(short)
    GPUGRADE_HALF_INTEGER(unsigned short)
    GPUGRADE_HALF_INTEGER(int)
    GPUGRADE_HALF_INTEGER(unsigned)
    GPUGRADE_HALF_INTEGER(long)
    GPUGRADE_HALF_INTEGER(unsigned long)
    GPUGRADE_HALF_INTEGER(long long)
    GPUGRADE_HALF_INTEGER(unsigned long long)
#undef GPUGRADE_HALF_INTEGER
    __host__ __device__ GPUGRADE_INLINE __half &operator=(float value)
    {
        return *this = __half(value);
    }
    __host__ __device__ GPUGRADE_INLINE __half &operator=(double value)
    {
        return *this = __half(value);
    }
    __host__ __device__ GPUGRADE_INLINE operator signed char() const;
    __host__ __device__ GPUGRADE_INLINE operator unsigned char() const;
    __host__ __device__ GPUGRADE_INLINE operator char() const;
};

struct alignas(4) __half2 {
    __half x, y;

    __half2() = default;
    __host__ __device__ GPUGRADE_INLINE constexpr __half2(const __half &low, const __half &high)
        : x(low), y(high)
    {
    }
    __host__ __device__ GPUGRADE_INLINE constexpr __half2(const __half2_raw &raw)
        : x(__half_raw{raw.x}), y(__half_raw{raw.y})
    {
    }
    __host__ __device__ GPUGRADE_INLINE constexpr operator __half2_raw() const
    {
        return __half2_raw{x.gpugrade_bits(), y.gpugrade_bits()};
    }
};
typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;
typedef __half nv_half;
typedef __half2 nv_half2;

/* From float and double. */
#define GPUGRADE_FROM_FLOAT(name, type, rounding, ptx, in)                                         \
    GPUGRADE_HOST_DEVICE __half name(type value)                                                   \
    {                                                                                              \
        GPUGRADE_HALF_FROM(rounding, ptx, in, value)                                               \
    }
GPUGRADE_FROM_FLOAT(__float2half, float, rn, "f32", "f")
GPUGRADE_FROM_FLOAT(__float2half_rn, float, rn, "f32", "f")
GPUGRADE_FROM_FLOAT(__float2half_rz, float, rz, "f32", "f")
GPUGRADE_FROM_FLOAT(__float2half_rd, float, rm, "f32", "f")
GPUGRADE_FROM_FLOAT(__float2half_ru, float, rp, "f32", "f")
GPUGRADE_FROM_FLOAT(__double2half, double, rn, "f64", "d")
#undef GPUGRADE_FROM_FLOAT

/* From and to whole numbers: INTEGER(name in calls, type, type in PTX, its register). */
#define GPUGRADE_INTEGER_ROUNDED(name, suffix, type, ptx, reg, rounding)                           \
    GPUGRADE_HOST_DEVICE __half __##name##2half_##suffix(type value)                               \
    {                                                                                              \
        GPUGRADE_HALF_FROM(rounding, ptx, reg, value)                                              \
    }
#define GPUGRADE_HALF_ROUNDED(name, suffix, type, ptx, reg, rounding)                              \
    GPUGRADE_HOST_DEVICE type __half2##name##_##suffix(__half half)                                \
    {                                                                                              \
        GPUGRADE_HALF_TO(rounding, ptx, reg, type)                                                 \
    }
#define GPUGRADE_INTEGER(name, type, ptx, reg)                                                     \
    GPUGRADE_INTEGER_ROUNDED(name, rn, type, ptx, reg, rn)                                         \
    GPUGRADE_INTEGER_ROUNDED(name, rz, type, ptx, reg, rz)                                         \
    GPUGRADE_INTEGER_ROUNDED(name, rd, type, ptx, reg, rm)                                         \
    GPUGRADE_INTEGER_ROUNDED(name, ru, type, ptx, reg, rp)                                         \
    GPUGRADE_HALF_ROUNDED(name, rn, type, ptx, reg, rn)                                            \
    GPUGRADE_HALF_ROUNDED(name, rz, type, ptx, reg, rz)                                            \
    GPUGRADE_HALF_ROUNDED(name, rd, type, ptx, reg, rm)                                            \
    GPUGRADE_HALF_ROUNDED(name, ru, type, ptx, reg, rp)                                            \
    __host__ __device__ inline __half::__half(type value) : __x(__##name##2half_rn(value).__x)     \
    {                                                                                              \
    }                                                                                              \
    __host__ __device__ inline __half::operator type() const                                       \
    {                                                                                              \
        return __half2##name##_rz(*this);                                                          \
    }
GPUGRADE_INTEGER(short, short, "s16", "h")
GPUGRADE_INTEGER(ushort, unsigned short, "u16", "h")
GPUGRADE_INTEGER(int, int, "s32", "r")
GPUGRADE_INTEGER(uint, unsigned, "u32", "r")
GPUGRADE_INTEGER(ll, long long, "s64", "l")
GPUGRADE_INTEGER(ull, unsigned long long, "u64", "l")
#undef GPUGRADE_INTEGER
#undef GPUGRADE_INTEGER_ROUNDED
#undef GPUGRADE_HALF_ROUNDED
#undef GPUGRADE_HALF_FROM
#undef GPUGRADE_HALF_TO

__host__ __device__ inline __half::__half(long value) : __half((long long)value)
{
}
__host__ __device__ inline __half::__half(unsigned long value) : __half((unsigned long long)value)
{
}
__host__ __device__ inline __half::operator long() const
{
    return (long)__half2ll_rz(*this);
}
__host__ __device__ inline __half::operator unsigned long() const
{
    return (unsigned long)__half2ull_rz(*this);
}

/* To what fits into a byte: the nearest such number. */
GPUGRADE_HOST_DEVICE signed char __half2char_rz(__half half)
{
    const int whole = __half2int_rz(half);
    return (signed char)(whole < -128 ? -128 : whole > 127 ? 127 : whole);
}
GPUGRADE_HOST_DEVICE unsigned char __half2uchar_rz(__half half)
{
    const int whole = __half2int_rz(half);
    return (unsigned char)(whole < 0 ? 0 : whole > 255 ? 255 : whole);
}
__host__ __device__ inline __half::operator signed char() const
{
    return __half2char_rz(*this);
}
__host__ __device__ inline __half::operator unsigned char() const
{
    return __half2uchar_rz(*this);
}
__host__ __device__ inline __half::operator char() const
{
    return (char)__half2char_rz(*this);
}

/* Bits. */
GPUGRADE_HOST_DEVICE float __half2float(__half half)
{
    return gpugrade_half_value(half.gpugrade_bits());
}

#endif
