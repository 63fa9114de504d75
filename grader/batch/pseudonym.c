/* pseudonym.c: see pseudonym.h. */
#include "batch/pseudonym.h"

#include "base/file.h"
#include "base/rng.h"
#include "base/text.h"

#include <stdint.h>
#include <stdio.h>

bool pseudonym_key(char out_key[PSEUDONYM_KEY_BYTES])
{
    uint64_t numbers[4];

    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (!rng_seed_from_system(&numbers[i])) {
            return false;
        }
    }
    hash_bytes(numbers, sizeof numbers, out_key);
    return true;
}

void pseudonym_make(const char *key, const char *kind, const char *name,
                    char out_pseudonym[PSEUDONYM_BYTES])
{
    struct text text;
    char digits[65];

    text_init(&text);
    text_printf(&text, "%s %s %s", key, kind, name);
    hash_bytes(text.bytes, text.length, digits);
    snprintf(out_pseudonym, PSEUDONYM_BYTES, "%s-%.12s", kind, digits);
    text_release(&text);
}
