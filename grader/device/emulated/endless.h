/* endless.h: does a warp ever end?
 *
 * Where a block has worked for long, each of its warps gets a turn that is watched: op by op, with
 * one lane in mind. The first branch back that the lane takes gives the head of a loop. Each time
 * the lane is there again, the registers that decide where it goes are compared with what they held
 * before: those that guards and branches read, and whatever they were computed from. If all of them
 * are the same, and none of them comes from memory, from a clock or from another lane, the lane has
 * to go the same way again, whatever other threads do: it never ends. Nothing is guessed: a loop
 * that is not proved endless is stopped by its work.
 *
 * A watched turn does what any turn does, slower.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_ENDLESS_H
#define GPUGRADE_DEVICE_EMULATED_ENDLESS_H

#include "device/emulated/machine.h"

/* The work of a block at which its warps are watched first; then each time that it has doubled. */
#define ENDLESS_FIRST_WORK (UINT64_C(1) << 21)

/* Watches a turn of each warp of a block that can run. If one never ends, that is reported at the
 * branch of its loop and the launch stops. */
void endless_look(struct block *block);

/* Reports where a block was as the launch stopped: at the first branch back that the first warp
 * takes which can run, or where it is. Once in a launch. */
void endless_report_stop(struct block *block);

#endif
