/* wanted_runs.h: lists the runs of the submission's programs that the judged criteria need. */
#ifndef GPUGRADE_SUBMISSION_WANTED_RUNS_H
#define GPUGRADE_SUBMISSION_WANTED_RUNS_H

#include "submission/submission_config.h"

struct wanted_runs {
    bool *launches;  /* [launch_count] */
    bool *printouts; /* [printout_count] */
};

/* True if a criterion is judged; with `only`, just that one is. */
bool criterion_is_judged(const struct submission_config *config,
                         const struct rubric_criterion *criterion);

/* Lists the runs that judged criteria need, among `count` criteria of the rubric from `first` on.
 */
struct wanted_runs wanted_runs_list(struct arena *arena, const struct submission_config *config,
                                    size_t first, size_t count);

#endif
