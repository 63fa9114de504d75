/* libdevice_inline.h: the functions of libdevice that are one instruction, or two or three.
 *
 * clang's headers declare all of libdevice (__nv_NAME) and leave the definitions to NVIDIA's file.
 * What is defined here costs no call and can be computed at compile time, as with nvcc; the rest is
 * called by name, and the emulated device knows it (grader/device/emulated/libdevice).
 *
 * Sources: libdevice User's Guide; PTX ISA.
 */
#ifndef GPUGRADE_LIBDEVICE_INLINE_H
#define GPUGRADE_LIBDEVICE_INLINE_H

#define GPUGRADE_LIBDEVICE(result, name, parameters, value)                                        \
    extern "C"                                                                                     \
        __attribute__((device, always_inline, nodebug)) inline result __nv_##name parameters       \
    {                                                                                              \
        return value;                                                                              \
    }

/* One function for each way to round: NAME_rn, _rz, _rd and _ru, by builtins of clang's. */
#define GPUGRADE_ROUNDED(result, name, parameters, builtin, suffix, arguments)                     \
    GPUGRADE_LIBDEVICE(result, name##_rn, parameters, __nvvm_##builtin##_rn##suffix arguments)     \
    GPUGRADE_LIBDEVICE(result, name##_rz, parameters, __nvvm_##builtin##_rz##suffix arguments)     \
    GPUGRADE_LIBDEVICE(result, name##_rd, parameters, __nvvm_##builtin##_rm##suffix arguments)     \
    GPUGRADE_LIBDEVICE(result, name##_ru, parameters, __nvvm_##builtin##_rp##suffix arguments)

/* Integers */
GPUGRADE_LIBDEVICE(int, abs, (int x), x < 0 ? -x : x)
GPUGRADE_LIBDEVICE(long long, llabs, (long long x), x < 0 ? -x : x)
GPUGRADE_LIBDEVICE(int, min, (int x, int y), x < y ? x : y)
GPUGRADE_LIBDEVICE(int, max, (int x, int y), x > y ? x : y)
GPUGRADE_LIBDEVICE(unsigned, umin, (unsigned x, unsigned y), x < y ? x : y)
GPUGRADE_LIBDEVICE(unsigned, umax, (unsigned x, unsigned y), x > y ? x : y)
GPUGRADE_LIBDEVICE(long long, llmin, (long long x, long long y), x < y ? x : y)
GPUGRADE_LIBDEVICE(long long, llmax, (long long x, long long y), x > y ? x : y)
GPUGRADE_LIBDEVICE(unsigned long long, ullmin, (unsigned long long x, unsigned long long y),
                   x < y ? x : y)
GPUGRADE_LIBDEVICE(unsigned long long, ullmax, (unsigned long long x, unsigned long long y),
                   x > y ? x : y)
GPUGRADE_LIBDEVICE(int, popc, (unsigned x), __builtin_popcount(x))
GPUGRADE_LIBDEVICE(int, popcll, (unsigned long long x), __builtin_popcountll(x))
GPUGRADE_LIBDEVICE(int, clz, (int x), x == 0 ? 32 : __builtin_clz((unsigned)x))
GPUGRADE_LIBDEVICE(int, clzll, (long long x), x == 0 ? 64 : __builtin_clzll((unsigned long long)x))
GPUGRADE_LIBDEVICE(int, ffs, (int x), __builtin_ffs(x))
GPUGRADE_LIBDEVICE(int, ffsll, (long long x), __builtin_ffsll(x))
GPUGRADE_LIBDEVICE(unsigned, brev, (unsigned x), __builtin_bitreverse32(x))
GPUGRADE_LIBDEVICE(long long, brevll, (long long x),
                   (long long)__builtin_bitreverse64((unsigned long long)x))
GPUGRADE_LIBDEVICE(int, mulhi, (int x, int y), (int)(((long long)x * y) >> 32))
GPUGRADE_LIBDEVICE(unsigned, umulhi, (unsigned x, unsigned y),
                   (unsigned)(((unsigned long long)x * y) >> 32))

/* Bits */
GPUGRADE_LIBDEVICE(int, float_as_int, (float x), __builtin_bit_cast(int, x))
GPUGRADE_LIBDEVICE(unsigned, float_as_uint, (float x), __builtin_bit_cast(unsigned, x))
GPUGRADE_LIBDEVICE(float, int_as_float, (int x), __builtin_bit_cast(float, x))
GPUGRADE_LIBDEVICE(float, uint_as_float, (unsigned x), __builtin_bit_cast(float, x))
GPUGRADE_LIBDEVICE(unsigned long long, double_as_longlong, (double x),
                   __builtin_bit_cast(unsigned long long, x))
GPUGRADE_LIBDEVICE(double, longlong_as_double, (long long x), __builtin_bit_cast(double, x))
GPUGRADE_LIBDEVICE(float, fabsf, (float x), __builtin_fabsf(x))
GPUGRADE_LIBDEVICE(double, fabs, (double x), __builtin_fabs(x))
GPUGRADE_LIBDEVICE(float, copysignf, (float x, float y), __builtin_copysignf(x, y))
GPUGRADE_LIBDEVICE(double, copysign, (double x, double y), __builtin_copysign(x, y))

/* Arithmetic */
GPUGRADE_ROUNDED(float, fadd, (float x, float y), add, _f, (x, y))
GPUGRADE_ROUNDED(double, dadd, (double x, double y), add, _d, (x, y))
GPUGRADE_ROUNDED(float, fsub, (float x, float y), add, _f, (x, -y))
GPUGRADE_ROUNDED(double, dsub, (double x, double y), add, _d, (x, -y))
GPUGRADE_ROUNDED(float, fmul, (float x, float y), mul, _f, (x, y))
GPUGRADE_ROUNDED(double, dmul, (double x, double y), mul, _d, (x, y))
GPUGRADE_ROUNDED(float, fdiv, (float x, float y), div, _f, (x, y))
GPUGRADE_ROUNDED(double, ddiv, (double x, double y), div, _d, (x, y))
GPUGRADE_ROUNDED(float, frcp, (float x), rcp, _f, (x))
GPUGRADE_ROUNDED(double, drcp, (double x), rcp, _d, (x))
GPUGRADE_ROUNDED(float, fsqrt, (float x), sqrt, _f, (x))
GPUGRADE_ROUNDED(double, dsqrt, (double x), sqrt, _d, (x))
GPUGRADE_ROUNDED(float, fmaf, (float x, float y, float z), fma, _f, (x, y, z))
GPUGRADE_ROUNDED(double, fma, (double x, double y, double z), fma, _d, (x, y, z))
GPUGRADE_LIBDEVICE(float, fmaf, (float x, float y, float z), __builtin_fmaf(x, y, z))
GPUGRADE_LIBDEVICE(double, fma, (double x, double y, double z), __builtin_fma(x, y, z))
#ifdef GPUGRADE_APPROXIMATE_ROOT /* -prec-sqrt=false */
GPUGRADE_LIBDEVICE(float, sqrtf, (float x), __nvvm_sqrt_approx_f(x))
#else
GPUGRADE_LIBDEVICE(float, sqrtf, (float x), __nvvm_sqrt_rn_f(x))
#endif
GPUGRADE_LIBDEVICE(double, sqrt, (double x), __nvvm_sqrt_rn_d(x))
GPUGRADE_LIBDEVICE(float, rsqrtf, (float x), __nvvm_rsqrt_approx_f(x))
GPUGRADE_LIBDEVICE(float, fminf, (float x, float y), __nvvm_fmin_f(x, y))
GPUGRADE_LIBDEVICE(float, fmaxf, (float x, float y), __nvvm_fmax_f(x, y))
GPUGRADE_LIBDEVICE(double, fmin, (double x, double y), __nvvm_fmin_d(x, y))
GPUGRADE_LIBDEVICE(double, fmax, (double x, double y), __nvvm_fmax_d(x, y))
GPUGRADE_LIBDEVICE(float, saturatef, (float x), __nvvm_saturate_f(x))

/* Whole numbers */
GPUGRADE_LIBDEVICE(float, floorf, (float x), __builtin_floorf(x))
GPUGRADE_LIBDEVICE(double, floor, (double x), __builtin_floor(x))
GPUGRADE_LIBDEVICE(float, ceilf, (float x), __builtin_ceilf(x))
GPUGRADE_LIBDEVICE(double, ceil, (double x), __builtin_ceil(x))
GPUGRADE_LIBDEVICE(float, truncf, (float x), __builtin_truncf(x))
GPUGRADE_LIBDEVICE(double, trunc, (double x), __builtin_trunc(x))
GPUGRADE_LIBDEVICE(float, rintf, (float x), __builtin_rintf(x))
GPUGRADE_LIBDEVICE(double, rint, (double x), __builtin_rint(x))
GPUGRADE_LIBDEVICE(float, nearbyintf, (float x), __builtin_nearbyintf(x))
GPUGRADE_LIBDEVICE(double, nearbyint, (double x), __builtin_nearbyint(x))

/* Conversions */
GPUGRADE_ROUNDED(int, float2int, (float x), f2i, , (x))
GPUGRADE_ROUNDED(unsigned, float2uint, (float x), f2ui, , (x))
GPUGRADE_ROUNDED(long long, float2ll, (float x), f2ll, , (x))
GPUGRADE_ROUNDED(unsigned long long, float2ull, (float x), f2ull, , (x))
GPUGRADE_ROUNDED(float, int2float, (int x), i2f, , (x))
GPUGRADE_ROUNDED(float, uint2float, (unsigned x), ui2f, , (x))
GPUGRADE_ROUNDED(float, ll2float, (long long x), ll2f, , (x))
GPUGRADE_ROUNDED(float, ull2float, (unsigned long long x), ull2f, , (x))
GPUGRADE_ROUNDED(int, double2int, (double x), d2i, , (x))
GPUGRADE_ROUNDED(unsigned, double2uint, (double x), d2ui, , (x))
GPUGRADE_ROUNDED(long long, double2ll, (double x), d2ll, , (x))
GPUGRADE_ROUNDED(unsigned long long, double2ull, (double x), d2ull, , (x))
GPUGRADE_ROUNDED(float, double2float, (double x), d2f, , (x))
GPUGRADE_LIBDEVICE(double, int2double_rn, (int x), (double)x)
GPUGRADE_LIBDEVICE(double, uint2double_rn, (unsigned x), (double)x)

#undef GPUGRADE_ROUNDED
#undef GPUGRADE_LIBDEVICE

#endif
