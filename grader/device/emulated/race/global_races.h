/* global_races.h: detects races in global memory, where a rubric asks for it.
 *
 * Two accesses to the same byte of global memory race if different threads make them, one is a
 * write that changes the byte, not both are atomic, and nothing orders them. What orders:
 *   - within a block, a barrier between them (any barrier of the block counts);
 *   - between blocks, a release of the first block after its access (a fence, then an atomic or an
 *     ordered store) and an acquire of the second one after that release (an atomic or an ordered
 *     load). The addresses of the release and the acquire are ignored.
 * Pairs within one warp are ignored. So everything that is reported is a race, but in kernels that
 * synchronise through atomics some races are missed.
 *
 * A launch that is checked runs its blocks in order on one thread. The shadow of a block of memory
 * is made at the first access to it: the last writer and a reader of each word, 4 bytes for each
 * byte:
 *
 *   cell   0 none, else    block 21 bits | thread 10 | access index 16 | epoch 12 | bytes 4 |
 * atomic
 *
 * An epoch of a block begins with each barrier and each release. Where a block has more epochs than
 * a cell has room for, the shadow gets a second part for the rest of their numbers, 2 bytes more
 * for each byte. A block keeps only those releases that other blocks, which have not acquired
 * since, can distinguish. Accesses of blocks and instructions that do not fit, and those without
 * memory for a shadow, are not checked. They count as left-out races (finding_room.h), because they
 * could be races.
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
