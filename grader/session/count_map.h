/* count_map.h: what a device counted, in the terms of a student's sources and a rubric's operands.
 */
#ifndef GPUGRADE_SESSION_COUNT_MAP_H
#define GPUGRADE_SESSION_COUNT_MAP_H

#include "base/arena.h"
#include "model/counts.h"
#include "toolchain/code_index.h"
#include "wire/count_record.h"

#include <stdbool.h>

/* What the records of a launch refer to. */
struct count_source {
    const struct code_module *module; /* of the kernel */
    const struct rubric_launch *launch;
    const uint64_t *allocations; /* [launch->operand_count] device addresses: their starts */
};

/* Reads `count` packed records [count * COUNT_RECORD_BYTES] into the arena: lines with files
 * relative to the submission (as place_from_record() does), totals, operands. An allocation that
 * several operands lie in counts for the first input among them, or the first of them. Fills
 * everything but is_counted, variable_bytes of others, the instructions and barrier_arrivals. Sums
 * stop at the highest number that fits. False if the bytes are no records. */
bool counts_from_bytes(struct arena *arena, const struct count_source *source, const uint8_t *bytes,
                       size_t count, struct launch_counts *out_counts);

#endif
