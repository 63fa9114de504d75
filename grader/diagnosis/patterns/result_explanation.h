/* result_explanation.h: a wrong result (criteria/results/wrong_result.h) in words: what all wrong
 * elements have in common, one of them with its error, how often, and a map.
 */
#ifndef GPUGRADE_DIAGNOSIS_PATTERNS_RESULT_EXPLANATION_H
#define GPUGRADE_DIAGNOSIS_PATTERNS_RESULT_EXPLANATION_H

#include "model/verdict.h"

/* Gives a verdict whose subject is a SUBJECT_RESULT its sentence, hint and map. */
void result_explain(struct verdict *verdict);

/* Adds what is wrong to the sentence of a verdict whose subject is a SUBJECT_BASELINE. */
void baseline_result_explain(struct verdict *verdict);

/* What the device found in the launch and probably made its result wrong; NULL: nothing, or the
 * values themselves say why. The subject is a SUBJECT_RESULT. */
const struct finding *result_reason(const struct cause *cause);

#endif
