/* printed_span.h: parts of what a program printed, which is foreign text: no NUL ends them. */
#ifndef GPUGRADE_CRITERIA_PRINTOUTS_PRINTED_SPAN_H
#define GPUGRADE_CRITERIA_PRINTOUTS_PRINTED_SPAN_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

struct span {
    const char *start;
    size_t length;
};

bool span_is_blank(char c);

/* Without blanks at both ends. */
struct span span_trimmed(struct span span);

/* Takes the next line, without its end; false at the end of the output. */
bool span_next_line(struct span *rest, struct span *out_line);

/* Between "`", printable and cut. */
const char *span_quoted(struct arena *arena, struct span span);

/* Where the digits at `at` end; a NUL ends the text. */
size_t span_digits(const char *text, size_t at);

/* A decimal number: [sign] digits [. digits] [e [sign] digits], with a digit before the exponent.
 * Returns its length, 0 if it is none; *out_decimals is the place of its last digit: 2 for 0.03,
 * 4 for 3.03e-02. The text ends with a NUL. */
size_t span_decimal(const char *text, int *out_decimals);

#endif
