/* base64.c: see base64.h. */
#include "base/base64.h"

#include <stdint.h>

void base64_append(struct text *out, const void *bytes, size_t length)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *byte = bytes;

    for (size_t i = 0; i < length; i += 3) {
        size_t left = length - i;
        uint32_t group = (uint32_t)byte[i] << 16;
        group |= left > 1 ? (uint32_t)byte[i + 1] << 8 : 0;
        group |= left > 2 ? (uint32_t)byte[i + 2] : 0;
        text_append_char(out, letters[group >> 18]);
        text_append_char(out, letters[group >> 12 & 63]);
        text_append_char(out, left > 1 ? letters[group >> 6 & 63] : '=');
        text_append_char(out, left > 2 ? letters[group & 63] : '=');
    }
}
