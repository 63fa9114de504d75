/* consistency.h: checks that the data passed between parts is consistent; see base/ensure.h for
 * what happens if it is not.
 *
 *   rubric/     --rubric-->   all parts      rubric_ensure
 *   session/    --evidence--> criteria/      evidence_ensure
 *   criteria/   --verdict-->  diagnosis/     verdict_ensure
 *   diagnosis/  --verdict-->  submission/    verdict_ensure
 *   diagnosis/  --report-->   report/        report_ensure
 *
 * Each checks the indices, divisors and pointers that its reader uses, in time linear in what it
 * checks, without the values of operands.
 */
#ifndef GPUGRADE_MODEL_CONSISTENCY_H
#define GPUGRADE_MODEL_CONSISTENCY_H

#include "model/observation.h"
#include "model/report.h"

/* Programs, launches, operands, printouts and criteria name each other by indices that exist. */
void rubric_ensure(const struct rubric *rubric);

/* There is a build for each program and a run for each launch; a probe that is done has bytes for
 * each operand with elements; a case is one of the rubric's. */
void evidence_ensure(const struct rubric *rubric, const struct submission_evidence *evidence);

/* Points are between 0 and all of the criterion and fit the status, a failure has a cause, and no
 * text is missing. */
void verdict_ensure(const struct verdict *verdict);

/* All verdicts, and diagnostics name verdicts that exist. */
void report_ensure(const struct report *report);

#endif
