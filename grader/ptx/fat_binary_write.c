/* fat_binary_write.c: see fat_binary_write.h. */
#include "ptx/fat_binary_write.h"

#include <stdint.h>

enum { HEADER_BYTES = 16, ENTRY_BYTES = 64, KIND_PTX = 1, ALIGNMENT = 8 };

static void append_number(struct text *out, uint64_t value, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        text_append_char(out, (char)(value >> (8 * i) & 0xFF));
    }
}

void fat_binary_write(const char *ptx, size_t length, unsigned arch, struct text *out)
{
    /* A NUL ends the text, as in nvcc's. */
    size_t padded = (length + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;

    append_number(out, 0xBA55ED50, 4);
    append_number(out, 1, 2);
    append_number(out, HEADER_BYTES, 2);
    append_number(out, ENTRY_BYTES + padded, 8);

    append_number(out, KIND_PTX, 2);
    append_number(out, 0x101, 2);
    append_number(out, ENTRY_BYTES, 4);
    append_number(out, padded, 8);
    append_number(out, 0, 8); /* compressed size, options */
    append_number(out, 0, 4); /* version */
    append_number(out, arch, 4);
    append_number(out, 0, 8); /* name */
    append_number(out, 0, 8); /* flags */
    append_number(out, 0, 8); /* reserved */
    append_number(out, 0, 8); /* uncompressed size */
    text_append_bytes(out, ptx, length);
    for (size_t i = length; i < padded; i++) {
        text_append_char(out, '\0');
    }
}
