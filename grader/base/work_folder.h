/* work_folder.h: the folder in which one run of the grader makes everything, and what becomes of it
 * when the run is killed.
 *
 *     $TMPDIR or /tmp / gpugrade-work-XXXXXX      locked (flock on the folder itself) while in use
 *
 * The kernel gives the lock up when its last holder is gone, however it went, so a folder that can
 * be locked belongs to a run that is over. Between being made and being locked a folder may be
 * taken for one of these; whoever makes it notices and makes another one.
 *
 * Anybody may make folders in /tmp: only such are removed that are this user's and no link, and
 * nothing is looked for where others could exchange them.
 */
#ifndef GPUGRADE_BASE_WORK_FOLDER_H
#define GPUGRADE_BASE_WORK_FOLDER_H

#include "base/arena.h"
#include "base/diagnostic.h"

#include <stdbool.h>

struct work_folder {
    char *path;  /* absolute; in the arena */
    int lock_fd; /* the folder; children that are forked hold the lock too */
};

/* Makes a folder, mode 0711: the sandbox's users pass through, but cannot list. Errors: ERROR_IO.
 */
enum error work_folder_make(struct arena *arena, struct work_folder *out_folder,
                            struct diagnostic *diagnostic);

/* Removes it with all that is in it, then gives up the lock; false if something is left. */
bool work_folder_remove(struct work_folder *folder);

/* Removes what runs of this user left behind that were killed. What cannot be removed stays. */
void work_folder_remove_stale(void);

#endif
