/* html_sections.h: the sections of the page, in their order. A section is empty if the report has
 * nothing for it. report_html.c puts them together.
 */
#ifndef GPUGRADE_REPORT_HTML_SECTIONS_H
#define GPUGRADE_REPORT_HTML_SECTIONS_H

#include "base/arena.h"
#include "base/text.h"
#include "model/report.h"

#include <stdbool.h>

/* The score with its bar, the facts of the check, links to the sections. */
void html_head(const struct report *report, struct text *out);

/* A table with a row for each criterion; its evidence in details. */
void html_criteria(const struct report *report, struct text *out);

/* An article for each diagnostic, then the remarks. */
void html_diagnostics(const struct report *report, struct arena *arena, struct text *out);

/* Which elements are wrong, a picture for each map. */
void html_maps(const struct report *report, struct text *out);
bool html_has_maps(const struct report *report);

/* The speedup with its interval, and where it lies below the roofline. */
void html_speed(const struct report *report, struct text *out);
bool html_has_speed(const struct report *report);

/* What each launch loads, its bank conflicts, its occupancy; or why it was not measured. */
void html_profiles(const struct report *report, struct text *out);
bool html_has_profiles(const struct report *report);

/* The effect of other block widths on a launch that multiplies in tiles; nothing for others. */
void html_tile_sizes(const struct launch_profile *profile, struct text *out);

/* True if a launch has no profile and the reason is known; appends a paragraph with the reason. */
bool html_is_unmeasured(const struct report *report, size_t launch);
void html_unmeasured(const struct report *report, size_t launch, struct text *out);

/* The source files with the findings on their lines. */
void html_sources(const struct report *report, struct arena *arena, struct text *out);
bool html_has_sources(const struct report *report);

/* The pages of the codes that occur in the diagnostics, closed. */
void html_explanations(const struct report *report, struct arena *arena, struct text *out);
bool html_has_explanations(const struct report *report);
bool html_explains(const struct report *report, enum code code);

/* How the check was made, and how to repeat it. */
void html_foot(const struct report *report, struct text *out);

#endif
