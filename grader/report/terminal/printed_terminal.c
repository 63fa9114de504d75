/* printed_terminal.c: see printed_terminal.h. */
#include "report/terminal/printed_terminal.h"

#include "report/display_text.h"

#include <string.h>

enum { DEFAULT_COLUMNS = 100, MARGIN_COLUMNS = 5, TEXT_COLUMNS_MIN = 20 };

/* Appends one line of an output as it may be shown. */
static void append_line(const char *bytes, size_t length, const struct terminal_style *style,
                        struct text *out)
{
    size_t screen = style->columns > 0 ? (size_t)style->columns : DEFAULT_COLUMNS;
    size_t columns =
        screen > MARGIN_COLUMNS + TEXT_COLUMNS_MIN ? screen - MARGIN_COLUMNS : TEXT_COLUMNS_MIN;
    struct text line;

    text_init(&line);
    text_append_printable(&line, bytes, length, false);
    display_paint(out, style->color, PAINT_FAINT, "   |");
    if (line.length > 0) {
        text_append_char(out, ' ');
        display_append_window(out, line.bytes, 0, columns);
    }
    text_append_char(out, '\n');
    text_release(&line);
}

static void append_output(const struct program_output *output, const struct terminal_style *style,
                          struct text *out)
{
    size_t at = 0;

    text_printf(out, "\nprinted by %s%s:\n", output->program,
                output->is_errors ? " to standard error" : "");
    for (int lines = 0; at < output->length && lines < PRINTED_LINES_MAX; lines++) {
        const char *start = output->bytes + at;
        const char *newline = memchr(start, '\n', output->length - at);
        size_t length = newline == NULL ? output->length - at : (size_t)(newline - start);
        append_line(start, length, style, out);
        at += length + (newline == NULL ? 0 : 1);
    }
    size_t left = output->length - at + output->left_out;
    if (left > 0) {
        text_printf(out, "   and %zu more byte%s\n", left, left == 1 ? "" : "s");
    }
}

void terminal_printed(const struct report *report, const struct terminal_style *style,
                      struct text *out)
{
    for (size_t i = 0; i < report->output_count; i++) {
        append_output(&report->outputs[i], style, out);
    }
}
