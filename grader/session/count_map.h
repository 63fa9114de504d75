/* count_map.h: translates a device's counts into lines of a student's sources and operands of a
 * rubric. */
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
 * relative to the submission (as place_from_record() does), totals, operands. If several operands
 * lie in one allocation, its counts go to the first input among them, or else to the first of them.
 * Fills everything except is_counted, variable_bytes of others, the instructions and
 * barrier_arrivals. Sums saturate. False if the bytes are not records. */
bool counts_from_bytes(struct arena *arena, const struct count_source *source, const uint8_t *bytes,
                       size_t count, struct launch_counts *out_counts);

/* Adds what other launches were counted to, in arrays of their own in the arena. */
void counts_add(struct arena *arena, struct launch_counts *counts,
                const struct launch_counts *more);

#endif
