/* access_cost.h: what one request of a warp to global or shared memory needs.
 *
 * Global memory is moved in sectors of 32 aligned bytes: a request needs each sector that one of
 * its lanes touches, once.
 *
 * Shared memory has 32 banks of 4 bytes. A wavefront takes from each bank one word, which may go to
 * several lanes. Lanes are served together as long as they can ask for 128 bytes at most:
 *
 *   bytes of a lane   1 to 4     8            16                 32
 *   lanes together    all 32     16 (halves)  8 (quarters)       4
 *
 * and each such group needs as many wavefronts as the bank asked for the most different words: its
 * bank-conflict degree. Loads of 8 and 16 bytes whose lanes come in pairs of equal addresses (each
 * lane and its neighbour, or each lane and the next but one, as far as they are active) have twice
 * as many lanes together, as NVIDIA describes for compute capability 7.0 and later
 * (forums.developer.nvidia.com/t/77228). Atomics on one word wait for each other, so there each
 * lane counts as a word of its own.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_MEMORY_ACCESS_COST_H
#define GPUGRADE_DEVICE_EMULATED_MEMORY_ACCESS_COST_H

#include "device/emulated/machine.h"

/* Lanes of one request; all are aligned to `bytes`, a power of two up to 32. */
struct access_lanes {
    const uint64_t *addresses; /* [LANES], of the lanes in `mask` */
    uint32_t mask;             /* not 0 */
    uint32_t bytes;            /* of a lane */
    bool is_load, is_atomic;
};

/* Sectors that the lanes touch, and the fewest that could hold as many different bytes. */
struct access_cost access_cost_global(const struct access_lanes *lanes);

/* Wavefronts, those without conflicts, and the highest degree of a group. */
struct access_cost access_cost_shared(const struct access_lanes *lanes);

/* The sets of lanes that meet in a bank, when the lanes of `mask` each access an aligned word at
 * `delta` from another one. */
void access_bank_sets(const int32_t delta[LANES], uint32_t mask, struct bank_sets *out_sets);

/* The same as access_cost_shared() for some of these lanes, if each has a word of its own. */
struct access_cost access_cost_of_words(const struct bank_sets *sets, uint32_t active);

#endif
