/* emit_markdown.c: see emit_markdown.h. */
#include "report/platform/emit_markdown.h"

#include "report/platform/markdown_parts.h"

void emit_markdown(const struct report *report, const struct emit_options *options,
                   struct text *out)
{
    static const struct markdown_style style = {
        .bytes_max = EMIT_MARKDOWN_BYTES_MAX,
        .elsewhere = "the score file",
    };

    markdown_report(report, options, &style, out);
}
