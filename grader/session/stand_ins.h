/* stand_ins.h: has variants of kernels (ptx/entry_variant.h) run in place of them. */
#ifndef GPUGRADE_SESSION_STAND_INS_H
#define GPUGRADE_SESSION_STAND_INS_H

#include "session/connection.h"

/* From now on the kernels that variant `number` has are its own, and others as they are. Errors:
 * those of the connection. */
enum error stand_ins_use(struct connection *connection, unsigned number,
                         struct diagnostic *diagnostic);

#endif
