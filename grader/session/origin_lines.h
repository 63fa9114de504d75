/* origin_lines.h: asks the device where the elements of a call's output come from. */
#ifndef GPUGRADE_SESSION_ORIGIN_LINES_H
#define GPUGRADE_SESSION_ORIGIN_LINES_H

#include "session/probe.h"

/* Where a call that was followed has its operands. */
struct followed_memory {
    struct connection *connection;
    const struct rubric_launch *launch;
    const struct bound_launch *bound;
    const size_t *element_counts; /* [launch->operand_count] */
};

/* Fills the origins and loads of `followed` after a call that was followed. Errors: those of the
 * connection, ERROR_PEER. */
enum error origin_lines_read(const struct followed_memory *memory, struct followed_call *followed,
                             struct diagnostic *diagnostic);

/* The line of a place that the device names; `module` is its number plus 1, 0: it is unknown. */
struct trace_line origin_line(const struct connection *connection, uint64_t module,
                              const struct finding_record_place *record);

#endif
