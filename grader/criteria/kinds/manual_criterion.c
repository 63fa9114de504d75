/* manual_criterion.c: the criterion `manual`: a person gives the points, so nothing is judged here.
 */
#include "criteria/outcome.h"

void manual_criterion_judge(const struct criteria_input *input, struct arena *arena,
                            struct verdict *verdict)
{
    (void)input;
    (void)arena;
    outcome_open(verdict);
}
