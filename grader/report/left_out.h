/* left_out.h: findings that a report cannot list, because a launch made more than the device keeps.
 */
#ifndef GPUGRADE_REPORT_LEFT_OUT_H
#define GPUGRADE_REPORT_LEFT_OUT_H

#include "base/arena.h"
#include "base/text.h"
#include "model/report.h"

/* How often something was seen that is in no listed finding. */
struct left_out {
    uint64_t errors, warnings;
};

/* Sums up the findings that stand for the rest; zeros: every finding is listed. */
struct left_out left_out_sum(const struct finding *findings, size_t count);

/* Appends a sentence that says so; nothing where every finding is listed. */
void left_out_append(const struct report *report, struct text *out);

/* Puts that sentence after the report's diagnostics and removes the findings that stand for the
 * rest, for formats that show diagnostics. Does nothing if every finding is listed. What it needs
 * lives in the arena. */
void left_out_as_diagnostic(struct report *report, struct arena *arena);

#endif
