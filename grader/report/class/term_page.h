/* term_page.h: a term as one HTML document, and as a table.
 *
 * Both are for the instructor: they show names, marks and what is hidden from students. The page
 * links to the pages of the courseworks, which are files of the same folder (term_coursework.page).
 * It needs no network, and can be read without its script, which sorts.
 */
#ifndef GPUGRADE_REPORT_CLASS_TERM_PAGE_H
#define GPUGRADE_REPORT_CLASS_TERM_PAGE_H

#include "base/text.h"
#include "model/term_results.h"

void term_page(const struct term_results *results, struct text *out);

/* A line for each student (RFC 4180, base/csv.h); a cell without a value is empty:
 *
 *     student,name,email,total,out of,complete,lab1,lab1 maximum,lab1 state,...
 *
 * "complete" is "no" if a mark is still to come. The state is "counts", "dropped" (others of its
 * part were better), "missing", "excused" or "no mark yet"; what is missing counts as 0 unless it
 * is dropped. Courseworks have the names of their folders, a second one of a name also " (2)". */
void term_csv(const struct term_results *results, struct text *out);

#endif
