/* directed_rounding.c: arithmetic that rounds toward zero, minus or plus infinity.
 *
 * The host's rounding mode is switched for one number, or for all lanes of an op, unless it is to
 * nearest, as it is elsewhere: switching takes longer than most arithmetic. Operands and results
 * pass through volatile objects, so that the compiler moves no arithmetic across the switch.
 */
#include "device/emulated/arithmetic/scalar_math.h"
#include "device/emulated/machine.h"

#include <fenv.h>
#include <math.h>

static int host_mode(unsigned rounding)
{
    switch (rounding) {
    case PTX_ROUND_RZ:
        return FE_TOWARDZERO;
    case PTX_ROUND_RM:
        return FE_DOWNWARD;
    case PTX_ROUND_RP:
        return FE_UPWARD;
    default:
        return FE_TONEAREST;
    }
}

static void switch_mode(int mode, int to)
{
    if (mode != to) {
        fesetround(to);
    }
}

#define DIRECTED(name, T, parameters, loads, expression)                                           \
    T name parameters                                                                              \
    {                                                                                              \
        loads;                                                                                     \
        const int mode = host_mode(rounding);                                                      \
        switch_mode(FE_TONEAREST, mode);                                                           \
        volatile T result = (T)(expression);                                                       \
        switch_mode(mode, FE_TONEAREST);                                                           \
        return canonical_##T(result);                                                              \
    }

DIRECTED(directed_f32_of_f64, f32, (unsigned rounding, f64 x), volatile f64 a = x, a)
DIRECTED(directed_f32_of_integer, f32, (unsigned rounding, u64 x, int is_signed),
         volatile u64 a = x, is_signed ? (f32)(s64)a : (f32)a)
DIRECTED(directed_f64_of_integer, f64, (unsigned rounding, u64 x, int is_signed),
         volatile u64 a = x, is_signed ? (f64)(s64)a : (f64)a)

#define DIRECTED_ARITHMETIC(T, root, fused)                                                        \
    DIRECTED(directed_add_##T, T, (unsigned rounding, T x, T y), volatile T a = x;                 \
             volatile T b = y, a + b)                                                              \
    DIRECTED(directed_sub_##T, T, (unsigned rounding, T x, T y), volatile T a = x;                 \
             volatile T b = y, a - b)                                                              \
    DIRECTED(directed_mul_##T, T, (unsigned rounding, T x, T y), volatile T a = x;                 \
             volatile T b = y, a * b)                                                              \
    DIRECTED(directed_div_##T, T, (unsigned rounding, T x, T y), volatile T a = x;                 \
             volatile T b = y, a / b)                                                              \
    DIRECTED(directed_sqrt_##T, T, (unsigned rounding, T x), volatile T a = x, root(a))            \
    DIRECTED(directed_fma_##T, T, (unsigned rounding, T x, T y, T z), volatile T a = x;            \
             volatile T b = y; volatile T c = z, fused(a, b, c))

DIRECTED_ARITHMETIC(f32, sqrtf, fmaf)
DIRECTED_ARITHMETIC(f64, sqrt, fma)

typedef f32 none; /* where there is no source: slot 0, never used */

#define DIRECTED_OP(name, opcode, types, key, D, A, B, C, expression)                              \
    static void run_##name(struct warp *warp, const struct op *op, uint32_t mask)                  \
    {                                                                                              \
        volatile D *d = (volatile D *)(void *)(warp->file + op->slot[0]);                          \
        const volatile A *a = (const volatile A *)(void *)(warp->file + op->slot[1]);              \
        const volatile B *b = (const volatile B *)(void *)(warp->file + op->slot[2]);              \
        const volatile C *c = (const volatile C *)(void *)(warp->file + op->slot[3]);              \
        fesetround(host_mode(op->kind));                                                           \
        for (uint32_t left = mask; left != 0; left &= left - 1) {                                  \
            unsigned i = (unsigned)__builtin_ctz(left);                                            \
            const A x = a[i];                                                                      \
            const B y = b[i];                                                                      \
            const C z = c[i];                                                                      \
            (void)y, (void)z;                                                                      \
            d[i] = canonical_##D((D)(expression));                                                 \
        }                                                                                          \
        fesetround(FE_TONEAREST);                                                                  \
    }
#include "device/emulated/arithmetic/directed_ops.def"
#undef DIRECTED_OP

op_handler *const directed_handlers[OP_CODE_COUNT] = {
#define DIRECTED_OP(name, ...) [OP_##name] = run_##name,
#include "device/emulated/arithmetic/directed_ops.def"
#undef DIRECTED_OP
};
