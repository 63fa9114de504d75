/* diagnostic.c: fills diagnostics; see diagnostic.h. */
#include "base/diagnostic.h"

#include <stdio.h>
#include <string.h>

const char *error_text(enum error error)
{
    static const char *const texts[] = {
#define ERROR(name, text) text,
#include "base/errors.def"
#undef ERROR
    };

    if ((unsigned)error >= ERROR_COUNT) {
        return "unknown error";
    }
    return texts[error];
}

const char *blame_text(enum blame blame)
{
    switch (blame) {
    case BLAME_NONE:
        return "";
    case BLAME_USAGE:
        return "usage";
    case BLAME_STUDENT:
        return "submission";
    case BLAME_RUBRIC:
        return "rubric";
    case BLAME_GRADER:
        return "grader";
    case BLAME_ENVIRONMENT:
        return "environment";
    }
    return "";
}

/* Cuts a UTF-8 string that filled its buffer before a character that did not fit whole. */
static void trim_partial_character(char *text, size_t capacity)
{
    size_t length = strlen(text);

    if (length + 1 < capacity) {
        return;
    }
    while (length > 0 && ((unsigned char)text[length - 1] & 0xC0) == 0x80) {
        length--;
    }
    if (length > 0 && (unsigned char)text[length - 1] >= 0xC0) {
        length--;
    }
    text[length] = '\0';
}

__attribute__((format(printf, 3, 0))) static void
diagnostic_fill(struct diagnostic *out, enum blame blame, const char *format, va_list arguments)
{
    out->blame = blame;
    vsnprintf(out->message, sizeof out->message, format, arguments);
    trim_partial_character(out->message, sizeof out->message);
}

void diagnostic_set(struct diagnostic *out, enum blame blame, const char *format, ...)
{
    va_list arguments;

    if (out == NULL) {
        return;
    }
    out->file[0] = '\0';
    out->line = 0;
    out->column = 0;
    va_start(arguments, format);
    diagnostic_fill(out, blame, format, arguments);
    va_end(arguments);
}

void diagnostic_set_at(struct diagnostic *out, enum blame blame, const char *file, int line,
                       int column, const char *format, ...)
{
    va_list arguments;

    if (out == NULL) {
        return;
    }
    snprintf(out->file, sizeof out->file, "%s", file == NULL ? "" : file);
    trim_partial_character(out->file, sizeof out->file);
    out->line = line;
    out->column = column;
    va_start(arguments, format);
    diagnostic_fill(out, blame, format, arguments);
    va_end(arguments);
}
