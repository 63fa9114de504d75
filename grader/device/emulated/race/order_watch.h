/* order_watch.h: could the result of a launch depend on the order of its blocks?
 *
 * Blocks that run on several threads of the host at once must give what they give one after the
 * other, or the same seed might not give the same verdict. They do, unless
 *   - two blocks store to the same word of global memory, or
 *   - some allocation is both loaded from and stored to (a block might read what another one
 *     wrote).
 * While blocks run in parallel, every global access notifies the watch. If one of the two
 * happened, all stores are undone and the launch runs again, in the order of its blocks, on one
 * thread. So a kernel without such accesses is fast, and one with them is reproducible. Where races
 * in global memory are looked for, touch_watch.h knows word by word, and this one only undoes:
 * stores, and what is known of what has been written (written_map.h).
 *
 *   order_watch -> watched_block[memory.block_count]
 *                    is_loaded, before: a copy of what was stored to, writers: a block for each
 *                    4-byte word
 */
#ifndef GPUGRADE_DEVICE_EMULATED_RACE_ORDER_WATCH_H
#define GPUGRADE_DEVICE_EMULATED_RACE_ORDER_WATCH_H

#include "device/emulated/memory/window_memory.h"

#include <pthread.h>

struct watched_block {
    bool is_loaded;            /* atomic */
    struct chunk_copy *before; /* atomic, NULL until the first store */
    uint32_t *writers; /* [(end - start) / 4, rounded up]: linear block number + 1, 0: none; atomic;
                          set before `before` is */
};

struct order_watch {
    const struct window_memory *memory;
    struct watched_block *blocks; /* as memory->blocks */
    pthread_mutex_t first_store;
    bool overlaps; /* atomic: two blocks stored to one word */
};

/* True if there is room to watch all of the memory. The process has DEVICE_SHARES bytes for each
 * byte that a program may own: the byte and its copy in a snapshot. A watch may need that much
 * again for the memory that the program does own, so a program that owns more than about half of
 * its limit runs on one thread. */
bool order_watch_fits(const struct window_memory *memory);

/* Aborts without memory. */
void order_watch_init(struct order_watch *watch, const struct window_memory *memory);
void order_watch_release(struct order_watch *watch);

/* A store of `bytes` at `address`, all in `block`, before it is done: that it can be undone. */
void order_watch_keep(struct order_watch *watch, const struct window_block *block, uint64_t address,
                      uint32_t bytes);

/* The same, and that it is by block number `linear`. */
void order_watch_store(struct order_watch *watch, const struct window_block *block,
                       uint64_t address, uint32_t bytes, uint64_t linear);

/* True if the order of the blocks may have mattered; call it when no block runs any more. */
bool order_watch_matters(const struct order_watch *watch);

/* True if all bytes are as they were before the stores; likewise. */
bool order_watch_is_same(const struct order_watch *watch);

/* Undoes all stores. */
void order_watch_undo(struct order_watch *watch);

/* A load from `block`. */
static inline void order_watch_load(struct order_watch *watch, const struct window_block *block)
{
    struct watched_block *watched = &watch->blocks[block - watch->memory->blocks];
    if (!__atomic_load_n(&watched->is_loaded, __ATOMIC_RELAXED)) {
        __atomic_store_n(&watched->is_loaded, true, __ATOMIC_RELAXED);
    }
}

#endif
