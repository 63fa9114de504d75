/* hidden_part.h: the cases and criteria that students do not see.
 *
 * What a student is told must not depend on them, but for whether a criterion fails. So they are
 * left out of everything that comes first: the visible cases are run, judged and reported as if the
 * rubric held nothing else. Only then
 *
 *   hidden_part_run    the same programs run again, in processes of their own: over the hidden
 *                      cases, drawn from a seed that the rubric's bytes go into, and for what only
 *                      hidden criteria look at
 *   hidden_part_judge  judges all criteria once more over these runs, and makes two reports:
 *                      the student's   the visible one; a criterion that passed there and fails
 *                                      here says so and for what kind of cause, nothing else
 *                      the full one    everything, with hidden shapes named and marked
 *
 * A criterion fails if it fails over the visible or over the hidden cases.
 */
#ifndef GPUGRADE_SUBMISSION_HIDDEN_PART_H
#define GPUGRADE_SUBMISSION_HIDDEN_PART_H

#include "criteria/criteria_input.h"
#include "submission/program_job.h"
#include "submission/submission_config.h"
#include "submission/timing_job.h"

/* Runs over some cases, and what criteria see of them. */
struct case_part {
    struct rubric rubric;            /* these cases alone, all criteria, told to instructors */
    struct submission_config config; /* with that rubric, and the seed of these cases */
    const struct drawn_case *cases;  /* [case_count] */
    size_t case_count;
    struct launch_run *launch_runs;      /* [launch_count] */
    struct print_run *print_runs;        /* [printout_count] */
    struct print_run *gpu_print_runs;    /* [printout_count] */
    struct kernel_resources *resources;  /* [launch_count] */
    struct submission_evidence evidence; /* of these */
    struct criteria_input input;
};

struct hidden_part {
    const struct submission_config *config; /* with the whole rubric; set by the caller, down to
                                               input */
    struct device_planning *planning;
    const struct program_job *works; /* [program_count], done: the visible part */
    const struct drawn_case *cases;  /* [case_count] the visible ones */
    size_t case_count;
    const struct criteria_input *input; /* of the visible part, but for the times */

    struct rubric whole;        /* told to instructors */
    struct case_part visible;   /* the visible cases, with what only hidden criteria look at */
    struct case_part hidden;    /* the hidden cases */
    struct timing_run *timings; /* [criterion_count] of the whole rubric */
    bool *used_gpus;            /* [GPUs of the plan], for hidden criteria */
    double seconds;             /* that all of it took */
};

/* Runs what is hidden; evidence lives in the arena. Errors as of program_job_run; to students they
 * tell no more than that hidden cases could not be run. */
enum error hidden_part_run(struct hidden_part *part, struct arena *arena,
                           struct diagnostic *diagnostic);

/* Takes the times of the visible criteria and measures those of hidden ones. */
enum error hidden_part_time(struct hidden_part *part, const struct timing_job *visible,
                            struct arena *arena, struct diagnostic *diagnostic);

/* The command that repeats the check for a student, who has the public rubric alone. */
const char *hidden_part_again(struct arena *arena, const struct submission_config *config);

/* Makes of the report of the visible part the full one, with the student's beside it. */
void hidden_part_judge(const struct hidden_part *part, struct arena *arena, struct report *report);

#endif
