/* batch_slurm.h: the part of `gpugrade batch` that grades on a cluster (Slurm, Kubernetes) instead
 * of here.
 *
 *     gpugrade batch --slurm          store --slurm_chunks_write--> chunks --slurm_submit--> jobs
 *     gpugrade batch --k8s            the same, --slurm_submit--> a manifest for kubectl
 *       job.sh, each task             gpugrade batch --resume -o CHUNK: an ordinary batch
 *       merge.sh, after all tasks     gpugrade batch --slurm-merge -o RESULTS
 *     gpugrade batch --resume         merges what is there, then grades what is missing
 */
#ifndef GPUGRADE_CLI_BATCH_SLURM_H
#define GPUGRADE_CLI_BATCH_SLURM_H

#include "cli/batch_request.h"

#include "batch/store.h"

/* Adds STORE_ALONE if RESULTS may be on a network file system: for a chunk, and with --slurm. */
enum store_mode batch_slurm_mode(const struct batch_request *request, enum store_mode mode);

/* Merges what chunks have graded, and closes them. Errors: ERROR_BUSY (a task is running),
 * those of the store. */
enum error batch_slurm_resume(const struct batch_request *request, struct store *store,
                              struct arena *arena, struct diagnostic *diagnostic);

/* True if this batch must compile the code that all students were given, to ignore it when it looks
 * for similar submissions. Of the chunks of one Slurm submission only the first does this. */
bool batch_slurm_makes_known_code(const struct batch_request *request);

/* Submits everything in the store that has to be graded to Slurm. Returns the exit status. */
int batch_slurm_submit(const struct batch_request *request, struct store *store,
                       const struct rubric *rubric, struct arena *arena,
                       struct diagnostic *diagnostic);

/* Merges what the chunks of RESULTS have graded, and grades nothing. Returns the exit status: 0 if
 * everything is graded, 3 if not. */
int batch_slurm_merge(const struct batch_request *request, struct arena *arena,
                      struct diagnostic *diagnostic);

#endif
