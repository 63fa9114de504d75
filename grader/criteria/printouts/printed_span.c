/* printed_span.c: see printed_span.h. */
#include "criteria/printouts/printed_span.h"

#include "base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { QUOTED_MAX = 80 };

bool span_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

struct span span_trimmed(struct span span)
{
    while (span.length > 0 && span_is_blank(span.start[0])) {
        span.start++;
        span.length--;
    }
    while (span.length > 0 && span_is_blank(span.start[span.length - 1])) {
        span.length--;
    }
    return span;
}

bool span_next_line(struct span *rest, struct span *out_line)
{
    if (rest->length == 0) {
        return false;
    }
    const char *end = memchr(rest->start, '\n', rest->length);
    size_t length = end != NULL ? (size_t)(end - rest->start) : rest->length;
    size_t taken = end != NULL ? length + 1 : length;
    *out_line = (struct span){rest->start, length};
    rest->start += taken;
    rest->length -= taken;
    return true;
}

const char *span_quoted(struct arena *arena, struct span span)
{
    struct text text;

    span = span_trimmed(span);
    text_init(&text);
    text_append_printable(&text, span.start, span.length < QUOTED_MAX ? span.length : QUOTED_MAX,
                          false);
    const char *copy =
        arena_printf(arena, "`%s%s`", text.bytes, span.length > QUOTED_MAX ? "..." : "");
    text_release(&text);
    return copy;
}

size_t span_digits(const char *text, size_t at)
{
    while (isdigit((unsigned char)text[at])) {
        at++;
    }
    return at;
}

size_t span_decimal(const char *text, int *out_decimals)
{
    size_t start = text[0] == '-' || text[0] == '+' ? 1 : 0;
    size_t at = span_digits(text, start);
    size_t digits = at - start;
    size_t decimals = 0;
    int exponent = 0;

    if (text[at] == '.') {
        size_t point = at;
        at = span_digits(text, point + 1);
        decimals = at - point - 1;
        digits += decimals;
    }
    if (digits == 0) {
        return 0;
    }
    if (text[at] == 'e' || text[at] == 'E') {
        size_t sign = text[at + 1] == '-' || text[at + 1] == '+' ? 1 : 0;
        size_t end = span_digits(text, at + 1 + sign);
        if (end == at + 1 + sign || end > at + 1 + sign + 3) {
            return 0;
        }
        exponent = (int)strtol(text + at + 1, NULL, 10);
        at = end;
    }
    *out_decimals = (int)decimals - exponent;
    return at;
}
