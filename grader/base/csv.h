/* csv.h: reads and writes CSV tables (RFC 4180).
 *
 * Read: lines end with CRLF, LF or CR, cells may be quoted, a byte order mark is skipped, and the
 * separator is the one of comma, semicolon and tab that the first line uses. Written: CRLF, quotes
 * only where needed, and a cell that a spreadsheet would take for a formula (it starts with = + -
 * @, a tab or a carriage return, and is not a number) gets an apostrophe in front, and so does text
 * that starts like one after a semicolon, a tab or the end of a line within a cell.
 */
#ifndef GPUGRADE_BASE_CSV_H
#define GPUGRADE_BASE_CSV_H

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/text.h"

#include <stddef.h>

struct csv_row {
    const char *const *cells; /* [cell_count] well-formed UTF-8 */
    size_t cell_count;
    int line; /* on which it starts, from 1 */
};

struct csv_table {
    const char *const *header; /* [column_count] the first row, without blanks around */
    size_t column_count;
    const struct csv_row *rows; /* [row_count] those below; empty lines are left out */
    size_t row_count;
};

/* Reads a table into the arena. Errors: ERROR_SYNTAX with line and column (an open quote, bytes
 * after a closing one, no UTF-8, a row with more cells than the header), blaming usage. */
enum error csv_read(struct arena *arena, const char *bytes, size_t length, const char *file,
                    struct csv_table *out_table, struct diagnostic *diagnostic);

/* The column whose header is one of `names` (NULL-terminated), whatever the case of its letters; -1
 * if there is none. */
int csv_column(const struct csv_table *table, const char *const *names);

/* A cell; "" where the row is too short or the column is -1. */
const char *csv_cell(const struct csv_row *row, int column);

/* A copy of a text without the blanks around. */
const char *csv_trimmed(struct arena *arena, const char *text);

/* Append a cell, with a comma in front unless it is the first one of its line; end the line. */
void csv_append_text(struct text *out, const char *text);
void csv_append_number(struct text *out, double number); /* up to 6 decimals, no exponent */
void csv_end_row(struct text *out);

#endif
