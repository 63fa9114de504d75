/* case_runs.h: runs the cases of launches whose program handles one case per run.
 *
 *   first build --survey, or a first run--> kernel, block width
 *   case --block width--> values of the overrides --build--> executable --run--> one observation
 *
 * Cases with equal values share a build, also across launches. Builds and their runs go on in
 * parallel, as many as there are cores; the result does not depend on their order. A build is
 * removed after its cases have run. If a program asks for its kernels' registers, it gets those of
 * the first build, so that it chooses the same block width as there.
 */
#ifndef GPUGRADE_SUBMISSION_CASE_RUNS_H
#define GPUGRADE_SUBMISSION_CASE_RUNS_H

#include "session/session.h"
#include "submission/core_pool.h"
#include "submission/program_build.h"

/* A launch whose cases are run. */
struct cased_launch {
    size_t launch;                  /* in the rubric */
    int64_t block;                  /* the block width of a first run; 0: the cases give it */
    const struct launch_run *first; /* the run of the first build: source of surveyed, kernel and
                                       observations; its activity counts if no case runs. NULL:
                                       there is none */
};

struct case_runs {
    struct program_build_request build;   /* of the program; its values are ignored */
    const struct session_config *session; /* its program, resources, kernel and block are ignored */
    const struct built_program *first;    /* the program's first build; used for all cases if there
                                             are no overrides */
    struct session_resource_cache *first_resources;
    struct core_pool *pool;
    const struct drawn_case *cases; /* [case_count] */
    size_t case_count;
    const struct cased_launch *launches; /* [launch_count] */
    size_t launch_count;
};

/* Runs all cases of all launches and collects each launch's results in out_runs [launch_count]:
 * first those of the first run, then one observation for each case. After the first case whose
 * program fails, or whose launch does not end, the later ones are skipped. A whole program that
 * ends itself with a status or abort() has not failed. Everything lives in the arena. Errors are
 * the grader's or the machine's. */
enum error case_runs_make(const struct case_runs *runs, struct arena *arena,
                          struct launch_run *out_runs, struct diagnostic *diagnostic);

#endif
