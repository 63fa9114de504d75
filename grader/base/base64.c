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

/* What a letter stands for; 64 for any other. */
static uint32_t value_of(char letter)
{
    if (letter >= 'A' && letter <= 'Z') {
        return (uint32_t)(letter - 'A');
    }
    if (letter >= 'a' && letter <= 'z') {
        return (uint32_t)(letter - 'a') + 26;
    }
    if (letter >= '0' && letter <= '9') {
        return (uint32_t)(letter - '0') + 52;
    }
    return letter == '+' ? 62 : letter == '/' ? 63 : 64;
}

bool base64_decode(struct text *out, const char *letters, size_t length)
{
    if (length % 4 != 0) {
        return false;
    }
    for (size_t i = 0; i < length; i += 4) {
        bool is_last = i + 4 == length;
        size_t filled = is_last && letters[i + 3] == '=' ? (letters[i + 2] == '=' ? 2 : 1) : 0;
        uint32_t group = 0;
        for (size_t k = 0; k < 4; k++) {
            uint32_t value = k >= 4 - filled ? 0 : value_of(letters[i + k]);
            if (value == 64) {
                return false;
            }
            group = group << 6 | value;
        }
        if ((filled == 1 && (group & 0xFF) != 0) || (filled == 2 && (group & 0xFFFF) != 0)) {
            return false;
        }
        for (size_t k = 0; k < 3 - filled; k++) {
            text_append_char(out, (char)(group >> (16 - 8 * k) & 0xFF));
        }
    }
    return true;
}
