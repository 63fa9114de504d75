/* criterion_text.h: what the learning platforms show as plain text: beside a criterion, and above
 * all of them. Everything is printable (text_append_printable) and bounded; what is left out is
 * said.
 */
#ifndef GPUGRADE_REPORT_PLATFORM_CRITERION_TEXT_H
#define GPUGRADE_REPORT_PLATFORM_CRITERION_TEXT_H

#include "report/platform/emit_format.h"

#include <stddef.h>

/* How platforms show one report. */
struct criterion_text {
    const struct report *report;
    const struct emit_options *options;
    size_t limit; /* bytes of one text before they are made printable */
};

/* Appends a criterion's name, on one line: its title, and what must be known beside it: "(bonus)",
 * "(not measured here)", "(not judged)". */
void criterion_text_name(const struct criterion_text *text, const struct verdict *verdict,
                         struct text *out);

/* Appends why verdict `index` is no pass, with places, as lines; nothing if it passed. A cause that
 * several criteria share is told in full at the first one. */
void criterion_text_details(const struct criterion_text *text, size_t index, struct text *out);

/* Appends what was earned, what was not measured and why, and what was found beside the criteria,
 * as lines. */
void criterion_text_overview(const struct criterion_text *text, struct text *out);

#endif
