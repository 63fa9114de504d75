/* source_excerpt.h: lines of a source file with carets under what a diagnostic is about.
 *
 *        |
 *     27 |         Bs[ty][tx] = B[i];
 *        |         ---------- written by thread (3,5)
 *     31 |             sum += As[ty][k] * Bs[k][tx];
 *        |                                ^^^^^^^^^ read by thread (3,0)
 */
#ifndef GPUGRADE_REPORT_TERMINAL_SOURCE_EXCERPT_H
#define GPUGRADE_REPORT_TERMINAL_SOURCE_EXCERPT_H

#include "model/report_diagnostic.h"
#include "report/terminal/report_terminal.h"
#include "source/source_line.h"

/* Digits of the largest line number of a diagnostic: the width of its margin, at least 1. */
size_t excerpt_margin(const struct report_diagnostic *diagnostic);

/* Appends the lines of a source that are marked, in the order of the file, each with a row per mark
 * and more where its label is long. Sorts `marks`, which are all of this source. Marks of lines
 * that the source does not have are left out; nothing is written if none is left. */
void source_excerpt(const struct source_file *source, struct diagnostic_mark *marks, size_t count,
                    size_t margin, const struct terminal_style *style, struct text *out);

/* Appends the lines of a fix, each as it is and as it should be:
 *
 *     27 -         Bs[ty][tx] = B[i];
 *     27 +         Bs[ty][tx] = B[j];
 */
void fix_excerpt(const struct line_fix *fixes, size_t count, size_t margin,
                 const struct terminal_style *style, struct text *out);

#endif
