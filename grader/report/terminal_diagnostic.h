/* terminal_diagnostic.h: the part of the screen below the score: what is wrong and where. */
#ifndef GPUGRADE_REPORT_TERMINAL_DIAGNOSTIC_H
#define GPUGRADE_REPORT_TERMINAL_DIAGNOSTIC_H

#include "report/report_terminal.h"

/* Appends a diagnostic for each cause and for each finding that belongs to none, each after an
 * empty line. A cause that several criteria share is shown once and names them. */
void terminal_diagnostics(const struct report *report, const struct terminal_style *style,
                          struct text *out);

#endif
