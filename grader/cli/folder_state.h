/* folder_state.h: whether something was saved in a folder.
 *
 * It compares states instead of waiting for events. That works on every file system, also in a
 * container or over a network, and it does not matter how an editor saves.
 */
#ifndef GPUGRADE_CLI_FOLDER_STATE_H
#define GPUGRADE_CLI_FOLDER_STATE_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct folder_entry {
    const char *path;
    uint64_t size, inode;
    int64_t changed_ns; /* when its contents were last written */
};

/* The regular files below a path, sorted by path, without hidden ones; empty if there is no such
 * path. */
struct folder_state {
    const struct folder_entry *entries; /* [count] */
    size_t count;
};

enum { FOLDER_STATE_MAX = 4000 };

/* Reads the state into the arena, FOLDER_STATE_MAX files at most. */
struct folder_state folder_state_read(struct arena *arena, const char *path);

/* The first file that differs or exists in only one of the states; NULL if there is none. */
const char *folder_state_difference(const struct folder_state *before,
                                    const struct folder_state *after);

#endif
