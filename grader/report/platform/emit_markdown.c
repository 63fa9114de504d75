/* emit_markdown.c: the whole report as Markdown for a person: a comment on an issue or on a merge
 * request, of which GitHub takes 65,536 characters. Nothing is folded.
 */
#include "report/platform/emit_format.h"

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
