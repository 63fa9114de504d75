/* advice_text.h: the next step that a criterion chose, in words. */
#ifndef GPUGRADE_DIAGNOSIS_HINTS_ADVICE_TEXT_H
#define GPUGRADE_DIAGNOSIS_HINTS_ADVICE_TEXT_H

#include "base/arena.h"
#include "model/verdict.h"

/* The advice of a cause, and what more it has: "launch it exactly once; ..."; "" if it has none. In
 * the arena. */
const char *advice_text(struct arena *arena, const struct cause *cause);

/* Makes that text the hint of a cause. A cause without advice keeps its hint. */
void advice_explain(struct arena *arena, struct cause *cause);

#endif
