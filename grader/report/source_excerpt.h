/* source_excerpt.h: lines of a source file with carets under what a diagnostic speaks of.
 *
 *        |
 *     27 |         Bs[ty][tx] = B[i];
 *        |         ---------- written by thread (3,5)
 *     31 |             sum += As[ty][k] * Bs[k][tx];
 *        |                                ^^^^^^^^^ read by thread (3,0)
 */
#ifndef GPUGRADE_REPORT_SOURCE_EXCERPT_H
#define GPUGRADE_REPORT_SOURCE_EXCERPT_H

#include "model/report.h"
#include "report/report_terminal.h"

/* One mark under one line. */
struct excerpt_mark {
    int line;          /* from 1 */
    int column;        /* from 1, in bytes; 0: the whole line */
    int end;           /* the column behind the mark; 0: of the name at `column` */
    bool primary;      /* "^" instead of "-" */
    const char *label; /* "" for none */
};

/* Finds a source by name; NULL if the report does not hold it. */
const struct source_file *source_find(const struct report *report, const char *name);

/* The column, from 1, of a variable's name in a line of a source, the last one with `from_right`;
 * 0 if the line does not name it. */
int source_find_name(const struct source_file *source, int line, const char *name, bool from_right);

/* The columns of what the statement at a column reads: the right side of its assignment, all of it
 * where it updates what is on the left. False, and nothing is set, if it assigns nothing there. */
bool source_find_value(const struct source_file *source, int line, int column, int *out_column,
                       int *out_end);

/* Digits of the largest line number: the width of the excerpt's margin, at least 1. */
size_t excerpt_margin(const struct excerpt_mark *marks, size_t count);

/* Appends the marked lines in the order of the file, each with a row per mark. Sorts `marks`. Marks
 * of lines that the file does not have are left out; nothing is written if none is left. */
void source_excerpt(const struct source_file *source, struct excerpt_mark *marks, size_t count,
                    size_t margin, const struct terminal_style *style, struct text *out);

#endif
