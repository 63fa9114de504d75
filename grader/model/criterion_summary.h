/* criterion_summary.h: the few words beside a criterion, and which diagnostic tells more. */
#ifndef GPUGRADE_MODEL_CRITERION_SUMMARY_H
#define GPUGRADE_MODEL_CRITERION_SUMMARY_H

#include "base/text.h"
#include "model/report.h"

/* Finds the diagnostic that tells more of verdict `index`, and whether the criterion is blocked by
 * it; false if none does. The report's diagnostics must have been made. */
bool report_row_reason(const struct report *report, size_t index, size_t *out_diagnostic,
                       bool *out_is_blocked);

/* Appends the summary of verdict `index` with the code of its diagnostic: "2 races (R01)", or for a
 * criterion that another trouble keeps from being judged "blocked by C01: does not compile".
 * Emitters escape the text. */
void report_append_criterion_summary(const struct report *report, size_t index, struct text *out);

/* True if what a verdict fails for is nothing that its criterion looks at: a source that does not
 * compile, a crash, a bad access where loads are counted. */
bool verdict_is_blocked(const struct verdict *verdict);

#endif
