/* folder_state.c: see folder_state.h. */
#include "cli/folder_state.h"

#include "base/clock.h"

#include <fts.h>
#include <string.h>
#include <sys/stat.h>

static int compare_names(const FTSENT **left, const FTSENT **right)
{
    return strcmp((*left)->fts_name, (*right)->fts_name);
}

static bool is_hidden(const FTSENT *entry)
{
    return entry->fts_level > FTS_ROOTLEVEL && entry->fts_name[0] == '.';
}

struct folder_state folder_state_read(struct arena *arena, const char *path)
{
    char *const roots[] = {arena_strdup(arena, path), NULL};
    FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, compare_names);
    struct folder_state state = {NULL, 0};
    struct folder_entry *entries = NULL;
    size_t capacity = 0;

    if (tree == NULL) {
        return state;
    }
    for (FTSENT *entry = fts_read(tree); entry != NULL && state.count < FOLDER_STATE_MAX;
         entry = fts_read(tree)) {
        if (is_hidden(entry)) {
            fts_set(tree, entry, FTS_SKIP);
        } else if (entry->fts_info == FTS_F) {
            const struct stat *status = entry->fts_statp;
            arena_grow(arena, &entries, &capacity, state.count + 1, sizeof *entries);
            entries[state.count++] = (struct folder_entry){
                .path = arena_strdup(arena, entry->fts_path),
                .size = (uint64_t)status->st_size,
                .inode = (uint64_t)status->st_ino,
                .changed_ns = (int64_t)status->st_mtim.tv_sec * (int64_t)CLOCK_NS_PER_S +
                              status->st_mtim.tv_nsec,
            };
        }
    }
    fts_close(tree);
    state.entries = entries;
    return state;
}

static bool same_entry(const struct folder_entry *left, const struct folder_entry *right)
{
    return strcmp(left->path, right->path) == 0 && left->size == right->size &&
           left->inode == right->inode && left->changed_ns == right->changed_ns;
}

static bool holds_entry(const struct folder_state *state, const struct folder_entry *entry)
{
    for (size_t i = 0; i < state->count; i++) {
        if (same_entry(&state->entries[i], entry)) {
            return true;
        }
    }
    return false;
}

/* The first entry of `left` that is not in `right`. */
static const char *first_missing(const struct folder_state *left, const struct folder_state *right)
{
    for (size_t i = 0; i < left->count; i++) {
        bool in_place = i < right->count && same_entry(&left->entries[i], &right->entries[i]);
        if (!in_place && !holds_entry(right, &left->entries[i])) {
            return left->entries[i].path;
        }
    }
    return NULL;
}

const char *folder_state_difference(const struct folder_state *before,
                                    const struct folder_state *after)
{
    const char *path = first_missing(after, before);

    return path != NULL ? path : first_missing(before, after);
}
