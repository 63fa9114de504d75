/* print_format.h: what printf of a kernel prints.
 *
 *   %[flags][width][.precision][size]type     flags  # blank 0 + -     width, precision  digits *
 *                                             size   hh h l ll z j t   type  % c d i o u x X p
 *                                                                            e E f F g G a A s
 *
 * Any combination is accepted, as the CUDA programming guide says; text that is not a conversion,
 * and conversions after the 32nd argument, are printed unchanged. Arguments follow each other as
 * nvcc packs them, each at a multiple of its size: 4 bytes for int and char, 8 for long, double and
 * pointers. The format never reaches the host's printf: each conversion is read, checked and done
 * on its own.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_EXEC_PRINT_FORMAT_H
#define GPUGRADE_DEVICE_EMULATED_EXEC_PRINT_FORMAT_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PRINT_ARGUMENTS_MAX = 32,
    PRINT_FIELD_MAX = 1 << 14, /* width and precision; a wider conversion is printed unchanged */
    PRINT_NULL_FORMAT = -1,
    PRINT_BAD_MEMORY = -2,
};

/* A call of vprintf: where its format and its arguments lie, and how device memory is read. */
struct print_call {
    uint64_t format, arguments;
    size_t limit; /* bytes of text; what is longer is cut */
    void *context;
    /* Copies `bytes` (1, 4 or 8) from a device address; false if it cannot be read. */
    bool (*read)(void *context, uint64_t address, size_t bytes, void *out);
};

/* Appends the text. Returns what vprintf does: the number of arguments, or one of the above (then
 * nothing is appended). */
int print_format(const struct print_call *call, struct text *out);

#endif
