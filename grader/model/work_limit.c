/* work_limit.c: see work_limit.h. */
#include "model/work_limit.h"

#include "model/case.h"

#include <math.h>

uint64_t work_share(const struct rubric *rubric)
{
    return WORK_TOTAL / (rubric->program_count > 0 ? rubric->program_count : 1);
}

uint64_t work_of_case(const struct rubric *rubric, const struct rubric_launch *launch,
                      const int64_t *parameters, int64_t block)
{
    struct case_scope scope = {.rubric = rubric, .parameters = parameters, .block = block};
    double value = 0.0;

    if (launch->work == NULL ||
        !expression_evaluate(launch->work, case_lookup, &scope, &value, NULL) || value < 1.0) {
        return 0;
    }
    return value < (double)WORK_MOST ? (uint64_t)ceil(value) : WORK_MOST;
}

uint64_t work_limit(const struct rubric *rubric, const struct rubric_launch *launch,
                    const int64_t *parameters, int64_t block)
{
    uint64_t limit = work_of_case(rubric, launch, parameters, block) * WORK_RATIO;

    limit = limit > WORK_LEAST ? limit : WORK_LEAST;
    return limit < WORK_MOST ? limit : WORK_MOST;
}
