/* emit_summary.c: Markdown for $GITHUB_STEP_SUMMARY: the diagnostics are folded, the first is open.
 *
 *     gpugrade convert score.json --to summary >> "$GITHUB_STEP_SUMMARY"
 *
 * GitHub drops a summary that reaches 1 MiB, so there is room left for what else a step writes.
 */
#include "report/platform/emit_format.h"

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
