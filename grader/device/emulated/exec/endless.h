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
 * A joint watch follows all lanes that come to the head together, and takes memory as fixed: if
 * they come back to a state, they never end unless a thread changes memory (waiting.h).
 *
 * A watched turn does the same as any other turn, only slower.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_EXEC_ENDLESS_H
#define GPUGRADE_DEVICE_EMULATED_EXEC_ENDLESS_H

#include "device/emulated/machine.h"

/* The work of a block after which its warps are first watched; then again each time it doubles. */
#define ENDLESS_FIRST_WORK (UINT64_C(1) << 21)

/* How much time must pass in a loop that asks for the time before it counts as endless, of a joint
 * watch. */
#define TIME_ENOUGH (UINT64_C(1) << 36)

/* Lanes that never end unless memory changes. */
struct endless_wait {
    uint32_t lanes;
    const struct op *branch; /* back, of the outermost loop that repeats */
    const struct op *fetch;  /* of memory, on which the loop depends; NULL: on nothing */
};

/* Begins to watch a warp of a block that can run, another one each time, and gives it a turn. */
void endless_look(struct block *block);

/* Runs a turn of a warp that is watched. If it never ends, that is reported at the branch of the
 * outermost loop that repeats, and the launch stops; if the watch is joint, it is only noted. */
void endless_turn(struct warp *warp);

/* Begins a joint watch of a warp. */
void endless_watch_joint(struct warp *warp);

/* True if all of these lanes are known to be endless unless memory changes, which the warp has not
 * done since the joint watch began. */
bool endless_is_known(const struct warp *warp, uint32_t lanes);

/* What is known of some of these lanes; NULL: nothing. */
const struct endless_wait *endless_wait_of(const struct warp *warp, uint32_t lanes);

/* Ends the watches of a block. */
void endless_end(struct block *block);

/* Reports where a block was when the launch stopped: at the first backward branch taken by the
 * first warp that can run, or else at its current place. Once per launch. */
void endless_report_stop(struct block *block);

#endif
