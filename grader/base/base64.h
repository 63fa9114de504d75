/* base64.h: bytes as text of 64 letters (RFC 4648, section 4), padded, on one line. */
#ifndef GPUGRADE_BASE_BASE64_H
#define GPUGRADE_BASE_BASE64_H

#include "base/text.h"

#include <stddef.h>

/* Appends four letters for every three bytes; the last ones are filled up with `=`. */
void base64_append(struct text *out, const void *bytes, size_t length);

#endif
