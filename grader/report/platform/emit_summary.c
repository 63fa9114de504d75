/* emit_summary.c: see emit_summary.h. */
#include "report/platform/emit_summary.h"

#include "report/platform/markdown_parts.h"

void emit_summary(const struct report *report, const struct emit_options *options, struct text *out)
{
    static const struct markdown_style style = {
        .bytes_max = EMIT_SUMMARY_BYTES_MAX,
        .unfolded = 1,
        .is_folding = true,
        .elsewhere = "the score file",
    };

    markdown_report(report, options, &style, out);
}
