/* report_terminal.h: the score on a screen, as a student reads it.
 *
 *     gpugrade check . — vectors, rubric 1, emulated H200, seed 0x5eed1234
 *        FAIL  correct, tiled    wrong in 8 of 8 (W02)      0/36
 *        PASS  2 criteria        --verbose lists them      14/14
 *     Score 14/50
 *
 *     error[W02]: every element misses the last product of each tile
 *       --> exercise1_tiled.cu:31:13
 *        |
 *     31 |             sum += As[ty][k] * Bs[k][tx];
 *        |             ^^^
 *        = hint:    look at the end of the loop over k
 *        = again:   gpugrade check . --only correct.tiled --seed 0x5eed1234
 *        = explain: gpugrade explain W02
 *
 * What is wrong comes first, in the order in which to fix it. A row names, by its code, the
 * diagnostic that explains it. Criteria that have nothing to say of their own share a row: those
 * that passed, those that were not judged, those that one diagnostic blocks. The diagnostics follow
 * (diagnostics.h must have made them), then the remarks. Unless verbose, the report fits on a
 * screen of 40 lines: what does not fit is counted, and --verbose shows it.
 */
#ifndef GPUGRADE_REPORT_TERMINAL_REPORT_TERMINAL_H
#define GPUGRADE_REPORT_TERMINAL_REPORT_TERMINAL_H

#include "base/text.h"
#include "model/report.h"

#include <stdbool.h>

struct terminal_style {
    bool color;
    int columns;  /* width of the terminal; 0: unknown, 100 is used */
    bool verbose; /* also evidence, all remarks, what was printed, and times */
};

/* Appends the four letters of a status in its colour: "PASS". */
void report_append_status(enum status status, bool color, struct text *out);

/* Appends the report. Text from the submission is escaped (text_append_printable). */
void report_terminal(const struct report *report, const struct terminal_style *style,
                     struct text *out);

#endif
