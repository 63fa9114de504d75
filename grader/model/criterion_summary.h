/* criterion_summary.h: the summary of a criterion in its row, and which diagnostic has the
 * details. */
#ifndef GPUGRADE_MODEL_CRITERION_SUMMARY_H
#define GPUGRADE_MODEL_CRITERION_SUMMARY_H

#include "base/text.h"
#include "model/report.h"

/* Finds the diagnostic with the details of verdict `index`, and whether it blocks the criterion;
 * false if there is none. The report's diagnostics must have been made. */
bool report_row_reason(const struct report *report, size_t index, size_t *out_diagnostic,
                       bool *out_is_blocked);

/* Appends the summary of verdict `index` with the code of its diagnostic: "2 races (R01)", or, for
 * a criterion that cannot be graded because of another problem, "blocked by C01: does not compile".
 * Emitters escape the text. */
void report_append_criterion_summary(const struct report *report, size_t index, struct text *out);

/* True if a verdict fails for something that its criterion does not look at: a source that does not
 * compile, a crash, or a bad access where loads are counted. */
bool verdict_is_blocked(const struct verdict *verdict);

#endif
