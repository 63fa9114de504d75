/* result_explanation.h: a wrong result (criteria/results/wrong_result.h) in words: what all wrong
 * elements have in common, one of them with its error, how often, and a map.
 */
#ifndef GPUGRADE_DIAGNOSIS_PATTERNS_RESULT_EXPLANATION_H
#define GPUGRADE_DIAGNOSIS_PATTERNS_RESULT_EXPLANATION_H

#include "model/verdict.h"

/* Sets the message, hint and map of a verdict whose subject is a SUBJECT_RESULT. */
void result_explain(struct verdict *verdict);

/* Adds what is wrong to the message of a verdict whose subject is a SUBJECT_BASELINE. */
void baseline_result_explain(struct verdict *verdict);

/* The finding of the device that probably made the launch's result wrong; NULL: there is none, or
 * the values themselves show why. The subject is a SUBJECT_RESULT. */
const struct finding *result_reason(const struct cause *cause);

/* Gives a wrong result a hint, unless it has one that explains more than where to look. */
void result_set_hint(struct cause *cause, const char *hint);

/* Likewise a result that holds NaN or infinity, unless its hint names the reason already. */
void result_set_hint_of_no_number(struct cause *cause, const char *hint);

#endif
