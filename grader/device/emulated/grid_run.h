/* grid_run.h: all blocks of a launch.
 *
 * Blocks run over the host's cores, and what is reported does not depend on their number: findings
 * name the first block and thread, blocks that fault do not stop others. Kernels whose blocks can
 * see each other (global atomics, volatile and ordered accesses) run their blocks in order on one
 * core; a block that makes no progress lets later ones start and take turns with it.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_GRID_RUN_H
#define GPUGRADE_DEVICE_EMULATED_GRID_RUN_H

#include "device/emulated/finding_table.h"
#include "device/emulated/machine.h"

/* Runs the launch to its end with at most `threads` threads of the host; at most `resident_max`
 * blocks of an ordered kernel are under way at once. */
void grid_run(struct launch *launch, uint32_t threads, uint64_t resident_max,
              struct finding_table *out_findings, struct device_counters *out_counters,
              enum launch_status *out_status);

#endif
