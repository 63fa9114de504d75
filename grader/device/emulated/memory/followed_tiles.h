/* followed_tiles.h: which .shared variable a register points into, where that is decided as the
 * kernel runs.
 *
 * lower_tiles.c finds the registers that hold an address in one of several variables, each of them
 * formed from a symbol, moves, selections and sums with numbers. Beside each of those registers
 * a warp keeps, for each lane, the range (worker->ranges) of the variable that it points into; the
 * ops that write the register keep it up to date. 0: it has not been written yet.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_MEMORY_FOLLOWED_TILES_H
#define GPUGRADE_DEVICE_EMULATED_MEMORY_FOLLOWED_TILES_H

#include "device/emulated/machine.h"

enum {
    FOLLOWED_CELL_BYTES = 64, /* no two registers that can hold an address share so many bytes */
    FOLLOWED_MAX = 4096,      /* registers; a kernel that has so many is not followed */
    FOLLOWED_FIRST = 0x8000,  /* in kernel_code.followed_cells: plus the number of the register */
};

/* True for an op whose result points where one of its operands does. */
bool followed_tiles_is_source(const struct op *op);

/* Executes such an op, and notes where its result points. */
void followed_tiles_run(struct warp *warp, const struct op *op, uint32_t mask);

/* The range that a lane's access has to stay in: an index in worker->ranges, 0 if it is unknown. */
uint16_t followed_tile(const struct warp *warp, const struct op *op, unsigned lane);

/* True if the accesses of all lanes of `mask` lie at [low, low + span) within one range. */
bool followed_tiles_hold(const struct warp *warp, const struct op *op, uint32_t mask, uint64_t low,
                         uint64_t span);

#endif
