/* probe.h: what is done to a held launch: operands bound, secret inputs written, results read. */
#ifndef GPUGRADE_SESSION_PROBE_H
#define GPUGRADE_SESSION_PROBE_H

#include "session/connection.h"
#include "session/operand_memory.h"

/* Where the operands of a held launch are. */
struct bound_launch {
    uint32_t module; /* of the kernel, in connection.code */
    uint64_t addresses[RUBRIC_OPERANDS_MAX];
    uint64_t allocations[RUBRIC_OPERANDS_MAX]; /* start of what the operand lies in */
    struct operand_memories operands;          /* that fill what they lie in */
};

/* Reads the launch's geometry and scalars into the observation, checks that each operand lies in an
 * allocation that is large enough for its shape and that the scalar arguments agree with the case.
 * What does not fit becomes observation->failure with its message; *out_bound is only meaningful
 * if there is none. The observation's parameters and block must be set.
 * Errors: those of the connection. */
enum error probe_bind(struct connection *connection, const struct rubric_launch *launch,
                      const struct held_launch *held, struct observation *observation,
                      struct bound_launch *out_bound, struct diagnostic *diagnostic);

/* Some memory. */
struct operand_place {
    uint64_t address, bytes;
};

/* Finds where an operand of a held launch lies, whatever its size should be: up to the end of its
 * allocation or variable. No bytes: there is no such operand, or it is no device memory. Errors:
 * those of the connection. */
enum error probe_find_operand(struct connection *connection, const struct rubric_launch *launch,
                              const struct held_launch *held, const struct rubric_operand *operand,
                              struct operand_place *out_place, struct diagnostic *diagnostic);

/* Probes a bound launch: snapshot, one launch per kind of probe (each from the snapshot, the last
 * one without restoring), restore. Stops after a sample that is not SAMPLE_DONE. Fills the
 * observation's samples. A case gets no more probes than it asks for, and none that draws its
 * inputs as the one before it does: of a single input "exact-swapped" would, of integers "float".
 * `stream` names the launch and the case for the random numbers. */
enum error probe_run(struct connection *connection, const struct rubric_launch *launch,
                     const struct bound_launch *bound, uint64_t stream,
                     struct observation *observation, struct diagnostic *diagnostic);

#endif
