/* global_races.h: detects races in global memory.
 *
 * The definition is that of race_watch.h, with what global memory adds:
 *   - between blocks only releases and acquires order, whose scope reaches the other block
 *     (thread_order.h);
 *   - two atomics race if threads of different blocks make them and one is of block scope;
 *   - .volatile accesses are plain ones, but for flags: a volatile or atomic access does not race
 *     with a volatile store or an atomic that releases, nor with a volatile load in a loop that
 *     only waits for it.
 * Memory of malloc in kernels is not looked at.
 *
 * A launch that is checked runs its blocks in order on one thread. Each word of 4 bytes has a cell
 * with the last accesses that nothing has replaced: one that has seen an earlier access takes its
 * place, if what races with the earlier one races with it too. Where more accesses than fit are
 * without order, those of other blocks, then of other warps, go before their like. Cells are made
 * for the pages that are touched, 12 bytes for each byte of them.
 *
 * Accesses of blocks and instructions that do not fit into a cell, and those without memory for
 * cells, are not checked. They count as left-out races (finding_room.h), because they could be
 * races.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_RACE_GLOBAL_RACES_H
#define GPUGRADE_DEVICE_EMULATED_RACE_GLOBAL_RACES_H

#include "device/emulated/finding_table.h"
#include "device/emulated/machine.h"
#include "device/emulated/memory/access_check.h"
#include "device/emulated/race/thread_order.h"

struct global_races;

/* Makes the watch of a launch and its thread_order; both are NULL without memory. */
void global_races_start(struct launch *launch);

/* Adds what was found to a table, and frees both; without them, one is left out there. */
void global_races_finish(struct launch *launch, struct finding_table *findings);

/* The lanes of `mask` are going to make accesses that are valid and lie in blocks of the window. To
 * be called before a store changes the memory. */
void global_race_access(struct warp *warp, const struct op *op, uint32_t mask,
                        const struct access_wish *wish);

#endif
