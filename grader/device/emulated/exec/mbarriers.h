/* mbarriers.h: mbarrier objects: barriers in shared memory that count arrivals in phases.
 *
 * PTX does not define the layout of the 8 bytes of an object. Here:
 *
 *   bits 0 to 19    arrivals that the phase still waits for
 *   bits 20 to 39   arrivals that each phase waits for
 *   bits 40 to 63   the number of the phase
 *
 * An arrival yields the object as it was before; a test with such a state says whether the phase
 * has ended since, one with a parity whether the current phase has the other one. An arrival
 * releases and a test acquires, as defined in race_watch.h; both are atomic.
 *
 * Source: PTX ISA 9.0, "Parallel Synchronization and Communication Instructions: mbarrier".
 */
#ifndef GPUGRADE_DEVICE_EMULATED_EXEC_MBARRIERS_H
#define GPUGRADE_DEVICE_EMULATED_EXEC_MBARRIERS_H

#include "device/emulated/machine.h"

/* op->target of an arrival that stands for the copies of its lane (async_copies.h). */
enum { MBARRIER_TAKES_COPIES = 1 };

/* Slots: 0 destination or NO_SLOT, 1 operand. op->kind: enum ptx_suboperation of the form. */
void mbarrier_run(struct warp *warp, const struct op *op, uint32_t mask);

/* How many arrivals the phase of an object at an address of the host still waits for, and how many
 * each phase does. */
void mbarrier_arrivals(const uint8_t *where, uint64_t *out_missing, uint64_t *out_expected);

#endif
