/* script_policy.c: see script_policy.h. */
#include "report/script_policy.h"

#include "base/base64.h"
#include "base/file.h"

#include <stdlib.h>
#include <string.h>

/* The value of two hexadecimal digits. */
static unsigned char byte_of(const char *digits)
{
    const char pair[3] = {digits[0], digits[1], '\0'};

    return (unsigned char)strtoul(pair, NULL, 16);
}

/* Appends the SHA-256 of text in base64, as a policy names a script. */
static void append_hash(const char *bytes, struct text *out)
{
    enum { DIGEST_BYTES = 32 };
    unsigned char digest[DIGEST_BYTES];
    char hex[2 * DIGEST_BYTES + 1];

    hash_bytes(bytes, strlen(bytes), hex);
    for (size_t i = 0; i < DIGEST_BYTES; i++) {
        digest[i] = byte_of(hex + 2 * i);
    }
    base64_append(out, digest, DIGEST_BYTES);
}

void script_policy(const char *script, struct text *out)
{
    text_append(out, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                     "style-src 'unsafe-inline'; script-src 'sha256-");
    append_hash(script, out);
    text_append(out, "'; base-uri 'none'; form-action 'none'\">\n");
}
