/* source_access.h: where a line of a student's source reads or writes a variable. */
#ifndef GPUGRADE_DIAGNOSIS_GROUPING_SOURCE_ACCESS_H
#define GPUGRADE_DIAGNOSIS_GROUPING_SOURCE_ACCESS_H

#include "model/report.h"

#include <stdbool.h>

enum source_access { SOURCE_READ, SOURCE_WRITE, SOURCE_ANY };

/* Finds the columns [*out_column, *out_end) of an access to a variable in a line, with its indices,
 * from `column` on; 0: in the whole line. A debugger's line gives only the start of the first of
 * its statements. So if several accesses may be meant, all are covered, from the first to the last,
 * and the rest of the line if a statement with more of them goes on in further lines. The column of
 * a sign that assigns means what it assigns to, whatever the name; `name` may be empty. False, and
 * nothing is set, if the line has none. */
bool source_find_access(const struct source_file *source, int line, int column, const char *name,
                        enum source_access access, int *out_column, int *out_end);

/* The column after the last statement of a line, without its semicolon; 0 if the line has none. */
int source_statements_end(const struct source_file *source, int line);

#endif
