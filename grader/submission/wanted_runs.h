/* wanted_runs.h: which runs of the submission's programs the judged criteria look at. */
#ifndef GPUGRADE_SUBMISSION_WANTED_RUNS_H
#define GPUGRADE_SUBMISSION_WANTED_RUNS_H

#include "submission/submission_config.h"

struct wanted_runs {
    bool *launches;  /* [launch_count] */
    bool *printouts; /* [printout_count] */
};

/* True if a criterion is judged: with `only`, one alone is. */
bool criterion_is_judged(const struct submission_config *config,
                         const struct rubric_criterion *criterion);

/* Lists what the judged criteria among `count` of the rubric's look at, from `first` on. */
struct wanted_runs wanted_runs_list(struct arena *arena, const struct submission_config *config,
                                    size_t first, size_t count);

#endif
