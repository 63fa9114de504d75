/* slurm_submit.h: hands chunks of a class to Slurm: a job array, and a job that puts the results
 * together once all its tasks have ended.
 *
 *     FOLDER/job.sh       what a task does: the same for every class; its arguments are paths
 *            merge.sh     what the last job does
 *            submit.txt   what sbatch was called with, and the jobs; for people
 *            task-K.log   what the tasks said
 *            merge.log
 *
 * sbatch gets an argument vector: neither a shell of ours nor a script ever sees a foreign word.
 */
#ifndef GPUGRADE_CLI_SLURM_SUBMIT_H
#define GPUGRADE_CLI_SLURM_SUBMIT_H

#include "batch/slurm_chunks.h"
#include "cli/locations.h"
#include "cli/slurm_site.h"

enum { JOB_NAME_BYTES = 32 };

struct slurm_submit {
    const struct slurm_site *site;
    const struct locations *locations;
    const struct slurm_chunks *chunks;
    const char *results; /* absolute */
    const char *scratch; /* TMPDIR of whoever called gpugrade; NULL: none */
    bool needs_gpu;
};

/* What Slurm calls the jobs: numbers, "" where there is none. */
struct slurm_jobs {
    char array[JOB_NAME_BYTES];
    char merge[JOB_NAME_BYTES];
};

/* False for a folder in whose path Slurm would replace something when it opens a log: "%" begins a
 * symbol, "\\" ends them (sbatch(1), filename pattern). */
bool slurm_can_log(const char *results);

/* Writes the scripts, and calls sbatch unless it is only to be written. *out_jobs is filled as far
 * as it came, also where the merge job fails. Errors: ERROR_ENVIRONMENT (no sbatch, or it refuses),
 * ERROR_TIMEOUT. */
enum error slurm_submit(const struct slurm_submit *submit, struct arena *arena,
                        struct slurm_jobs *out_jobs, struct diagnostic *diagnostic);

#endif
