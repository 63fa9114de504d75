/* program_job.h: everything that is done with one program of a submission, on its own thread:
 * build, resources, print runs, launch runs (for a whole program with a build for each case:
 * case_runs.h); if there is a real GPU besides the emulated device, the print runs again on it.
 * Programs share nothing, so they are graded in parallel; each has its own arena, which the
 * submission adopts at the end. */
#ifndef GPUGRADE_SUBMISSION_PROGRAM_JOB_H
#define GPUGRADE_SUBMISSION_PROGRAM_JOB_H

#include "session/session.h"
#include "submission/core_pool.h"
#include "submission/device_plan.h"
#include "submission/submission_config.h"

/* What the first build shows about a launch before its cases are run: the kernel that a pattern
 * means and, if each case has its own build, the block width. */
struct first_look {
    bool is_done;          /* false: not needed, or not done yet */
    struct launch_run run; /* of the first shape */
    int64_t block;         /* 0: no allowed one was seen */
};

struct program_job {
    const struct submission_config *config; /* set by the caller, down to case_count */
    struct device_planning *planning;
    struct core_pool *pool;
    struct session_oracle *oracle; /* NULL: none, so the rubric alone makes inputs */
    const char *work_folder;       /* of the submission */
    bool is_reference;             /* its program is the reference solution's */
    size_t program;
    const struct drawn_case *cases; /* [case_count] */
    size_t case_count;
    const bool *launch_wanted;   /* [launch_count]: a criterion that is judged needs it */
    const bool *printout_wanted; /* [printout_count] */

    struct arena *arena;              /* made by program_job_run */
    struct built_program built;       /* for a whole program: built for its first shape */
    struct first_look *first_looks;   /* [launch_count] */
    struct launch_run *launch_runs;   /* [launch_count]; those of other programs are empty */
    struct print_run *print_runs;     /* [printout_count]; likewise */
    struct print_run *gpu_print_runs; /* [printout_count]; empty if the real GPU was not used */
    struct kernel_resources *launch_resources; /* [launch_count]; registers 0: unknown */
    struct session_resource_cache resources;   /* for the plan's model */
    struct session_account account;            /* of all runs and traces */
    bool used_gpu;
    size_t gpu; /* index in the plan's GPUs, if used_gpu */
    double build_seconds, run_seconds;
    enum error error;
    struct diagnostic diagnostic;
};

/* Does all of it; the result, or the error, is in *work. Thread-safe for different programs. */
void program_job_run(struct program_job *work);

/* Runs a program that `first` has built again, for other cases or printouts. */
void program_job_run_again(struct program_job *work, const struct program_job *first);

/* A session of a program on the plan's device, by `config`; the caller fills in the program and
 * what it wants of it. */
struct session_config program_job_session(const struct submission_config *config,
                                          struct program_job *work, const struct device_plan *plan);

#endif
