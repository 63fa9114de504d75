/* origin_lines.h: asks the device where the elements of a call's output come from. */
#ifndef GPUGRADE_SESSION_ORIGIN_LINES_H
#define GPUGRADE_SESSION_ORIGIN_LINES_H

#include "session/probe.h"

/* Fills the origins of `followed` after a call that was followed. Errors: those of the
 * connection. */
enum error origin_lines_read(struct connection *connection, const struct rubric_launch *launch,
                             const struct bound_launch *bound, struct followed_call *followed,
                             struct diagnostic *diagnostic);

#endif
