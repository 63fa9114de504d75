/* diagnosis.h: explains a verdict: the line at fault, a hint, and related places.
 *
 * criteria/ decides; diagnosis/ explains what was decided and changes neither status nor points.
 * Like criteria/ it is pure, and its texts live in the arena.
 *
 *   comparison --> element_map --> patterns/: what all wrong cases have in common
 *        |
 *        v
 *   trace_request --> trace of one block --> trace_flow: which input element each value is
 *                                        --> fault_hypotheses: where a thread leaves the oracle's
 *                                            `needs`
 *                                        --> suspect_line: the threads vote; result_check compares
 *   cause without a line --> cause_location: a launch, printout or declaration in the source
 *
 * A pattern is named only if it holds in all visible wrong cases, and a line only if at least half
 * of the wrong threads agree: no line is better than a wrong one. An element that is never written
 * is explained by a block that writes elsewhere in the same tile, or, if the grid has a block for
 * the element, by the store of another block. If only a few threads are wrong, a line that loads
 * for all threads is not blamed.
 */
#ifndef GPUGRADE_DIAGNOSIS_DIAGNOSIS_H
#define GPUGRADE_DIAGNOSIS_DIAGNOSIS_H

#include "criteria/criteria_input.h"

/* Explains the cause of a verdict by its subject: fills in the message where criteria/ left it
 * open, the hint, the line, its label and related places, where they are certain. Call it once for
 * each verdict, after the traces that diagnosis_wants_trace() asks for. */
void diagnosis_explain(const struct criteria_input *input, struct arena *arena,
                       struct verdict *verdict);

/* True if a trace of one block may show the line at fault: the verdict is of the kind correct, the
 * launch's results are wrong in a probe that can be repeated, in a case that may be shown, and no
 * finding of the device explains it. *out_request is then the simplest such case (sizes that
 * differ, then the smallest) and its first wrong element. */
bool diagnosis_wants_trace(const struct criteria_input *input, struct arena *arena,
                           const struct verdict *verdict, struct trace_request *out_request);

/* True if the lines that a call's values come from may show the line at fault: the same, of a
 * judged call, of which no trace shows a line. *out_request names wrong elements of the output,
 * and some that are right; what is to be found out is not set. */
bool diagnosis_wants_origins(const struct criteria_input *input, struct arena *arena,
                             const struct verdict *verdict, struct followed_call *out_request);

#endif
