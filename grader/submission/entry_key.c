/* entry_key.c: what names of a submission's files are compared by; see entry_name.h. Apart from the
 * rest of them, which the helper that unpacks archives needs too, without this library. */
#include "submission/entry_name.h"

#include <stdlib.h>
#include <string.h>

#include <utf8proc.h>

/* Appends a part of a name, decomposed and without case; as it is if it is not UTF-8. */
static void append_folded(struct text *key, const char *part, size_t length)
{
    utf8proc_uint8_t *folded = NULL;
    utf8proc_ssize_t folded_length =
        utf8proc_map((const utf8proc_uint8_t *)part, (utf8proc_ssize_t)length, &folded,
                     UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | UTF8PROC_CASEFOLD);

    if (folded_length < 0) {
        text_append_bytes(key, part, length);
    } else {
        text_append_bytes(key, (const char *)folded, (size_t)folded_length);
    }
    free(folded);
}

void entry_name_key(const char *name, struct text *out_key)
{
    while (*name != '\0') {
        size_t part = strcspn(name, "/");
        size_t end = part;
        while (end > 0 && (name[end - 1] == '.' || name[end - 1] == ' ')) {
            end--; /* Windows drops them */
        }
        append_folded(out_key, name, end);
        name += part;
        if (*name == '/') {
            text_append_char(out_key, '/');
            name++;
        }
    }
}
