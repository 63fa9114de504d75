/* register_limit.c: see register_limit.h. */
#include "ptx/register_limit.h"

#include <stdbool.h>
#include <string.h>

/* The first place from `at` on with one of two characters; the length if there is none. */
static size_t find_either(const char *ptx, size_t length, size_t at, const char characters[2])
{
    while (at < length && ptx[at] != characters[0] && ptx[at] != characters[1]) {
        at++;
    }
    return at;
}

/* The place after the next ".entry"; the length if there is none. */
static size_t find_kernel(const char *ptx, size_t length, size_t at)
{
    static const char word[] = ".entry";
    const size_t word_length = sizeof word - 1;
    const char *found = memmem(ptx + at, length - at, word, word_length);

    return found == NULL ? length : (size_t)(found - ptx) + word_length;
}

/* True for the directives of a kernel that is bounded already. */
static bool is_bounded(const char *head, size_t length)
{
    static const char *const words[] = {".maxntid", ".reqntid", ".minnctapersm", ".maxnreg"};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (memmem(head, length, words[i], strlen(words[i])) != NULL) {
            return true;
        }
    }
    return false;
}

void register_limit_write(const char *ptx, size_t length, uint32_t registers, struct text *out)
{
    size_t copied = 0;

    for (size_t at = find_kernel(ptx, length, 0); at < length; at = find_kernel(ptx, length, at)) {
        const size_t open = find_either(ptx, length, at, "({");
        const bool has_parameters = open < length && ptx[open] == '(';
        const size_t close = has_parameters ? find_either(ptx, length, open, "))") : open;
        const size_t head = close + (has_parameters && close < length ? 1 : 0);
        at = find_either(ptx, length, head, "{;");
        if (at < length && ptx[at] == '{' && !is_bounded(ptx + head, at - head)) {
            text_append_bytes(out, ptx + copied, head - copied);
            text_printf(out, " .maxnreg %u ", (unsigned)registers);
            copied = head;
        }
    }
    text_append_bytes(out, ptx + copied, length - copied);
}
