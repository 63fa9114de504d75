/* csv.c: one pass over the bytes, a cell at a time; see csv.h. */
#include "base/csv.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Where the reader stands. */
struct reader {
    struct arena *arena;
    const char *bytes;
    size_t length;
    size_t at;
    size_t line_start; /* of the line that `at` is in */
    int line;
    char separator;
    const char *file;
    struct diagnostic *diagnostic;
};

static enum error refuse(const struct reader *reader, const char *what)
{
    diagnostic_set_at(reader->diagnostic, BLAME_USAGE, reader->file, reader->line,
                      (int)(reader->at - reader->line_start) + 1, "%s", what);
    return ERROR_SYNTAX;
}

/* The one of comma, semicolon and tab that stands most often in the first row outside quotes; a
 * comma if none does. */
static char find_separator(const char *bytes, size_t length)
{
    static const char separators[] = {',', ';', '\t'};
    size_t counts[sizeof separators] = {0};
    size_t best = 0;
    bool quoted = false;

    for (size_t i = 0; i < length; i++) {
        if (!quoted && (bytes[i] == '\n' || bytes[i] == '\r')) {
            break;
        }
        quoted ^= bytes[i] == '"';
        for (size_t j = 0; j < sizeof separators && !quoted; j++) {
            counts[j] += bytes[i] == separators[j];
        }
    }
    for (size_t j = 1; j < sizeof separators; j++) {
        best = counts[j] > counts[best] ? j : best;
    }
    return separators[best];
}

/* The end of a line begins here: LF, CRLF or CR. */
static bool at_line_end(const struct reader *reader)
{
    return reader->at >= reader->length || reader->bytes[reader->at] == '\n' ||
           reader->bytes[reader->at] == '\r';
}

static void pass_line_end(struct reader *reader)
{
    if (reader->at < reader->length) {
        const char *here = reader->bytes + reader->at;
        bool is_pair = reader->length - reader->at >= 2 && here[0] == '\r' && here[1] == '\n';
        reader->at += is_pair ? 2 : 1;
        reader->line++;
        reader->line_start = reader->at;
    }
}

/* Behind the opening quote; ends behind the closing one. */
static enum error read_quoted(struct reader *reader, struct text *cell)
{
    const struct reader start = *reader;

    while (reader->at < reader->length) {
        char c = reader->bytes[reader->at++];
        bool is_doubled = reader->at < reader->length && reader->bytes[reader->at] == '"';
        if (c == '"' && !is_doubled) {
            return ERROR_NONE;
        }
        reader->at += c == '"';
        text_append_char(cell, c);
        if (c == '\n') {
            reader->line++;
            reader->line_start = reader->at;
        }
    }
    *reader = start;
    reader->at--;
    return refuse(reader, "this quoted cell has no closing quote");
}

static enum error read_cell(struct reader *reader, struct text *cell)
{
    text_clear(cell);
    if (reader->at < reader->length && reader->bytes[reader->at] == '"') {
        reader->at++;
        enum error error = read_quoted(reader, cell);
        if (error != ERROR_NONE) {
            return error;
        }
        if (!at_line_end(reader) && reader->bytes[reader->at] != reader->separator) {
            return refuse(reader,
                          "expected a separator or the end of the line after a quoted cell; "
                          "a quote within a cell is written twice");
        }
        return ERROR_NONE;
    }
    while (!at_line_end(reader) && reader->bytes[reader->at] != reader->separator) {
        text_append_char(cell, reader->bytes[reader->at++]);
    }
    return ERROR_NONE;
}

/* Reads one row; *out_is_empty: the line holds nothing at all. */
static enum error read_row(struct reader *reader, struct csv_row *out_row, bool *out_is_empty)
{
    const char **cells = NULL;
    size_t count = 0;
    size_t capacity = 0;
    struct text cell;
    enum error error = ERROR_NONE;

    *out_is_empty = at_line_end(reader);
    out_row->line = reader->line;
    text_init(&cell);
    for (bool more = !*out_is_empty; more && error == ERROR_NONE;) {
        error = read_cell(reader, &cell);
        arena_grow(reader->arena, &cells, &capacity, count + 1, sizeof *cells);
        cells[count++] = arena_strndup(reader->arena, cell.bytes, cell.length);
        more = error == ERROR_NONE && !at_line_end(reader);
        reader->at += more; /* the separator */
    }
    text_release(&cell);
    pass_line_end(reader);
    out_row->cells = cells;
    out_row->cell_count = count;
    return error;
}

const char *csv_trimmed(struct arena *arena, const char *text)
{
    while (isspace((unsigned char)*text)) {
        text++;
    }
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1])) {
        length--;
    }
    return arena_strndup(arena, text, length);
}

static bool is_beyond_header(const struct csv_row *row, size_t column_count)
{
    for (size_t i = column_count; i < row->cell_count; i++) {
        if (row->cells[i][0] != '\0') {
            return true;
        }
    }
    return false;
}

static enum error read_header(struct reader *reader, struct csv_table *table)
{
    struct csv_row row = {0};
    bool is_empty = true;
    enum error error = ERROR_NONE;

    while (is_empty && error == ERROR_NONE && reader->at < reader->length) {
        error = read_row(reader, &row, &is_empty);
    }
    if (error == ERROR_NONE && is_empty) {
        return refuse(reader, "the table is empty; its first line names the columns");
    }
    const char **header = arena_array(reader->arena, row.cell_count, sizeof *header);
    for (size_t i = 0; i < row.cell_count; i++) {
        header[i] = csv_trimmed(reader->arena, row.cells[i]);
    }
    table->header = header;
    table->column_count = row.cell_count;
    return error;
}

static enum error read_rows(struct reader *reader, struct csv_table *table)
{
    struct csv_row *rows = NULL;
    size_t capacity = 0;
    enum error error = ERROR_NONE;

    while (error == ERROR_NONE && reader->at < reader->length) {
        struct csv_row row;
        bool is_empty;
        error = read_row(reader, &row, &is_empty);
        if (error != ERROR_NONE || is_empty) {
            continue;
        }
        if (is_beyond_header(&row, table->column_count)) {
            diagnostic_set_at(
                reader->diagnostic, BLAME_USAGE, reader->file, row.line, 0,
                "the row has %zu cells, but the first line names %zu columns; put a cell "
                "that contains a separator in quotes",
                row.cell_count, table->column_count);
            return ERROR_SYNTAX;
        }
        arena_grow(reader->arena, &rows, &capacity, table->row_count + 1, sizeof *rows);
        rows[table->row_count++] = row;
    }
    table->rows = rows;
    return error;
}

/* Names the first byte that is no UTF-8. */
static enum error check_text(struct reader *reader)
{
    while (reader->at < reader->length) {
        unsigned char c = (unsigned char)reader->bytes[reader->at];
        uint32_t character;
        size_t step = c != 0 && c < 0x80 ? 1
                                         : text_character(reader->bytes + reader->at,
                                                          reader->length - reader->at, &character);
        if (step == 0 || c == 0) {
            return refuse(reader, "this byte is not UTF-8 text; save the table as CSV in UTF-8");
        }
        reader->at += step;
        if (c == '\n') {
            reader->line++;
            reader->line_start = reader->at;
        }
    }
    return ERROR_NONE;
}

enum error csv_read(struct arena *arena, const char *bytes, size_t length, const char *file,
                    struct csv_table *out_table, struct diagnostic *diagnostic)
{
    static const char byte_order_mark[] = "\xEF\xBB\xBF";
    size_t mark = sizeof byte_order_mark - 1;
    struct csv_table table = {0};

    if (length >= mark && memcmp(bytes, byte_order_mark, mark) == 0) {
        bytes += mark;
        length -= mark;
    }
    struct reader reader = {
        .arena = arena,
        .bytes = bytes,
        .length = length,
        .line = 1,
        .separator = find_separator(bytes, length),
        .file = file,
        .diagnostic = diagnostic,
    };
    struct reader check = reader;
    enum error error = check_text(&check);
    if (error == ERROR_NONE) {
        error = read_header(&reader, &table);
    }
    if (error == ERROR_NONE) {
        error = read_rows(&reader, &table);
    }
    if (error == ERROR_NONE) {
        *out_table = table;
    }
    return error;
}

int csv_column(const struct csv_table *table, const char *const *names)
{
    for (size_t i = 0; names[i] != NULL; i++) {
        for (size_t j = 0; j < table->column_count; j++) {
            if (strcasecmp(names[i], table->header[j]) == 0) {
                return (int)j;
            }
        }
    }
    return -1;
}

const char *csv_cell(const struct csv_row *row, int column)
{
    return column >= 0 && (size_t)column < row->cell_count ? row->cells[column] : "";
}

/* The first cell of a line has no comma in front. */
static void begin_cell(struct text *out)
{
    if (out->length > 0 && out->bytes[out->length - 1] != '\n') {
        text_append_char(out, ',');
    }
}

/* "-3.5", "+1e6": a whole cell that is a plain number is no formula. */
static bool is_number(const char *text)
{
    char *end;

    if (strspn(text, "+-0123456789.eE") != strlen(text)) {
        return false;
    }
    (void)strtod(text, &end);
    return end != text && *end == '\0';
}

/* Begins a cell for readers that separate otherwise: to them a quote in the middle of a line is no
 * quote. */
static bool begins_formula(const char *text, const char *at)
{
    return at > text && strchr(";\t\r\n", at[-1]) != NULL && strchr("=+-@", *at) != NULL;
}

void csv_append_text(struct text *out, const char *text)
{
    bool is_formula = text[0] != '\0' && strchr("=+-@\t\r", text[0]) != NULL && !is_number(text);

    begin_cell(out);
    /* Quoted as well: an empty cell that opens a line, which nothing else would tell to be there,
     * blanks around, which readers may drop, and what could be a byte order mark. */
    size_t length = strlen(text);
    bool is_first = out->length == 0 || out->bytes[out->length - 1] == '\n';
    bool is_quoted = strpbrk(text, ",;\t\"\r\n") != NULL || (length == 0 && is_first) ||
                     (unsigned char)text[0] == 0xEF ||
                     (length > 0 && (text[0] == ' ' || text[length - 1] == ' '));
    if (is_quoted) {
        text_append_char(out, '"');
    }
    if (is_formula) {
        text_append_char(out, '\'');
    }
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '"') {
            text_append_char(out, '"');
        }
        if (begins_formula(text, c)) {
            text_append_char(out, '\'');
        }
        text_append_char(out, *c);
    }
    if (is_quoted) {
        text_append_char(out, '"');
    }
}

void csv_append_number(struct text *out, double number)
{
    assert(isfinite(number));
    begin_cell(out);
    size_t start = out->length;
    text_printf(out, "%.6f", number);
    while (out->bytes[out->length - 1] == '0') {
        out->length--;
    }
    out->length -= out->bytes[out->length - 1] == '.';
    out->bytes[out->length] = '\0';
    if (strcmp(out->bytes + start, "-0") == 0) {
        out->length = start;
        text_append_char(out, '0');
    }
}

void csv_end_row(struct text *out)
{
    text_append(out, "\r\n");
}
