/* endless.h: does a warp ever end?
 *
 * Where a block has worked for long, the turns of one of its warps are watched: op by op, with one
 * lane in mind. The first branch back that the lane takes gives the head of a loop. Each time
 * the lane is there again, the registers that decide where it goes are compared with what they held
 * before: those that guards and branches read, and whatever they were computed from. If all of them
 * are the same, and none of them comes from memory, from a clock or from another lane, the lane has
 * to go the same way again, whatever other threads do: it never ends. Nothing is guessed: a loop
 * that is not proved endless is stopped by its work.
 *
 * A watched turn does what any turn does, slower.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_EXEC_ENDLESS_H
#define GPUGRADE_DEVICE_EMULATED_EXEC_ENDLESS_H

#include "device/emulated/machine.h"

/* The work of a block at which its warps are watched first; then each time that it has doubled. */
#define ENDLESS_FIRST_WORK (UINT64_C(1) << 21)

/* Begins to watch a warp of a block that can run, another one each time, and gives it a turn. */
void endless_look(struct block *block);

/* True if a warp is watched: its turns, once begun, are endless_turn's. If it never ends, that is
 * reported at the branch of the outermost loop that repeats, and the launch stops. */
bool endless_watches(const struct block *block, const struct warp *warp);
void endless_turn(struct block *block);

/* Ends the watch of a block, if there is one. */
void endless_end(struct block *block);

/* Reports where a block was as the launch stopped: at the first branch back that the first warp
 * takes which can run, or where it is. Once in a launch. */
void endless_report_stop(struct block *block);

#endif
