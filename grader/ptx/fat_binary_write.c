/* fat_binary_write.c: see fat_binary_write.h. */
#include "ptx/fat_binary_write.h"

#include <stdint.h>
#include <stdio.h>

enum { HEADER_BYTES = 16, ENTRY_BYTES = 64, OPTIONS_BYTES = 8, KIND_PTX = 1, ALIGNMENT = 8 };

static void append_number(struct text *out, uint64_t value, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        text_append_char(out, (char)(value >> (8 * i) & 0xFF));
    }
}

static size_t whole_units(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static void append_padded(struct text *out, const char *bytes, size_t length, size_t padded)
{
    text_append_bytes(out, bytes, length);
    text_append_repeated(out, '\0', padded - length);
}

void fat_binary_write(const char *ptx, size_t length, unsigned arch, unsigned registers,
                      struct text *out)
{
    char options[48] = "";
    const int written =
        registers > 0 ? snprintf(options, sizeof options, " -maxrregcount=%u ", registers) : 0;
    const size_t options_padded = whole_units((size_t)written);
    const size_t header_bytes = ENTRY_BYTES + (registers > 0 ? OPTIONS_BYTES + options_padded : 0);
    const size_t padded = whole_units(length + 1); /* a NUL ends the text, as in nvcc's */

    append_number(out, 0xBA55ED50, 4);
    append_number(out, 1, 2);
    append_number(out, HEADER_BYTES, 2);
    append_number(out, header_bytes + padded, 8);

    append_number(out, KIND_PTX, 2);
    append_number(out, 0x101, 2);
    append_number(out, header_bytes, 4);
    append_number(out, padded, 8);
    append_number(out, 0, 4); /* compressed size */
    append_number(out, registers > 0 ? ENTRY_BYTES : 0, 4);
    append_number(out, 0, 4); /* version */
    append_number(out, arch, 4);
    append_number(out, 0, 8); /* name */
    append_number(out, 0, 8); /* flags */
    append_number(out, 0, 8); /* reserved */
    append_number(out, 0, 8); /* uncompressed size */
    if (registers > 0) {
        append_number(out, ENTRY_BYTES + OPTIONS_BYTES, 4);
        append_number(out, (size_t)written, 4);
        append_padded(out, options, (size_t)written, options_padded);
    }
    append_padded(out, ptx, length, padded);
}
