/* step_watch.h: chooses the launch and the block whose steps are logged (step_log.h): the first
 * launch of interest, until one has a finding; its block with the first finding, if none is wanted.
 *
 *   step_watch_begin -> grid_run, on one thread of the host -> step_watch_end
 */
#ifndef GPUGRADE_DEVICE_EMULATED_EXEC_STEP_WATCH_H
#define GPUGRADE_DEVICE_EMULATED_EXEC_STEP_WATCH_H

#include "device/device.h"
#include "device/emulated/memory/step_log.h"

struct step_watch {
    struct device_step_wish wish;
    uint32_t looked;          /* launches that were looked at */
    struct step_log *running; /* of the launch that runs; NULL: none is logged. Owned */
    bool has_finding;         /* ... that one */
    struct text packed;       /* what is seen */
    struct device_steps seen; /* so far */
};

void step_watch_init(struct step_watch *watch);
void step_watch_release(struct step_watch *watch);

/* Rehearses a launch (grid_run.h) to see whether it is the one, and taps it then; false if it is
 * not. */
bool step_watch_begin(struct step_watch *watch, struct launch *launch, uint64_t resident_max);

/* Keeps what was logged of the launch that has run, in place of what was before. */
void step_watch_end(struct step_watch *watch, const struct launch *launch);

#endif
