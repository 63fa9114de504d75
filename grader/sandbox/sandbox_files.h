/* sandbox_files.h: how much a program has written, of all its files together.
 *
 * A temporary folder in memory (tier A) is bounded by its size, too; the kernel is asked how much
 * of it is in use, which counts files that were removed but are still open. Folders on disk are
 * walked: without following links, without recursion, never more than a bounded number of entries,
 * and only for a small part of the time. Removed files that are still open are added, as far as
 * sandbox_removed.h can see them.
 */
#ifndef GPUGRADE_SANDBOX_SANDBOX_FILES_H
#define GPUGRADE_SANDBOX_SANDBOX_FILES_H

#include "sandbox/sandbox.h"
#include "sandbox/sandbox_removed.h"

/* What is watched of one run. */
struct sandbox_files {
    const char *folders[SANDBOX_MOUNTS_MAX + 1]; /* on disk; they belong to the run's arena */
    size_t folder_count;
    uint64_t limit_bytes;
    uint64_t before_bytes; /* what was in them at the start */
    int memory_fd;         /* the temporary folder in memory; -1: none, or not reachable */
    struct sandbox_removed *removed;
    pid_t supervisor;       /* whose descendants may hold removed files; 0: none */
    uid_t uid;              /* of these, where it is a slot's; else 0 */
    uint64_t next_ns;       /* when to look again; UINT64_MAX: never */
    uint64_t written_bytes; /* the most that was seen */
};

/* Lists the writable folders of a run, before it starts. */
void sandbox_files_init(struct sandbox_files *files, struct arena *arena,
                        const struct sandbox_spec *spec);

/* Opens the temporary folder in memory of the running process, through its own file systems. */
void sandbox_files_reach(struct sandbox_files *files, pid_t program);

/* Also counts removed files that descendants of the supervisor hold open; uid is the slot's user,
 * or 0. */
void sandbox_files_follow(struct sandbox_files *files, pid_t supervisor, uid_t uid);

/* Stops that, before the supervisor is waited for: its number may become another process's. */
void sandbox_files_unfollow(struct sandbox_files *files);

/* Looks, if it is time or `now` is set, and notes how much there is. */
void sandbox_files_look(struct sandbox_files *files, bool now);

/* Is the limit exceeded? */
bool sandbox_files_over(const struct sandbox_files *files);

/* How large a folder in memory must be, so that a program that exceeds the limit is noticed before
 * it runs out of room. */
uint64_t sandbox_files_room(uint64_t limit_bytes);

void sandbox_files_release(struct sandbox_files *files);

/* Adds up what files below a folder occupy; an entry counts as a page at least. It stops above
 * `stop_bytes`, also where folders are nested too deeply to be walked. */
uint64_t sandbox_files_sum(const char *folder, uint64_t stop_bytes);

#endif
