/* source_line.h: finds a line of a student's source, what a statement in it reads, and how far a
 * mark reaches. Text of any kind is accepted. */
#ifndef GPUGRADE_SOURCE_SOURCE_LINE_H
#define GPUGRADE_SOURCE_SOURCE_LINE_H

#include "model/report.h"

#include <stdbool.h>
#include <stddef.h>

/* One line of a source, without its end and the blanks before it. */
struct source_line {
    const char *bytes;
    size_t length;
};

/* Finds a source by name; NULL if the report does not have it. */
const struct source_file *source_find(const struct report *report, const char *name);

/* Finds a line by its number, from 1; false if the source does not have it. */
bool source_line_at(const struct source_file *source, int number, struct source_line *out_line);

/* The columns of what the statement at a column reads: the right side of its assignment, or the
 * whole assignment if it updates its left side. False, and nothing is set, if it assigns nothing
 * there. */
bool source_find_value(const struct source_file *source, int line, int column, int *out_column,
                       int *out_end);

/* The bytes [*out_start, *out_end) that a mark covers: columns from `column` to before `mark_end`;
 * `mark_end` 0: the name at `column` with the indices after it, the string that starts there, or
 * one character; `column` 0: the whole line without its indentation. The end may be one past the
 * end of the line. */
void source_mark_span(const struct source_line *line, int column, int mark_end, size_t *out_start,
                      size_t *out_end);

#endif
