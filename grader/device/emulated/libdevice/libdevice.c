/* libdevice.c: see libdevice.h. */
#include "device/emulated/libdevice/libdevice.h"

#include "device/emulated/arithmetic/approximate.h"
#include "device/emulated/arithmetic/bit_values.h"
#include "device/emulated/arithmetic/conversion.h"
#include "device/emulated/arithmetic/scalar_math.h"
#include "device/emulated/exec/call_stack.h"
#include "device/emulated/libdevice/libdevice_math.h"
#include "device/emulated/libdevice/libdevice_memory.h"

#include <math.h>

typedef u32 b32;
typedef u64 b64;
typedef u64 pointer;
typedef u32 none;

/* How a type comes from the bits of an argument (ARGUMENT), and goes to those of a result. */
#define ARGUMENT_u16(bits) ((u16)(bits))
#define ARGUMENT_u32(bits) ((u32)(bits))
#define ARGUMENT_s32(bits) ((s32)(u32)(bits))
#define ARGUMENT_u64(bits) (bits)
#define ARGUMENT_s64(bits) ((s64)(bits))
#define ARGUMENT_b32(bits) ((u32)(bits))
#define ARGUMENT_b64(bits) (bits)
#define ARGUMENT_f32(bits) f32_of_bits((u32)(bits))
#define ARGUMENT_f64(bits) f64_of_bits(bits)
#define ARGUMENT_pointer(bits) (bits)
#define ARGUMENT_none(bits) ((u32)(bits))
#define RESULT_u16(x) ((u16)(x))
#define RESULT_u32(x) ((u32)(x))
#define RESULT_s32(x) ((u32)(x))
#define RESULT_u64(x) (x)
#define RESULT_s64(x) ((u64)(x))
#define RESULT_b32(x) ((u32)(x))
#define RESULT_b64(x) (x)
#define RESULT_f32(x) bits_of_f32(canonical_f32(x))
#define RESULT_f64(x) bits_of_f64(canonical_f64(x))
#define RESULT_none(x) ((x), UINT64_C(0))

#define CONVERT(TO, FROM, ROUNDING, x)                                                             \
    convert_bits(&(const struct conversion){.to = PTX_##TO,                                        \
                                            .from = PTX_##FROM,                                    \
                                            .rounding = PTX_ROUND_##ROUNDING},                     \
                 x)

/* Charges a lane's steps from order to order, beside the weight of the op itself. */
static void charge_order(const struct libdevice_lane *at, s32 order)
{
    at->warp->block->work += order > 0 && order <= BESSEL_ORDER_MAX ? (u64)order : 0;
}

#define LIBDEVICE(name, D, A, B, C, E, expression)                                                 \
    static u64 compute_##name(const struct libdevice_lane *at, const u64 *arguments)               \
    {                                                                                              \
        const A x = ARGUMENT_##A(arguments[0]);                                                    \
        const B y = ARGUMENT_##B(arguments[1]);                                                    \
        const C z = ARGUMENT_##C(arguments[2]);                                                    \
        const E w = ARGUMENT_##E(arguments[3]);                                                    \
        (void)at, (void)y, (void)z, (void)w;                                                       \
        return RESULT_##D(expression);                                                             \
    }
#include "device/emulated/libdevice/libdevice.def"
#undef LIBDEVICE

enum {
    BYTES_none = 0,
    BYTES_u16 = 2,
    BYTES_u32 = 4,
    BYTES_s32 = 4,
    BYTES_b32 = 4,
    BYTES_f32 = 4,
    BYTES_u64 = 8,
    BYTES_s64 = 8,
    BYTES_b64 = 8,
    BYTES_f64 = 8,
    BYTES_pointer = 8,
};

static const struct libdevice_function functions[] = {
#define LIBDEVICE(name, D, A, B, C, E, expression)                                                 \
    {#name, {BYTES_##A, BYTES_##B, BYTES_##C, BYTES_##E}, BYTES_##D, compute_##name},
#include "device/emulated/libdevice/libdevice.def"
#undef LIBDEVICE
};

size_t libdevice_functions(const struct libdevice_function **out_functions)
{
    *out_functions = functions;
    return sizeof functions / sizeof functions[0];
}

/* True for a value as it is declared: what is smaller than 32 bits may be passed as 32. */
static bool fits(uint64_t declared, uint8_t bytes)
{
    return declared == bytes || (bytes == 2 && declared == 4);
}

static bool has_signature(const struct ptx_function *function,
                          const struct libdevice_function *known)
{
    size_t count = 0;
    while (count < LIBDEVICE_PARAMETERS && known->parameters[count] != 0) {
        count++;
    }
    if (function->parameter_count != count || function->return_count != (known->result != 0) ||
        (known->result != 0 && !fits(function->returns[0].bytes, known->result))) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!fits(function->parameters[i].bytes, known->parameters[i])) {
            return false;
        }
    }
    return true;
}

const struct libdevice_function *libdevice_find(const struct ptx_function *function)
{
    static const char prefix[] = "__nv_";
    const size_t length = sizeof prefix - 1;
    if (strncmp(function->name, prefix, length) != 0) {
        return NULL;
    }
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        if (strcmp(function->name + length, functions[i].name) == 0) {
            return has_signature(function, &functions[i]) ? &functions[i] : NULL;
        }
    }
    return NULL;
}

void libdevice_run(struct warp *warp, const struct op *op, uint32_t mask)
{
    const struct call_site *site = &warp->block->launch->code->calls[op->target];
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        const struct libdevice_lane at = {warp, op, (unsigned)__builtin_ctz(left)};
        uint64_t arguments[LIBDEVICE_PARAMETERS] = {0};
        for (size_t i = 0; i < site->arguments.count; i++) {
            arguments[i] = call_argument(warp, site, i, at.lane);
        }
        call_store_result(warp, site, at.lane, site->libdevice->compute(&at, arguments));
    }
}
