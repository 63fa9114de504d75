/* trace_map.h: translates a device's log of one block into lines of a student's sources and
 * operands of a rubric. */
#ifndef GPUGRADE_SESSION_TRACE_MAP_H
#define GPUGRADE_SESSION_TRACE_MAP_H

#include "base/arena.h"
#include "model/trace.h"
#include "toolchain/code_index.h"

#include <stdbool.h>

/* What the records of a trace refer to. */
struct trace_source {
    const struct code_module *module; /* of the kernel */
    const struct rubric_launch *launch;
    const uint64_t *addresses;    /* [launch->operand_count] device addresses */
    const size_t *element_counts; /* [launch->operand_count] */
    uint32_t threads;             /* of a block */
};

/* Reads packed accesses [access_count] and then packed places [place_count] (wire/trace_record.h)
 * into the arena and fills the trace's lines and accesses. Lines are sorted and unique, with files
 * relative to the submission (as place_from_record() does). An access to an operand that is wider
 * than its elements becomes one access for each element. If there are then more than
 * TRACE_ACCESSES_MAX, the last ones are dropped and out_trace->is_complete becomes false; otherwise
 * it is not changed. False if the bytes are not records of such a launch. */
bool trace_from_bytes(struct arena *arena, const struct trace_source *source, const uint8_t *bytes,
                      size_t access_count, size_t place_count, struct launch_trace *out_trace);

#endif
