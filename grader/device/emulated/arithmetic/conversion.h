/* conversion.h: cvt, for every pair of types. */
#ifndef GPUGRADE_DEVICE_EMULATED_ARITHMETIC_CONVERSION_H
#define GPUGRADE_DEVICE_EMULATED_ARITHMETIC_CONVERSION_H

#include "ptx/ptx.h"

#include <stdbool.h>
#include <stdint.h>

struct conversion {
    enum ptx_type to, from;
    enum ptx_rounding rounding;
    bool saturates, flushes;
    bool clamps;    /* .relu: a negative result becomes 0 */
    bool is_finite; /* .satfinite */
    bool packs;     /* cvt.pack */
};

/* op->count of OP_CONVERT. */
enum { CONVERT_FLUSHES = 1, CONVERT_CLAMPS = 2, CONVERT_IS_FINITE = 4, CONVERT_PACKS = 8 };

/* True if convert_bits() knows both types, or what they are pairs of: integers of 8 to 64 bits,
 * f16, bf16, tf32, f32, f64, e4m3 and e5m2. */
bool conversion_is_known(const struct conversion *conversion);

/* Converts the bits of one value. The result is as wide as its type; integer results are sign- or
 * zero-extended to 64 bits. Where the result is a pair, or packs, two values lie side by side, the
 * lower one first, in the bits of the source and in those of the result.
 *   float to integer: rounds as asked (to zero if nothing is), clamps to the range of the result,
 *   NaN gives 0, and the highest bit alone where f64 or 64-bit integers take part (PTX ISA, cvt).
 * float to float of the same type: rounds to an integer with .rni, .rzi, .rmi or .rpi. */
uint64_t convert_bits(const struct conversion *conversion, uint64_t bits);

#endif
