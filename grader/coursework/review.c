/* review.c: the lines of a review; see review.h. */
#include "coursework/review.h"

#include <stdarg.h>
#include <stdio.h>

enum { LINE_BYTES_MAX = 1024 };

static void say(struct review *review, const char *word, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

static void say(struct review *review, const char *word, const char *format, va_list arguments)
{
    char line[LINE_BYTES_MAX];

    vsnprintf(line, sizeof line, format, arguments);
    text_printf(review->out, "%-5s %s\n", word, line);
}

void review_ok(struct review *review, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    say(review, "ok", format, arguments);
    va_end(arguments);
}

void review_fail(struct review *review, const char *format, ...)
{
    va_list arguments;

    review->failed++;
    va_start(arguments, format);
    say(review, "FAIL", format, arguments);
    va_end(arguments);
}

void review_note(struct review *review, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    say(review, "note", format, arguments);
    va_end(arguments);
}
