/* gpu_lock.h: takes turns on the real GPUs of this machine.
 *
 *   <folder>/.gpugrade-<UUID>.lock      one file for each GPU, locked with flock
 *
 * A timing holds the lock alone; any other work on the GPU shares it. The folder is
 * $GPUGRADE_LOCKS, or else /tmp: all users whose graders see the GPU must see the same folder. The
 * file is empty, is never removed by gpugrade, and only needs to be readable: one user's file works
 * for all other users. The kernel releases a lock when its holder ends, however it ends.
 *
 * Anyone may be able to create files in the folder. A name that is a link or not a regular file is
 * refused, and nothing is ever written.
 */
#ifndef GPUGRADE_SUBMISSION_GPU_LOCK_H
#define GPUGRADE_SUBMISSION_GPU_LOCK_H

#include "base/diagnostic.h"

#include <stdbool.h>

enum gpu_lock_kind { GPU_LOCK_SHARED, GPU_LOCK_EXCLUSIVE };

struct gpu_lock {
    int fd; /* -1: none is held */
};

/* Takes the lock of a GPU if it is available now: *out_held says whether. Errors: ERROR_ENVIRONMENT
 * (no such folder, no permission to read the file, something else with that name). */
enum error gpu_lock_try(const char *uuid, enum gpu_lock_kind kind, struct gpu_lock *out_lock,
                        bool *out_held, struct diagnostic *diagnostic);

/* Turns an exclusive lock into a shared one. False, and no lock is held any more, if another
 * process took the lock in between. */
bool gpu_lock_share(struct gpu_lock *lock);

/* Gives it back. Safe if none is held. */
void gpu_lock_release(struct gpu_lock *lock);

#endif
