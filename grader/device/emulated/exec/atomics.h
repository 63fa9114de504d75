/* atomics.h: atom and red.
 *
 * The lanes of a warp are served in order. Warps of a block run on one thread of the host, and
 * kernels with atomics on global memory run their blocks on one, so nothing here is atomic on the
 * host.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_EXEC_ATOMICS_H
#define GPUGRADE_DEVICE_EMULATED_EXEC_ATOMICS_H

#include "device/emulated/machine.h"

/* True if the sub-operation exists for the type. */
bool atomic_is_known(enum ptx_suboperation sub, enum ptx_type type);

/* What an op makes of what was there; c is the third operand of cas. */
uint64_t atomic_result(const struct op *op, uint64_t old, uint64_t b, uint64_t c);

/* Makes a warp pay for an atomic, of which POLL_OPS are few enough to wait for another thread. */
void atomic_pay(struct warp *warp, const struct op *op);

/* Slots: 0 destination or NO_SLOT, 1 and 2 operands. */
void atomic_run(struct warp *warp, const struct op *op, uint32_t mask);

#endif
