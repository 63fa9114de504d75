/* window_memory.h: the memory of the emulated device.
 *
 * One reservation of the host's address space stands for the window of device addresses:
 *
 *   device address   DEVICE_WINDOW_START + offset
 *   host address     host + offset
 *
 *   | gap | block | gap | block | gap | ...
 *
 * A gap is as large as the block before it (at least WINDOW_GAP_BYTES), so that a loop that runs
 * twice too far is still detected. A program that makes thousands of blocks gets the smallest gaps,
 * since each larger one costs the host a mapping. Blocks (allocations and module variables) are
 * kept sorted by address. Addresses are not used again while the window has room, and freed ranges
 * are remembered, so that a use after free can be distinguished from an address that was never
 * allocated. New blocks hold POISON_HALF, a NaN in every format.
 *
 * While a launch runs, only the copies of the snapshot change here, and the bytes themselves.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_MEMORY_WINDOW_MEMORY_H
#define GPUGRADE_DEVICE_EMULATED_MEMORY_WINDOW_MEMORY_H

#include "device/device.h"
#include "device/emulated/memory/chunk_copy.h"
#include "device/emulated/memory/written_map.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    WINDOW_ALIGNMENT = 512,
    WINDOW_GAP_BYTES = 512,
    WINDOW_LARGE_GAP_BYTES = 1 << 16, /* at least, of the first WINDOW_LARGE_GAPS blocks */
    WINDOW_LARGE_GAPS = 8192,
    POISON_HALF = 0x7ff8, /* repeated: a quiet NaN as f16, bf16, f32 and f64 */
};
#define POISON_WORD UINT64_C(0x7ff87ff87ff87ff8)

struct window_block {
    uint64_t start, end; /* device addresses, [start, end) */
    bool is_module_variable;
    bool is_constant;
    bool is_heap;                /* of malloc in kernels: device_heap.h knows what lies where */
    struct chunk_copy *saved;    /* its part of the snapshot; NULL without one */
    struct written_map *written; /* NULL: all of it, or it is not of interest */
};

struct window_range {
    uint64_t start, end;
};

struct window_memory {
    uint8_t *host;               /* of DEVICE_WINDOW_START */
    struct window_block *blocks; /* [block_count], sorted by start */
    size_t block_count, block_capacity;
    struct window_range *freed; /* [freed_count], sorted by start */
    size_t freed_count, freed_capacity;
    uint64_t made;         /* blocks so far */
    uint64_t next;         /* lowest address above everything that was ever given out */
    uint64_t living_bytes; /* of all blocks */
    uint64_t limit_bytes;
    bool has_snapshot;
    bool asks_written; /* new allocations know what of them has been written */
};

/* Reserves the window. Errors: ERROR_ENVIRONMENT. */
enum error window_memory_init(struct window_memory *memory, uint64_t limit_bytes,
                              struct diagnostic *diagnostic);
void window_memory_release(struct window_memory *memory);

/* Makes a block of `bytes` > 0, poisoned. Errors: ERROR_LIMIT when the memory limit would be
 * exceeded or the host has no memory. */
enum error window_allocate(struct window_memory *memory, uint64_t bytes, bool is_module_variable,
                           bool is_constant, uint64_t *out_address, struct diagnostic *diagnostic);

/* Makes an allocation of `bytes` > 0 again where one of as many was freed, and nothing has been
 * made since. Errors: as above, or ERROR_LIMIT if there was none. */
enum error window_allocate_again(struct window_memory *memory, uint64_t bytes, uint64_t address,
                                 struct diagnostic *diagnostic);

/* Frees the allocation that starts at `address`; false if there is none (or a module variable). */
bool window_free(struct window_memory *memory, uint64_t address);

/* The block that contains `address`; NULL if there is none. */
struct window_block *window_find(const struct window_memory *memory, uint64_t address);

/* The live block nearest to `address`, which is in no block; NULL if there are no blocks. */
const struct window_block *window_nearest(const struct window_memory *memory, uint64_t address);

/* The freed range that contains `address`; NULL if there is none. */
const struct window_range *window_find_freed(const struct window_memory *memory, uint64_t address);

/* The host's view of [address, address + length) if it lies within one block, else NULL. The
 * snapshot is notified of a range that will be written, and it counts as written. */
uint8_t *window_range_host(const struct window_memory *memory, uint64_t address, uint64_t length,
                           bool for_writing);

/* Copies one range to another one, which may overlap it, with what is known of what has been
 * written; false if they do not lie within one block each. */
bool window_copy(const struct window_memory *memory, uint64_t to, uint64_t from, uint64_t length);

/* Nothing of the allocation that starts at `address` counts as written any more; its bytes stay. */
void window_forget(struct window_memory *memory, uint64_t address);

/* The first element of [address, address + length) of which nothing has been written; false if
 * there is none, the range lies within no live block, or the block does not know. */
bool window_unwritten(const struct window_memory *memory, uint64_t address, uint64_t length,
                      uint64_t element_bytes, uint64_t *out_address);

/* Fills host memory with a pattern of 1, 2 or 4 bytes. */
void window_fill(uint8_t *host, uint64_t length, uint32_t pattern, size_t pattern_bytes);

/* Fills host memory with poison. Without bytes `host` may be NULL. */
void window_poison(uint8_t *host, uint64_t length);

/* The snapshot of device.h; memory is copied before it is overwritten (chunk_copy.h). Blocks that
 * are made while it is held are not part of it. */
enum error window_snapshot(struct window_memory *memory, struct diagnostic *diagnostic);
void window_restore(struct window_memory *memory);
void window_discard(struct window_memory *memory);

/* To be called before [address, address + bytes) of a block is written, if a snapshot may be held;
 * bytes > 0. May be called by several threads at once. */
static inline void window_before_write(const struct window_block *block, uint64_t address,
                                       uint64_t bytes)
{
    if (block->saved != NULL) {
        chunk_copy_before_write(block->saved, address - block->start, bytes);
    }
}

/* The host address of a device address that lies in a block. */
static inline uint8_t *window_host(const struct window_memory *memory, uint64_t address)
{
    return memory->host + (address - DEVICE_WINDOW_START);
}

#endif
