/* gpu_lock.h: whose turn it is on a real GPU of this machine.
 *
 *   <folder>/.gpugrade-<UUID>.lock      one file for each GPU, locked with flock
 *
 * A timing holds the lock alone; any other work on the GPU shares it. The folder is
 * $GPUGRADE_LOCKS, or else /tmp: all users whose graders see the GPU must see the same folder. The
 * file is empty, is never removed by us, and need only be readable: one user's file serves all
 * others. The kernel releases a lock when its holder ends, however it ends.
 *
 * The folder may be one in which anybody can make files. A name that is a link or no regular file
 * is refused, and nothing is ever written.
 */
#ifndef GPUGRADE_SUBMISSION_GPU_LOCK_H
#define GPUGRADE_SUBMISSION_GPU_LOCK_H

#include "base/diagnostic.h"

#include <stdbool.h>

enum gpu_lock_kind { GPU_LOCK_SHARED, GPU_LOCK_EXCLUSIVE };

struct gpu_lock {
    int fd; /* -1: none is held */
};

/* Takes the lock of a GPU if it can be had now: *out_held says whether. Errors: ERROR_ENVIRONMENT
 * (no such folder, no right to read the file, something else of that name). */
enum error gpu_lock_try(const char *uuid, enum gpu_lock_kind kind, struct gpu_lock *out_lock,
                        bool *out_held, struct diagnostic *diagnostic);

/* Turns an exclusive lock into a shared one; false, and none is held, if another holder came in
 * between. */
bool gpu_lock_share(struct gpu_lock *lock);

/* Gives it back. Safe if none is held. */
void gpu_lock_release(struct gpu_lock *lock);

#endif
