/* libdevice.h: calls of libdevice by name.
 *
 * nvcc, and clang beside a CUDA toolkit, link the bodies of libdevice's functions into what they
 * compile. Without the toolkit they stay calls of names that the module only declares
 * (__nv_sqrtf). The emulated device executes them itself, lane by lane, by the table libdevice.def:
 *   what is exact in libdevice (integers, conversions, arithmetic with a rounding, whole numbers,
 *   minimum and maximum) has the same bits here;
 *   the rest is what the C library of the host computes, or what libdevice_math.h adds to it. Its
 *   error is within the one that NVIDIA publishes. Its last bits may differ from those of a GPU.
 * Subnormal numbers are kept, divisions and square roots are precise, as by default with both
 * compilers. Pointers are followed with the checks of any access, but these accesses are neither
 * counted nor watched for races.
 *
 * A function that the module defines itself is that one. Calls through a pointer to one of these
 * functions fail.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_LIBDEVICE_LIBDEVICE_H
#define GPUGRADE_DEVICE_EMULATED_LIBDEVICE_LIBDEVICE_H

#include "device/emulated/machine.h"

enum { LIBDEVICE_PARAMETERS = 4 };

/* The lane that calls. */
struct libdevice_lane {
    struct warp *warp;
    const struct op *op;
    unsigned lane;
};

/* A row of the table. */
struct libdevice_function {
    const char *name;                         /* without "__nv_" */
    uint8_t parameters[LIBDEVICE_PARAMETERS]; /* bytes of each; 0: there is none */
    uint8_t result;                           /* bytes; 0: none */
    uint64_t (*compute)(const struct libdevice_lane *at,
                        const uint64_t arguments[LIBDEVICE_PARAMETERS]);
};

/* All functions, in the order of the table. */
size_t libdevice_functions(const struct libdevice_function **out_functions);

/* The function that a declaration names; NULL if there is none, or the declaration has other
 * parameters. */
const struct libdevice_function *libdevice_find(const struct ptx_function *function);

/* The handler of OP_LIBDEVICE. */
void libdevice_run(struct warp *warp, const struct op *op, uint32_t mask);

#endif
