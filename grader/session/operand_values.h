/* operand_values.h: writes the operands of a launch or a call before a probe, and reads them after
 * it.
 *
 * Nothing here depends on a launch that is held: only on where the operands lie and on the case.
 */
#ifndef GPUGRADE_SESSION_OPERAND_VALUES_H
#define GPUGRADE_SESSION_OPERAND_VALUES_H

#include "session/connection.h"

/* The operands of one case in device memory. */
struct operand_values {
    struct connection *connection;
    const struct rubric_launch *launch;
    const uint64_t *addresses; /* [operand_count] */
    uint64_t stream;           /* names the launch and the case for the random numbers */
    const struct observation *observation; /* its parameters, block and element counts are set */
};

/* Writes all operands for the sample's kind of probe, and notes in sample->before what was written:
 * secret inputs, and a poison or zeros in what it only writes. Errors: those of the connection. */
enum error operand_values_write(const struct operand_values *values, struct sample *sample,
                                struct diagnostic *diagnostic);

/* Reads all operands into sample->after, which is sample->before for inputs that did not change.
 * Errors: those of the connection. */
enum error operand_values_read(const struct operand_values *values, struct sample *sample,
                               struct diagnostic *diagnostic);

/* In place of reading, where nothing can be read: as if nothing had been written. */
void operand_values_lost(const struct operand_values *values, struct sample *sample);

#endif
