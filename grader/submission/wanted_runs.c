/* wanted_runs.c: see wanted_runs.h. */
#include "submission/wanted_runs.h"

#include <string.h>

bool criterion_is_judged(const struct submission_config *config,
                         const struct rubric_criterion *criterion)
{
    return config->only == NULL || strcmp(config->only, criterion->id) == 0;
}

struct wanted_runs wanted_runs_list(struct arena *arena, const struct submission_config *config,
                                    size_t first, size_t count)
{
    const struct rubric *rubric = config->rubric;
    struct wanted_runs wanted = {
        .launches = arena_array(arena, rubric->launch_count, sizeof(bool)),
        .printouts = arena_array(arena, rubric->printout_count, sizeof(bool)),
    };

    for (size_t i = first; i < first + count; i++) {
        const struct rubric_criterion *criterion = &rubric->criteria[i];
        if (!criterion_is_judged(config, criterion)) {
            continue;
        }
        if (criterion->has_launch) {
            wanted.launches[criterion->launch] = true;
        }
        if (criterion->kind == CRITERION_SAVED_LOADS) {
            wanted.launches[criterion->baseline] = true;
        }
        if (criterion->has_printout) {
            wanted.printouts[criterion->printout] = true;
        }
        if (criterion->has_bytes_printout) {
            wanted.printouts[criterion->bytes_printout] = true;
        }
    }
    return wanted;
}
