/* hidden_part.h: the cases and criteria that students do not see.
 *
 * What a student sees must not depend on them, except for whether a criterion fails. So they take
 * no part in the first step: the visible cases are run, judged and reported as if the rubric had
 * nothing else. Only then
 *
 *   hidden_part_run    runs the same programs again, in processes of their own: over the hidden
 *                      cases, drawn from a seed that the rubric's bytes go into, and for what only
 *                      hidden criteria look at
 *   hidden_part_judge  judges all criteria again over these runs, and makes two reports:
 *                      the student's   the visible one; if a criterion passed there and fails here,
 *                                      it says so with the kind of cause, and nothing else
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

/* Runs over some cases, and what criteria see in them. */
struct case_part {
    struct rubric rubric;            /* only these cases, all criteria; instructors see it */
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
    const struct criteria_input *input; /* of the visible part, without the times */

    struct rubric whole;        /* instructors see it */
    struct case_part visible;   /* the visible cases, for hidden criteria too */
    struct case_part hidden;    /* the hidden cases */
    struct timing_run *timings; /* [criterion_count] of the whole rubric */
    bool *used_gpus;            /* [GPUs of the plan], for hidden criteria */
    double seconds;             /* for all of it */
};

/* Runs what is hidden; evidence lives in the arena. Errors are those of program_job_run; students
 * see only that hidden cases could not be run. */
enum error hidden_part_run(struct hidden_part *part, struct arena *arena,
                           struct diagnostic *diagnostic);

/* Takes over the times of the visible criteria and measures those of hidden ones. */
enum error hidden_part_time(struct hidden_part *part, const struct timing_job *visible,
                            struct arena *arena, struct diagnostic *diagnostic);

/* The command that repeats the check for a student, who has only the public rubric. */
const char *hidden_part_again(struct arena *arena, const struct submission_config *config);

/* Turns the report of the visible part into the full one, and adds the student's as
 * report->student. */
void hidden_part_judge(const struct hidden_part *part, struct arena *arena, struct report *report);

#endif
