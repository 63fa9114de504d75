/* slurm_chunks.h: a class cut into chunks, each with results of its own, for tasks on other
 * machines.
 *
 *     RESULTS/gpugrade.sqlite                        the class
 *     RESULTS/slurm/NUMBER/                          one submit; the next one gets the next number
 *                          chunk-K/chunk.txt         what is in it, for people; marks the folder
 *                                  gpugrade.sqlite   results of these submissions alone
 *                                  taken             RESULTS has taken over all of it
 *
 * A chunk is an ordinary RESULTS: what grades it is an ordinary batch that goes on with it, as
 * often as its task is started. It looks at no class but its own rows, so it needs neither
 * SUBMISSIONS' shape nor a roster, and holds no names of students but what is in the paths. Grading
 * and taking over both hold the lock of the chunk's store. A chunk that is closed has nothing left
 * to do: a task that comes late grades nothing.
 */
#ifndef GPUGRADE_BATCH_SLURM_CHUNKS_H
#define GPUGRADE_BATCH_SLURM_CHUNKS_H

#include "batch/store.h"

/* True if the folder is a chunk. */
bool slurm_is_chunk(const char *folder);

/* A submit: where it lies, and chunk-1 to chunk-N. */
struct slurm_chunks {
    const char *folder; /* absolute */
    size_t count;
};

/* Cuts tasks [count], more than none, into chunks of `size` (the last may be smaller) in a new
 * submit of `results`, and makes their stores like `store`, which is that of `results`. Errors:
 * those of the store, ERROR_ENVIRONMENT. */
enum error slurm_chunks_write(struct store *store, const char *results,
                              const struct store_task *tasks, size_t count, size_t size,
                              struct arena *arena, struct slurm_chunks *out_chunks,
                              struct diagnostic *diagnostic);

/* What taking over has come to. */
struct slurm_taken {
    size_t taken;               /* chunks that were taken over */
    size_t running;             /* chunks that were left alone: a task is grading them */
    const char *const *remarks; /* [remark_count] chunks that were left out for good, and why */
    size_t remark_count;
};

/* Takes over what the chunks of all submits of `results` have graded. With `close` they are closed,
 * unless one of them is running: then nothing is changed and the error is ERROR_BUSY; without,
 * those that have something left to do stay as they are. Chunks that do not fit any more (another
 * rubric) or are damaged are left out, and their submissions stay to be graded. Errors: those of
 * the store. */
enum error slurm_chunks_take(struct store *store, const char *results, bool close,
                             struct arena *arena, struct slurm_taken *out_taken,
                             struct diagnostic *diagnostic);

#endif
