/* order_watch.c: see order_watch.h. */
#include "device/emulated/race/order_watch.h"

#include "wire/device_bound.h"

#include <stdlib.h>

/* Beside the shares: a part of what device_confine.c has for everything else. */
#define ROOM_BYTES (UINT64_C(64) << 20)

bool order_watch_fits(const struct window_memory *memory)
{
    uint64_t half = memory->limit_bytes / 2 + ROOM_BYTES / (2 * DEVICE_SHARES);
    return memory->living_bytes <= half;
}

void order_watch_init(struct order_watch *watch, const struct window_memory *memory)
{
    *watch = (struct order_watch){.memory = memory};
    for (size_t i = 0; i < memory->block_count; i++) {
        const struct window_block *block = &memory->blocks[i];
        if (block->written != NULL) {
            written_map_keep(block->written, block->end - block->start);
        }
    }
    watch->blocks = calloc(memory->block_count + 1, sizeof *watch->blocks);
    if (watch->blocks == NULL || pthread_mutex_init(&watch->first_store, NULL) != 0) {
        abort();
    }
}

void order_watch_release(struct order_watch *watch)
{
    for (size_t i = 0; i < watch->memory->block_count; i++) {
        chunk_copy_free(watch->blocks[i].before);
        free(watch->blocks[i].writers);
        if (watch->memory->blocks[i].written != NULL) {
            written_map_forget(watch->memory->blocks[i].written);
        }
    }
    free(watch->blocks);
    pthread_mutex_destroy(&watch->first_store);
}

/* Prepares for the first store to a block; other threads that want to store wait for that. */
static void keep_before(struct order_watch *watch, const struct window_block *block,
                        struct watched_block *watched)
{
    size_t bytes = (size_t)(block->end - block->start);
    pthread_mutex_lock(&watch->first_store);
    if (watched->before == NULL) {
        struct chunk_copy *before = chunk_copy_new(window_host(watch->memory, block->start), bytes);
        watched->writers = calloc(bytes / 4 + 1, sizeof *watched->writers);
        if (before == NULL || watched->writers == NULL) {
            abort();
        }
        __atomic_store_n(&watched->before, before, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&watch->first_store);
}

void order_watch_keep(struct order_watch *watch, const struct window_block *block, uint64_t address,
                      uint32_t bytes)
{
    struct watched_block *watched = &watch->blocks[block - watch->memory->blocks];
    if (__atomic_load_n(&watched->before, __ATOMIC_ACQUIRE) == NULL) {
        keep_before(watch, block, watched);
    }
    chunk_copy_before_write(watched->before, address - block->start, bytes);
}

void order_watch_store(struct order_watch *watch, const struct window_block *block,
                       uint64_t address, uint32_t bytes, uint64_t linear)
{
    const struct watched_block *watched = &watch->blocks[block - watch->memory->blocks];
    uint32_t writer = (uint32_t)linear + 1;
    order_watch_keep(watch, block, address, bytes);
    uint64_t first = (address - block->start) / 4;
    uint64_t last = (address - block->start + bytes - 1) / 4;
    for (uint64_t word = first; word <= last; word++) {
        uint32_t old = __atomic_exchange_n(&watched->writers[word], writer, __ATOMIC_RELAXED);
        if (old != 0 && old != writer) {
            __atomic_store_n(&watch->overlaps, true, __ATOMIC_RELAXED);
        }
    }
}

bool order_watch_matters(const struct order_watch *watch)
{
    bool matters = __atomic_load_n(&watch->overlaps, __ATOMIC_RELAXED);
    for (size_t i = 0; i < watch->memory->block_count; i++) {
        const struct watched_block *watched = &watch->blocks[i];
        matters = matters || (watched->is_loaded && watched->before != NULL);
    }
    return matters;
}

bool order_watch_is_same(const struct order_watch *watch)
{
    for (size_t i = 0; i < watch->memory->block_count; i++) {
        const struct chunk_copy *before = watch->blocks[i].before;
        if (before != NULL && !chunk_copy_is_same(before)) {
            return false;
        }
    }
    return true;
}

void order_watch_undo(struct order_watch *watch)
{
    for (size_t i = 0; i < watch->memory->block_count; i++) {
        if (watch->blocks[i].before != NULL) {
            chunk_copy_restore(watch->blocks[i].before);
        }
        if (watch->memory->blocks[i].written != NULL) {
            written_map_undo(watch->memory->blocks[i].written);
        }
    }
}
