/* entry_variant.c: see entry_variant.h. */
#include "ptx/entry_variant.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_DIGITS = 4 /* of a variant, at most */, LENGTH_DIGITS = 5 /* of a name's length */ };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Where the name in the source starts that ends before `end`, at or before `mark`: what is before
 * it is its length, in so many digits, or the name is not mangled and starts at 0. SIZE_MAX:
 * nowhere. */
static size_t source_name_start(const char *name, size_t mark, size_t end, size_t *out_digits)
{
    *out_digits = 0;
    if (name[0] != '_' || name[1] != 'Z') {
        return 0;
    }
    for (size_t start = mark; start > 2; start--) {
        size_t value = 0;
        size_t scale = 1;
        for (size_t digits = 1; digits <= LENGTH_DIGITS && digits < start - 1; digits++) {
            if (!is_digit(name[start - digits])) {
                break;
            }
            value += scale * (size_t)(name[start - digits] - '0');
            scale *= 10;
            if (value == end - start) {
                *out_digits = digits;
                return start;
            }
        }
    }
    return SIZE_MAX;
}

const char *entry_variant_of(struct arena *arena, const char *name, unsigned *out_number)
{
    const char *found = strstr(name, ENTRY_VARIANT);

    if (found == NULL) {
        return NULL;
    }
    const size_t mark = (size_t)(found - name);
    const size_t number = mark + strlen(ENTRY_VARIANT);
    size_t end = number;
    while (end < number + NUMBER_DIGITS && is_digit(name[end])) {
        end++;
    }
    /* Digits that follow may belong to another name: the length decides. */
    for (; end > number; end--) {
        size_t digits = 0;
        size_t start = source_name_start(name, mark, end, &digits);
        if (start == SIZE_MAX) {
            continue;
        }
        *out_number =
            (unsigned)strtoul(arena_strndup(arena, name + number, end - number), NULL, 10);
        return digits == 0
                   ? arena_printf(arena, "%.*s%s", (int)mark, name, name + end)
                   : arena_printf(arena, "%.*s%zu%.*s%s", (int)(start - digits), name, mark - start,
                                  (int)(mark - start), name + start, name + end);
    }
    return NULL;
}

bool entry_is_in(const char *text, size_t length, const char *name)
{
    static const char directive[] = ".entry ";
    const size_t name_length = strlen(name);
    size_t from = 0;

    while (from < length) {
        const char *found = memmem(text + from, length - from, directive, strlen(directive));
        if (found == NULL) {
            return false;
        }
        from = (size_t)(found - text) + strlen(directive);
        if (length - from > name_length && memcmp(text + from, name, name_length) == 0 &&
            strchr("( \t\r\n", text[from + name_length]) != NULL) {
            return true;
        }
    }
    return false;
}
