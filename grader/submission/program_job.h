/* program_job.h: everything that is done with one program of a submission, on its own thread:
 * build, resources, print runs, launch runs (of a whole program with a build for each case:
 * case_runs.h); with a real GPU beside the emulated device, once more
 * the print runs. Programs share nothing, so they are graded side by side; each has an arena of its
 * own, which the submission adopts at the end. */
#ifndef GPUGRADE_SUBMISSION_PROGRAM_JOB_H
#define GPUGRADE_SUBMISSION_PROGRAM_JOB_H

#include "session/session.h"
#include "submission/core_pool.h"
#include "submission/device_plan.h"
#include "submission/submission_config.h"

/* What the first build shows of a launch before its cases are run: the kernel that a pattern means
 * and, where each case has a build of its own, the block width. */
struct first_look {
    bool is_done;          /* false: it was not needed, or not yet made */
    struct launch_run run; /* of the first shape */
    int64_t block;         /* 0: none that is allowed was seen */
};

struct program_job {
    const struct submission_config *config; /* set by the caller, down to case_count */
    struct device_planning *planning;
    struct core_pool *pool;
    const char *work_folder; /* of the submission */
    size_t program;
    const struct drawn_case *cases; /* [case_count] */
    size_t case_count;
    const bool *launch_wanted;   /* [launch_count]: a criterion that is judged needs it */
    const bool *printout_wanted; /* [printout_count] */

    struct arena *arena;              /* made by program_job_run */
    struct built_program built;       /* of a whole program: for its first shape */
    struct first_look *first_looks;   /* [launch_count] */
    struct launch_run *launch_runs;   /* [launch_count]; those of other programs are empty */
    struct print_run *print_runs;     /* [printout_count]; likewise */
    struct print_run *gpu_print_runs; /* [printout_count]; empty where the real GPU was not asked */
    struct kernel_resources *launch_resources; /* [launch_count]; registers 0: unknown */
    struct session_resource_cache resources;   /* for the plan's model */
    struct session_account account;            /* of all runs, and of traces */
    bool used_gpu;
    size_t gpu; /* index in the plan's GPUs, if used_gpu */
    double build_seconds, run_seconds;
    enum error error;
    struct diagnostic diagnostic;
};

/* Does all of it; the result is in *work, also the error. Thread-safe for different programs. */
void program_job_run(struct program_job *work);

/* Runs a program that `first` has built once more, for other cases or printouts. */
void program_job_run_again(struct program_job *work, const struct program_job *first);

#endif
