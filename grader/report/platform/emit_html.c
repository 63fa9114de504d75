/* emit_html.c: the page of report/html, of what a score holds: no sources, no maps. */
#include "report/platform/emit_format.h"

#include "report/html/report_html.h"

void emit_html(const struct report *report, const struct emit_options *options, struct text *out)
{
    (void)options; /* its files are names, not links */
    report_html(report, out);
}
