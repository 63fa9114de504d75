/* endless.h: detects warps that can never end.
 *
 * When a block has run for a long time, the turns of one of its warps are watched op by op,
 * following one lane. The first backward branch that the lane takes gives the head of a loop. Each
 * time the lane gets there again, the registers that decide where it goes are compared with what
 * they held before: those that guards and branches read, and whatever they were computed from. If
 * all of them are the same, and none of them comes from memory, from a clock or from another lane,
 * the lane has to go the same way again, whatever other threads do: it never ends. Nothing is
 * guessed: a loop that is not proved endless runs until the work limit stops it.
 *
 * A watched turn does the same as any other turn, only slower.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_EXEC_ENDLESS_H
#define GPUGRADE_DEVICE_EMULATED_EXEC_ENDLESS_H

#include "device/emulated/machine.h"

/* The work of a block after which its warps are first watched; then again each time it doubles. */
#define ENDLESS_FIRST_WORK (UINT64_C(1) << 21)

/* Begins to watch a warp of a block that can run, another one each time, and gives it a turn. */
void endless_look(struct block *block);

/* True if a warp is watched: then endless_turn runs its turns. If it never ends, that is reported
 * at the branch of the outermost loop that repeats, and the launch stops. */
bool endless_watches(const struct block *block, const struct warp *warp);
void endless_turn(struct block *block);

/* Ends the watch of a block, if there is one. */
void endless_end(struct block *block);

/* Reports where a block was when the launch stopped: at the first backward branch taken by the
 * first warp that can run, or else at its current place. Once per launch. */
void endless_report_stop(struct block *block);

#endif
