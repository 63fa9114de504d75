/* global_races.h: sees races in global memory; only where a rubric asks for it.
 *
 * Two accesses to the same byte of global memory race if different threads make them, one is a
 * write that changes the byte, not both are atomic, and nothing orders them. What orders:
 *   - within a block, a barrier between them (any barrier of the block counts);
 *   - between blocks, a release of the first block after its access (a fence, then an atomic or an
 *     ordered store) and an acquire of the second one after that release (an atomic or an ordered
 *     load). Which address is released and acquired is not looked at.
 * Pairs of one warp are not looked at. So what is reported is a race; in kernels that synchronise
 * by atomics, some races are not seen.
 *
 * A launch that is checked runs its blocks in order on one thread. The shadow of a block of memory
 * is made at the first access to it: the last writer and a reader of each word, 4 bytes for each
 * byte:
 *
 *   cell   0 nobody, else  block 21 bits | thread 10 | access index 16 | epoch 12 | bytes 4 |
 * atomic
 *
 * An epoch of a block begins with each barrier and each release. Where a block has more epochs than
 * a cell has room for, the shadow gets a second part for the rest of their numbers, 2 bytes more
 * for each byte. Of releases a block keeps those that blocks which have not acquired since can tell
 * apart. Accesses of blocks and instructions that do not fit, and those for whose shadow there is
 * no memory, are not looked at: they count as races that are left out (finding_room.h), for nobody
 * knows.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_RACE_GLOBAL_RACES_H
#define GPUGRADE_DEVICE_EMULATED_RACE_GLOBAL_RACES_H

#include "device/emulated/machine.h"
#include "wire/finding_record.h"

struct global_races;

/* Makes the shadow for a launch; NULL without memory. */
struct global_races *global_races_new(const struct launch *launch);
void global_races_free(struct global_races *races); /* NULL is accepted */

/* The lanes of `mask` are going to access addresses[lane], which are valid and lie in blocks of the
 * window. To be called before a store changes the memory. */
void global_race_access(struct warp *warp, const struct op *op, uint32_t mask,
                        const uint64_t addresses[LANES], enum finding_record_access access);

/* A block passes a barrier. */
void global_race_barrier(struct block *block);

#endif
