/* terminal_diagnostic.h: the part of the screen below the score: what is wrong and where. */
#ifndef GPUGRADE_REPORT_TERMINAL_TERMINAL_DIAGNOSTIC_H
#define GPUGRADE_REPORT_TERMINAL_TERMINAL_DIAGNOSTIC_H

#include "report/terminal/report_terminal.h"

/* Appends the report's diagnostics, each after an empty line, in at most `lines` lines unless the
 * style is verbose: the last ones are one line each if they do not fit, and those for which no line
 * is left are only counted. If the first one does not fit, its middle lines are left out. */
void terminal_diagnostics(const struct report *report, const struct terminal_style *style,
                          size_t lines, struct text *out);

#endif
