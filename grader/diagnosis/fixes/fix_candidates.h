/* fix_candidates.h: short changes that may fix a diagnostic, for the submission part to try.
 *
 * A candidate is a guess: it is made from the diagnostic's code and place, and from the tokens
 * around them, and says nothing until a changed copy was graded (submission/fix_trial.h). So a
 * generator need not be certain, but what it makes must be what a person would write there: a
 * change that only hides a mistake must not come from here.
 *
 *   code --table--> generators --> candidates, the likeliest first
 */
#ifndef GPUGRADE_DIAGNOSIS_FIXES_FIX_CANDIDATES_H
#define GPUGRADE_DIAGNOSIS_FIXES_FIX_CANDIDATES_H

#include "criteria/criteria_input.h"
#include "model/report.h"

enum { FIX_CANDIDATES_MAX = 32 }; /* of what is graded as a whole */

struct fix_request {
    const struct criteria_input *input;
    const struct report *report;                /* whose verdicts it is about */
    const struct report_diagnostic *diagnostic; /* without a verdict, nothing says what is right:
                                                   only changes of bounds, and those that its
                                                   code has, are made */
};

/* Makes at most `capacity` candidates; returns how many, none twice. Their texts live in the arena.
 */
size_t fix_candidates_make(const struct fix_request *request, struct arena *arena,
                           struct line_fixes *out_candidates, size_t capacity);

#endif
