/* sandbox_removed.h: the files without a name that the processes of a run hold open.
 *
 * A removed file takes room until its last descriptor is closed, but no folder shows it. So the
 * descriptors of the run's processes are looked at in /proc: the supervisor (jail.h) adopts
 * orphans, so its descendants are all of them, and each thread may have descriptors of its own.
 * Files are only examined, never opened, so that nothing the program made can block the grader. A
 * file counts once, however many descriptors it has, and a page at least.
 *
 * What is in memory only (memfd_create) is left out: it counts as memory. Not seen are
 *   - files that are mapped, but not open;
 *   - descriptors on their way through a socket;
 *   - what a process holds that comes and goes while it is looked for;
 *   - processes that may not be looked into. With CAP_SYS_PTRACE there are none. Without it, as
 *     for root in most containers and for other users, those that made themselves undumpable;
 *     where the grader is not root but has slots (sandbox_slot.h), all.
 */
#ifndef GPUGRADE_SANDBOX_SANDBOX_REMOVED_H
#define GPUGRADE_SANDBOX_SANDBOX_REMOVED_H

#include "base/arena.h"

#include <stdint.h>
#include <sys/types.h>

struct sandbox_removed; /* room for one look after another */

/* Belongs to the arena. */
struct sandbox_removed *sandbox_removed_new(struct arena *arena);

/* Adds up the bytes of removed files that descendants of a process, which must be alive or not yet
 * waited for, hold open. `uid` is their user where it is a slot's, else 0: what root may not look
 * at, that user may. It stops above `stop_bytes`; more files than can be distinguished count as
 * UINT64_MAX bytes. */
uint64_t sandbox_removed_sum(struct sandbox_removed *removed, uid_t uid, pid_t ancestor,
                             uint64_t stop_bytes);

#endif
