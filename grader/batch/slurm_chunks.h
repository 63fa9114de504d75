/* slurm_chunks.h: a class cut into chunks, each with results of its own, for tasks on other
 * machines.
 *
 *     RESULTS/gpugrade.sqlite                        the class
 *     RESULTS/slurm/NUMBER/                          one submit; the next one gets the next number
 *                          chunk-K/chunk.txt         what is in it, for people; marks the folder
 *                                  gpugrade.sqlite   results of these submissions only
 *                                  taken             RESULTS has all results of this chunk
 *
 * A chunk is an ordinary RESULTS: an ordinary batch resumes it each time its task is started. The
 * batch uses only the chunk's own rows, so it needs neither the format of SUBMISSIONS nor a roster,
 * and has no names of students except those in the paths. Grading a chunk and taking it over both
 * hold the lock of its store. A closed chunk has nothing left to do: a task that starts late grades
 * nothing.
 */
#ifndef GPUGRADE_BATCH_SLURM_CHUNKS_H
#define GPUGRADE_BATCH_SLURM_CHUNKS_H

#include "batch/store.h"

/* True if the folder is a chunk. */
bool slurm_is_chunk(const char *folder);

/* A submit: its folder, and chunk-1 to chunk-N in it. */
struct slurm_chunks {
    const char *folder; /* absolute */
    size_t count;
};

/* Cuts tasks [count], at least one, into chunks of `size` (the last may be smaller) in a new submit
 * of `results`, and creates their stores like `store`, which is that of `results`. Errors:
 * those of the store, ERROR_ENVIRONMENT. */
enum error slurm_chunks_write(struct store *store, const char *results,
                              const struct store_task *tasks, size_t count, size_t size,
                              struct arena *arena, struct slurm_chunks *out_chunks,
                              struct diagnostic *diagnostic);

/* The result of taking over. */
struct slurm_taken {
    size_t taken;               /* chunks that were taken over */
    size_t running;             /* chunks that were not touched: a task is grading them */
    const char *const *remarks; /* [remark_count] chunks that were skipped for good, and why */
    size_t remark_count;
};

/* Takes over the results of the chunks of all submits of `results`. With `close` the chunks are
 * closed, unless one of them is running: then nothing changes and the error is ERROR_BUSY. Without
 * `close`, chunks that are not finished stay open. Chunks that no longer fit (another rubric) or
 * are damaged are skipped, and their submissions remain to be graded. Errors: those of the
 * store. */
enum error slurm_chunks_take(struct store *store, const char *results, bool close,
                             struct arena *arena, struct slurm_taken *out_taken,
                             struct diagnostic *diagnostic);

#endif
