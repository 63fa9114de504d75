/* slurm_submit.h: submits chunks of a class to Slurm: a job array, and a job that merges the
 * results after all tasks of the array have ended.
 *
 *     FOLDER/job.sh       what a task does: the same for every class; its arguments are paths
 *            merge.sh     what the last job does
 *            submit.txt   what sbatch was called with, and the jobs; for people
 *            task-K.log   what the tasks print
 *            merge.log
 *
 * With a Pod template it writes job.sh and job.json (k8s_manifest.h), and submits nothing.
 *
 * sbatch gets an argument vector, so no shell or script of gpugrade ever reads a word from outside.
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
    const char *scratch; /* TMPDIR of the user who called gpugrade; NULL: none */
    bool needs_gpu;
};

/* Slurm's numbers of the jobs; "" for none. */
struct slurm_jobs {
    char array[JOB_NAME_BYTES];
    char merge[JOB_NAME_BYTES];
};

/* False for a folder whose path has characters that Slurm would replace in the name of a log: "%"
 * starts a symbol, "\\" turns symbols off (sbatch(1), filename pattern). */
bool slurm_can_log(const char *results);

/* Writes the scripts, and calls sbatch unless only_writes or a Pod template is set. *out_jobs has
 * the jobs that were submitted, also if submitting the merge job fails. Errors: ERROR_ENVIRONMENT
 * (no sbatch, or it refuses), ERROR_TIMEOUT. */
enum error slurm_submit(const struct slurm_submit *submit, struct arena *arena,
                        struct slurm_jobs *out_jobs, struct diagnostic *diagnostic);

#endif
