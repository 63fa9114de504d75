/* step_log.h: the steps of one block as they run: what the lanes of its warps load, store and
 * update, where they wait, part and end.
 *
 * The launch runs with those ops tapped (op_tap.h), and is watched as any other one. It has to run
 * on one thread of the host. Where it runs again, unwatched, to look for races, nothing is logged.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_MEMORY_STEP_LOG_H
#define GPUGRADE_DEVICE_EMULATED_MEMORY_STEP_LOG_H

#include "device/emulated/memory/op_tap.h"
#include "wire/step_record.h"

struct step_log {
    struct op_tap tap;
    uint64_t block;      /* linear */
    struct text records; /* packed; STEP_PAYLOAD_MAX bytes at most */
    uint64_t kept;       /* steps in `records` */
    uint64_t total;      /* steps of the block; the last ones are not kept if there are too many */
    struct step_region regions[STEP_REGIONS_MAX]; /* [region_count] */
    size_t region_count;
};

/* An empty log of a block. Aborts without memory. */
struct step_log *step_log_new(const struct kernel_code *code, uint64_t block);
void step_log_free(struct step_log *log); /* NULL is accepted */

/* Turns a launch into one whose block is logged. */
void step_log_tap(struct step_log *log, struct launch *launch);

#endif
