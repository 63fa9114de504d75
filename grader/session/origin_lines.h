/* origin_lines.h: asks the device where the elements of a call's output come from. */
#ifndef GPUGRADE_SESSION_ORIGIN_LINES_H
#define GPUGRADE_SESSION_ORIGIN_LINES_H

#include "session/probe.h"

/* Fills the origins and loads of `followed` after a call that was followed; element counts are
 * those of the operands. Errors: those of the connection, ERROR_PEER. */
enum error origin_lines_read(struct connection *connection, const struct rubric_launch *launch,
                             const struct bound_launch *bound, const size_t *element_counts,
                             struct followed_call *followed, struct diagnostic *diagnostic);

#endif
