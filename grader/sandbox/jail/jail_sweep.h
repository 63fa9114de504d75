/* jail_sweep.h: removes what a slot's user left: processes, files in shared folders, folders within
 * the grader's own. */
#ifndef GPUGRADE_SANDBOX_JAIL_JAIL_SWEEP_H
#define GPUGRADE_SANDBOX_JAIL_JAIL_SWEEP_H

#include <stdbool.h>
#include <sys/types.h>

/* Kills every process of the slot's two users, as the supervising one, and waits up to two seconds
 * until none is left. False if any is left. */
bool jail_sweep_processes(uid_t uid);

/* Removes the user's files and folders in the folders of this machine that everyone may write to.
 * Works in a process of its own, which becomes the slot's user. */
void jail_sweep_files(uid_t uid);

/* Lets the slot's group write to a folder of the caller's. False with errno set. */
bool jail_give_folder(uid_t uid, const char *path);

/* Removes the folders that the slot's user made in a folder, with all that is in them; as that
 * user. False with errno set if the folder cannot be opened. */
bool jail_clear_folder(uid_t uid, const char *path);

#endif
