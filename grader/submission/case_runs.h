/* case_runs.h: the cases of launches whose program works on one case from its start to its end.
 *
 *   first build --survey, or a first run--> kernel, block width
 *   case --block width--> values of the overrides --build--> executable --run--> one observation
 *
 * Cases with equal values share a build, also those of different launches. Builds, with their runs,
 * go on side by side as far as there are cores; what comes of it does not depend on their order.
 * A build is removed once its cases have run. What a program asks of its kernels' registers is
 * answered as in the first build, so that it chooses the block width that it chose there.
 */
#ifndef GPUGRADE_SUBMISSION_CASE_RUNS_H
#define GPUGRADE_SUBMISSION_CASE_RUNS_H

#include "session/session.h"
#include "submission/core_pool.h"
#include "submission/program_build.h"

/* A launch whose cases are run. */
struct cased_launch {
    size_t launch;                  /* in the rubric */
    int64_t block;                  /* the block width that a first run told; 0: the cases say it */
    const struct launch_run *first; /* of the first build: surveyed, kernel, observations come from
                                       there; its activity counts if no case runs. NULL: none */
};

struct case_runs {
    struct program_build_request build;   /* of the program; its values do not matter */
    const struct session_config *session; /* program, resources, kernel and block do not matter */
    const struct built_program *first;    /* the program's first build: stands for all if there are
                                             no overrides */
    struct session_resource_cache *first_resources;
    struct core_pool *pool;
    const struct drawn_case *cases; /* [case_count] */
    size_t case_count;
    const struct cased_launch *launches; /* [launch_count] */
    size_t launch_count;
};

/* Runs all cases of all launches and joins each launch's into out_runs [launch_count]: first what
 * the first run saw, then one observation for each case. Behind the first case whose program ends
 * badly, or whose launch does not end, the later ones are left out; a status or an abort() by which
 * a whole program ends itself is not bad. Everything lives in the arena. Errors are the grader's or
 * the machine's. */
enum error case_runs_make(const struct case_runs *runs, struct arena *arena,
                          struct launch_run *out_runs, struct diagnostic *diagnostic);

#endif
