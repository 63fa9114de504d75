/* timing_operands.h: what the operands of a timed launch hold, and how its outputs are compared.
 *
 * An input is drawn on the device for each launch if its numbers are any of a range. Others
 * (sorted, few different ones, made by the oracle) are made here from the secret and are the same
 * in each launch.
 */
#ifndef GPUGRADE_SESSION_TIMING_OPERANDS_H
#define GPUGRADE_SESSION_TIMING_OPERANDS_H

#include "session/connection.h"
#include "wire/timing_record.h"

struct timed_operands {
    struct connection *connection;
    const struct rubric_launch *launch;
    const struct observation *observation; /* of no case: parameters, block, element counts */
    uint64_t secret;                       /* the inputs are drawn from it */
};

/* Describes all operands in *request and puts what is made here on the device. Errors: those of the
 * connection; ERROR_COURSEWORK for what cannot be timed. */
enum error timing_describe_operands(const struct timed_operands *timed,
                                    struct timing_request *request, struct diagnostic *diagnostic);

#endif
