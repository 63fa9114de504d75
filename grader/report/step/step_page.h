/* step_page.h: a page that replays one block: one file without anything from elsewhere, which works
 * from a disk, by keyboard, on a phone and on dark screens.
 *
 * `#d1` in its address is the moment of the report's first diagnostic, as in report_html.h.
 */
#ifndef GPUGRADE_REPORT_STEP_STEP_PAGE_H
#define GPUGRADE_REPORT_STEP_STEP_PAGE_H

#include "base/text.h"
#include "model/report.h"

/* Appends the page on report->steps, which are not NULL, with the report's diagnostics and sources.
 * It takes less than 2 MB: of more steps than fit, some are left out, and it says how many. */
void step_page(const struct report *report, struct text *out);

/* Appends what is to be seen in it in one line: "1,234 steps of block (0,0) of `copy`, 2 of 3
 * findings". */
void step_page_summary(const struct report *report, struct text *out);

#endif
