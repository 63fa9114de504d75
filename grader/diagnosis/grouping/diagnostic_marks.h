/* diagnostic_marks.h: what is underlined in the source for one root cause: the places of what was
 * seen, each with what happened there. */
#ifndef GPUGRADE_DIAGNOSIS_GROUPING_DIAGNOSTIC_MARKS_H
#define GPUGRADE_DIAGNOSIS_GROUPING_DIAGNOSTIC_MARKS_H

#include "base/arena.h"
#include "diagnosis/grouping/root_cause.h"

/* More than this many lines under one message do not help; the first ones are kept. */
enum { DIAGNOSTIC_MARKS_MAX = 8, ERRORS_MARKED = 3 };

/* Sets the marks of a diagnostic whose file, line and column are set. If a line is known, exactly
 * one mark is primary. `end` is set wherever the line is in the report's sources. */
void diagnostic_add_marks(const struct report *report, struct arena *arena,
                          const struct root_cause *root_cause,
                          struct report_diagnostic *diagnostic);

/* True if a finding that follows is seen in no more shapes than its root cause, and that is no
 * launch that was refused: what is seen then ran without it. */
bool follow_is_likely(const struct root_cause *root_cause, const struct finding *finding);

/* The label of a finding that follows from a root cause: how surely, its title and its code. */
const char *follow_label(struct arena *arena, const struct root_cause *root_cause,
                         const struct finding *finding);

/* The place of a finding to point at; NULL if no place is in a source. */
const struct place *finding_place(const struct finding *finding);

/* "(3,5)", "(3,5,1)" */
const char *dimensions_text(struct arena *arena, const uint32_t dimensions[3]);

#endif
