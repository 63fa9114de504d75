/* directed_rounding.c: arithmetic that rounds toward zero, minus or plus infinity.
 *
 * The host's rounding mode is switched for one operation. Operands pass through volatile objects,
 * so that the compiler moves no arithmetic across the switch.
 */
#include "device/emulated/rare_math.h"
#include "ptx/ptx.h"

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

#define DIRECTED(name, T, parameters, loads, expression)                                           \
    T name parameters                                                                              \
    {                                                                                              \
        loads;                                                                                     \
        fesetround(host_mode(rounding));                                                           \
        volatile T result = (T)(expression);                                                       \
        fesetround(FE_TONEAREST);                                                                  \
        return canonical_##T(result);                                                              \
    }

#define LOAD_TWO(T) volatile T a = x, b = y
#define LOAD_THREE(T) volatile T a = x, b = y, c = z

DIRECTED(directed_add_f32, f32, (unsigned rounding, f32 x, f32 y), LOAD_TWO(f32), a + b)
DIRECTED(directed_mul_f32, f32, (unsigned rounding, f32 x, f32 y), LOAD_TWO(f32), a *b)
DIRECTED(directed_div_f32, f32, (unsigned rounding, f32 x, f32 y), LOAD_TWO(f32), a / b)
DIRECTED(directed_fma_f32, f32, (unsigned rounding, f32 x, f32 y, f32 z), LOAD_THREE(f32),
         fmaf(a, b, c))
DIRECTED(directed_sqrt_f32, f32, (unsigned rounding, f32 x), volatile f32 a = x, sqrtf(a))
DIRECTED(directed_add_f64, f64, (unsigned rounding, f64 x, f64 y), LOAD_TWO(f64), a + b)
DIRECTED(directed_mul_f64, f64, (unsigned rounding, f64 x, f64 y), LOAD_TWO(f64), a *b)
DIRECTED(directed_div_f64, f64, (unsigned rounding, f64 x, f64 y), LOAD_TWO(f64), a / b)
DIRECTED(directed_fma_f64, f64, (unsigned rounding, f64 x, f64 y, f64 z), LOAD_THREE(f64),
         fma(a, b, c))
DIRECTED(directed_sqrt_f64, f64, (unsigned rounding, f64 x), volatile f64 a = x, sqrt(a))
DIRECTED(directed_f32_of_f64, f32, (unsigned rounding, f64 x), volatile f64 a = x, a)
DIRECTED(directed_f32_of_integer, f32, (unsigned rounding, u64 x, int is_signed),
         volatile u64 a = x, is_signed ? (f32)(s64)a : (f32)a)
DIRECTED(directed_f64_of_integer, f64, (unsigned rounding, u64 x, int is_signed),
         volatile u64 a = x, is_signed ? (f64)(s64)a : (f64)a)
