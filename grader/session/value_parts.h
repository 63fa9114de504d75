/* value_parts.h: asks the device which elements of the inputs a call's results are made of. */
#ifndef GPUGRADE_SESSION_VALUE_PARTS_H
#define GPUGRADE_SESSION_VALUE_PARTS_H

#include "session/origin_lines.h"

/* Fills the parts, and what is missing, of followed->parted after a call that was followed. Texts
 * and arrays live in the arena. Errors: those of the connection, ERROR_PEER. */
enum error value_parts_read(const struct followed_memory *memory, struct arena *arena,
                            struct followed_call *followed, struct diagnostic *diagnostic);

#endif
