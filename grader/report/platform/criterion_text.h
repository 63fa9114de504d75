/* criterion_text.h: the plain text that learning platforms show next to each criterion and above
 * all of them. It is printable (text_append_printable) and bounded; where something is left out,
 * the text says so.
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

/* Appends a criterion's name on one line: its title, and where it applies "(bonus)", "(not measured
 * here)" or "(not graded)". */
void criterion_text_name(const struct criterion_text *text, const struct verdict *verdict,
                         struct text *out);

/* Appends, as lines, why verdict `index` did not pass, with places; nothing if it passed. A cause
 * that several criteria share is described in full only at the first one. */
void criterion_text_details(const struct criterion_text *text, size_t index, struct text *out);

/* Appends, as lines, what was earned, what was not measured and why, and what was found that
 * belongs to no criterion. */
void criterion_text_overview(const struct criterion_text *text, struct text *out);

#endif
