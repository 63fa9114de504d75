/* unwritten.h: whether what is read from shared memory that no thread wrote is ever used.
 *
 * Code that reads past the end of its data and then does not look at what it got is right, though
 * PTX does not define the value (CUB's merges read one element too many). race_watch.h finds the
 * reads; here their values are followed, and a site whose values are never used is not reported.
 *
 * A value is used if it, or what is computed from it, is stored outside of shared memory, is an
 * address, decides a branch, or goes to an op that cannot be followed (atomics, exchanges between
 * lanes, calls). Stored to shared memory as it was read, it is followed further from wherever
 * poison is loaded in the block; if it was changed, it counts as used. It is not used by a
 * selection that takes the other value, nor by "and" and "or" of predicates that the other operand
 * decides; nor by any op if its register is written again, or never read again, first.
 *
 * Shared memory holds poison until it is written. A load of 32 or 64 bits that gets poison begins a
 * trail: its warp is executed op by op, with the lanes of each register that hold something of the
 * value, until there are none or one is used. A site that is known to be used begins none. What
 * begins no trail (narrow loads, generic addresses) counts as used, and so does what is stored to
 * shared memory in a kernel that has such loads. So does what is followed for more than TRAIL_STEPS
 * ops. A warp that is followed does the same as any other, for more work.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_EXEC_UNWRITTEN_H
#define GPUGRADE_DEVICE_EMULATED_EXEC_UNWRITTEN_H

#include "device/emulated/machine.h"

#define TRAIL_STEPS (UINT64_C(1) << 18)

/* What is known of a site (kernel_code.site_ops), for each of them: bits. Each block finds out for
 * itself, so that its work does not depend on those that its worker has run before. */
enum unwritten_use { UNWRITTEN_UNUSED = 1, UNWRITTEN_USED = 2 };

/* Lanes of `mask` have got poison by a load from shared memory: begins a trail, or adds to it. */
void unwritten_loaded(struct warp *warp, const struct op *op, uint32_t mask);

/* Goes on with the turn of a warp that has a trail until the turn or the trail ends. */
void unwritten_turn(struct warp *warp);

/* Ends the trails of a block, whose values can no longer be used. */
void unwritten_end(struct block *block);

/* True if values of a site have been followed, and none of them was used. */
bool unwritten_is_harmless(const uint8_t *uses, uint32_t site);

#endif
