/* emit_html.c: see emit_html.h. */
#include "report/platform/emit_html.h"

#include "report/html/report_html.h"

void emit_html(const struct report *report, const struct emit_options *options, struct text *out)
{
    (void)options; /* its files are names, not links */
    report_html(report, out);
}
