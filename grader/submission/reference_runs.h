/* reference_runs.h: runs the programs of the reference solution in place of the submission's, for
 * what a submission is compared with. Nothing is known where no solution is installed. */
#ifndef GPUGRADE_SUBMISSION_REFERENCE_RUNS_H
#define GPUGRADE_SUBMISSION_REFERENCE_RUNS_H

#include "submission/program_job.h"

/* Builds, or takes from the cache, the reference's program in place of that of a job; a whole
 * program is built for its first shape. False if there is none. */
bool reference_build(const struct program_job *of, struct arena *arena,
                     struct built_program *out_built);

/* Runs it as the job ran the submission's, with the same cases and seed; a whole program only for
 * its first shape. *out_work holds what was seen, in the arena. False if there is none. */
bool reference_run(const struct program_job *of, struct arena *arena, struct program_job *out_work);

/* Runs what criteria of `config` that are judged compare with, over `cases`, and puts it into the
 * evidence; `works` [program_count] are done. */
void reference_runs_add(const struct submission_config *config, const struct program_job *works,
                        const struct drawn_case *cases, size_t case_count, struct arena *arena,
                        struct submission_evidence *evidence);

#endif
