/* base64.h: bytes as text of 64 letters (RFC 4648, section 4), padded, on one line. */
#ifndef GPUGRADE_BASE_BASE64_H
#define GPUGRADE_BASE_BASE64_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

/* Appends four letters for every three bytes; the last ones are filled up with `=`. */
void base64_append(struct text *out, const void *bytes, size_t length);

/* Appends the bytes of such a text; false, and `out` may hold some of them, where it is none:
 * another letter, no multiple of four, bits that stand for nothing. */
bool base64_decode(struct text *out, const char *letters, size_t length);

#endif
