/* explain_terminal.h: the pages of `gpugrade explain` on a screen. */
#ifndef GPUGRADE_REPORT_TERMINAL_EXPLAIN_TERMINAL_H
#define GPUGRADE_REPORT_TERMINAL_EXPLAIN_TERMINAL_H

#include "base/text.h"
#include "explain/explain.h"

#include <stdbool.h>

/* Appends a page, its running text wrapped to `columns` (0: unknown) or 80, whichever is less; code
 * is never wrapped. */
void explain_terminal_page(const struct page *page, int columns, bool color, struct text *out);

/* Appends the list of all codes by family, with their titles. */
void explain_terminal_list(bool color, struct text *out);

#endif
