/* report_html.h: the report as one page for a browser: nothing is loaded from elsewhere, no script,
 * pictures are inline SVG; light, dark, narrow and on paper. */
#ifndef GPUGRADE_REPORT_REPORT_HTML_H
#define GPUGRADE_REPORT_REPORT_HTML_H

#include "base/text.h"
#include "model/report.h"

/* Appends the page, a whole HTML document in UTF-8. Text from the submission is escaped
 * (escape_html). The page contains nothing that the report leaves out. */
void report_html(const struct report *report, struct text *out);

#endif
