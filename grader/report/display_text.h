/* display_text.h: text in terminal columns, and colour that never stands alone.
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

/* Appends text from a submission: printable, on one line, and at most a few kilobytes of it; what
 * is left out is said. NULL is the empty string. */
void display_append_foreign(struct text *out, const char *string);

#endif
