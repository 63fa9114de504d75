/* device_heap.h: memory that kernels allocate with malloc and new.
 *
 * One block of the window holds it all, twice as large as the limit, since each allocation is
 * followed by a gap as large as itself (at most HEAP_GAP_MAX):
 *
 *   | allocation | gap | allocation | gap | ...      in granules of 16 bytes
 *
 * For each granule the heap stores how far it is from the beginning of the last allocation that
 * covered it; at the beginning it stores the size and whether the allocation is live. So for every
 * address in the heap it is known whether it is in a live allocation, in a freed one or in none.
 * Room is handed out in a circle: a freed range is used again when the end has been reached.
 *
 * Allocations survive launches. Kernels that allocate run their blocks in order on one thread
 * (kernel_code.uses_heap), so addresses are the same in every run.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_MEMORY_DEVICE_HEAP_H
#define GPUGRADE_DEVICE_EMULATED_MEMORY_DEVICE_HEAP_H

#include "device/emulated/memory/window_memory.h"

enum { HEAP_GRANULE = 16, HEAP_GAP_MAX = 4096 };
#define HEAP_BYTES_DEFAULT (UINT64_C(8) << 20)

struct device_heap;

/* A heap without memory. */
struct device_heap *device_heap_new(struct window_memory *memory);
void device_heap_free_all(struct device_heap *heap); /* NULL is accepted */

/* Gives the heap its memory if it has none yet. False if the device does not have enough. */
bool device_heap_open(struct device_heap *heap, uint64_t limit_bytes);

/* Allocates; 0 if there is no room, or for 0 bytes. */
uint64_t device_heap_allocate(struct device_heap *heap, uint64_t bytes);

/* Frees a live allocation by its address; false if there is none. */
bool device_heap_free(struct device_heap *heap, uint64_t address);

/* What an address in the heap's block belongs to. */
enum heap_place { HEAP_LIVING, HEAP_FREED, HEAP_NOWHERE };

/* Finds the allocation at an address in the heap; where it lies in none, the one before it (empty
 * if there is none). */
enum heap_place device_heap_find(const struct device_heap *heap, uint64_t address,
                                 struct window_range *out_range);

/* The bookkeeping goes with the snapshots of the window's memory. */
bool device_heap_snapshot(struct device_heap *heap);
void device_heap_restore(struct device_heap *heap);
void device_heap_discard(struct device_heap *heap);

/* Forgets all allocations, as cudaDeviceReset does. */
void device_heap_reset(struct device_heap *heap);

#endif
