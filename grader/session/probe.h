/* probe.h: what is done to a held launch: operands bound, secret inputs written, results read. */
#ifndef GPUGRADE_SESSION_PROBE_H
#define GPUGRADE_SESSION_PROBE_H

#include "session/connection.h"

/* Reads the launch's geometry and scalars into the observation, checks that each operand lies in an
 * allocation that is large enough for its shape and that the scalar arguments agree with the case.
 * What does not fit becomes observation->failure with its message; out_addresses [operand_count]
 * are only meaningful if there is none. The observation's parameters and block must be set.
 * Errors: those of the connection. */
enum error probe_bind(struct connection *connection, const struct rubric_launch *launch,
                      const struct held_launch *held, struct observation *observation,
                      uint64_t *out_addresses, struct diagnostic *diagnostic);

/* Probes a bound launch: snapshot, one launch per kind of probe (each from the snapshot, the last
 * one without restoring), restore. Stops after a sample that is not SAMPLE_DONE. Fills the
 * observation's samples; `stream` names the launch and the case for the random numbers. */
enum error probe_run(struct connection *connection, const struct rubric_launch *launch,
                     const uint64_t *addresses, uint64_t stream, struct observation *observation,
                     struct diagnostic *diagnostic);

#endif
