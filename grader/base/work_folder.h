/* work_folder.h: the folder for all temporary files of one run of the grader, and its removal after
 * the run was killed.
 *
 *     $TMPDIR or /tmp / gpugrade-work-XXXXXX      locked (flock on the folder itself) while in use
 *
 * The kernel releases the lock when its last holder is gone for any reason, so a folder that can be
 * locked belongs to a run that is over. Between being made and being locked, a new folder may be
 * mistaken for one of these and removed; its maker notices and makes another one.
 *
 * Anyone may make folders in /tmp: only folders that belong to this user and are not links are
 * removed, and nothing is searched where others could swap them.
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

/* Removes the folders of killed runs of this user. What cannot be removed stays. */
void work_folder_remove_stale(void);

#endif
