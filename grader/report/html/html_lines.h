/* html_lines.h: source lines with marks in them and labels under them, and which lines the page
 * has.
 *
 * The page shows the files that the rubric asks for and those that a diagnostic or a profile names.
 * Of a file of more than HTML_FILE_LINES lines it shows only what is around the places they name.
 */
#ifndef GPUGRADE_REPORT_HTML_LINES_H
#define GPUGRADE_REPORT_HTML_LINES_H

#include "base/arena.h"
#include "base/text.h"
#include "model/report.h"

#include <stdbool.h>
#include <stddef.h>

enum { HTML_FILE_LINES = 4000, HTML_LINE_BYTES = 1000, HTML_NEAR_LINES = 10 };

/* A mark and the diagnostic that makes it. */
struct html_mark {
    struct diagnostic_mark mark;
    size_t diagnostic; /* index in the report */
};

/* The marks of a diagnostic, in the arena, by file and line, those of its own file first; one for
 * its place if it has none. */
struct html_mark *html_marks_of(const struct report *report, size_t diagnostic, struct arena *arena,
                                size_t *out_count);

/* All marks in one file, by line. */
struct html_mark *html_marks_in(const struct report *report, const char *file, struct arena *arena,
                                size_t *out_count);

/* Number of lines of a source. */
int html_line_count(const struct source_file *source);

/* True if the page shows a source. */
bool html_shows_file(const struct report *report, const struct source_file *source);

/* True if a line of a long file is near to one that a diagnostic or a profile names. */
bool html_is_near(const struct report *report, const struct source_file *source, int line);

/* The index of the shown source that has a line (0: any); SIZE_MAX if the page has no such place.
 */
size_t html_source_of(const struct report *report, const char *file, int line);

/* Appends a place: `file:31:13`, a link if the page shows that line. */
void html_place(const struct report *report, struct text *out, const char *file, int line,
                int column);

/* A line of a source, without its newline and trailing blanks. */
struct html_line {
    int number;
    const char *bytes;
    size_t length;
    const struct html_mark *marks; /* [mark_count] on this line */
    size_t mark_count;
    double heat; /* its share of what its kernel moves, 0 .. 1; 0: none, or not counted */
};

/* Appends a line as an item of a list, `<li value="31">`. With a file number, from 1, it has an id,
 * and each label names its diagnostic and links to it. */
void html_line(const struct report *report, const struct html_line *line, size_t file_number,
               struct text *out);

/* Appends the text of a line with its marks: at most HTML_LINE_BYTES, then how much is left out. */
void html_line_code(const struct html_line *line, struct text *out);

/* Cuts the next line off a text that starts at *at and ends at `end`; false at the end. */
bool html_next_line(const char **at, const char *end, struct html_line *out_line);

#endif
