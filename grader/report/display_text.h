/* display_text.h: text in terminal columns, and colour that only repeats what words say.
 *
 * A column is one cell of a terminal: East Asian wide characters take two, combining characters
 * none. All input has gone through text_append_printable, so it is well-formed UTF-8 without
 * control characters.
 */
#ifndef GPUGRADE_REPORT_DISPLAY_TEXT_H
#define GPUGRADE_REPORT_DISPLAY_TEXT_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

enum paint { PAINT_GOOD, PAINT_PART, PAINT_BAD, PAINT_SKIP, PAINT_STRONG, PAINT_FAINT };

/* Appends `string` in a colour, plain if not `color`. */
void display_paint(struct text *out, bool color, enum paint paint, const char *string);

/* Columns that a string takes. */
size_t display_width(const char *string);

/* Appends a string and blanks up to `columns`; a longer string is cut and ends in "...". */
void display_append_padded(struct text *out, const char *string, size_t columns);

/* Appends the columns from `skip` to `skip + columns` of a string, with "..." where it is cut. */
void display_append_window(struct text *out, const char *string, size_t skip, size_t columns);

/* Bytes of the longest head of a string that takes at most `columns` and ends where a line may be
 * broken: before a blank, or at the string's end. A first word that is longer is cut; at least one
 * character is taken. */
size_t display_line_bytes(const char *string, size_t columns);

/* Where text is wrapped: it starts at column `at` of the line, further lines start with `indent`
 * blanks, none is wider than `columns`, and all but the first `lines` are left out, with "...". No
 * further line is a command to GitHub's runner (text_command_start): its colon is written \x3A. */
struct wrap {
    size_t at, indent, columns, lines;
};

/* Appends a string in as many lines as it takes; none ends in a newline. */
void display_append_wrapped(struct text *out, const char *string, const struct wrap *wrap);

/* Appends text from a submission: printable, on one line, and at most a few kilobytes of it, then
 * how much is left out. NULL is the empty string. */
void display_append_foreign(struct text *out, const char *string);

#endif
