/* markdown_parts.h: a report as Markdown, for the summary of a CI step and for a comment.
 *
 *     ## vectors: 62 of 85 points
 *
 *     | Result | Criterion | Points | Why |
 *     |:--|:--|--:|:--|
 *     | ✓ passed | compile | 5 of 5 | |
 *
 *     ### 1 error and 2 warnings
 *
 *     error R01, race, hw3/a.cu:31:13      folded, or as a heading
 *     remarks, how it was checked
 *
 * It is CommonMark with the tables of GitHub and GitLab. Text that may contain a student's words is
 * in no table, never starts a line unescaped, and is code wherever a platform might see a mention,
 * a link, a reference or HTML in it (escape_markdown_prose). Results are words, each with a symbol.
 *
 * What does not fit is left out from the end, whole diagnostics at a time, with a note.
 */
#ifndef GPUGRADE_REPORT_PLATFORM_MARKDOWN_PARTS_H
#define GPUGRADE_REPORT_PLATFORM_MARKDOWN_PARTS_H

#include "report/platform/emit_format.h"

struct markdown_style {
    size_t bytes_max;      /* of everything that is appended; at least 32 KiB */
    size_t unfolded;       /* how many diagnostics are open at first */
    bool is_folding;       /* diagnostics are <details>; else sections */
    const char *elsewhere; /* where to find what is left out: "the score file" */
};

/* Appends the whole report. */
void markdown_report(const struct report *report, const struct emit_options *options,
                     const struct markdown_style *style, struct text *out);

#endif
