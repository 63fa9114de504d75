/* probe.h: works on a held launch: binds operands, writes secret inputs, reads results. */
#ifndef GPUGRADE_SESSION_PROBE_H
#define GPUGRADE_SESSION_PROBE_H

#include "session/connection.h"
#include "session/operand_memory.h"

/* Where the operands of a held launch are. */
struct bound_launch {
    uint32_t module; /* of the kernel, in connection.code */
    uint64_t addresses[RUBRIC_OPERANDS_MAX];
    uint64_t allocations[RUBRIC_OPERANDS_MAX]; /* start of the operand's allocation */
    struct operand_memories operands;          /* those that fill their allocation */
};

/* Reads the launch's geometry and scalars into the observation; `held` is NULL for a call that has
 * begun, which has neither yet. Checks that each operand's allocation is large enough for its
 * shape, and that the scalar arguments agree with the case. A mismatch becomes observation->failure
 * with a message; *out_bound is only meaningful if there is none. The observation's parameters and
 * block must be set. Errors: those of the connection. */
enum error probe_bind(struct connection *connection, const struct rubric_launch *launch,
                      const struct held_launch *held, struct observation *observation,
                      struct bound_launch *out_bound, struct diagnostic *diagnostic);

/* Reads the scalars that are symbols into the observation. Errors: those of the connection. */
enum error probe_read_symbols(struct connection *connection, const struct rubric_launch *launch,
                              struct observation *observation, struct diagnostic *diagnostic);

/* Some memory. */
struct operand_place {
    uint64_t address, bytes;
};

/* Finds the address of an operand of a held launch, and the bytes from there to the end of its
 * allocation or variable, whatever its size should be. 0 bytes: there is no such operand, or it is
 * not device memory. Errors: those of the connection. */
enum error probe_find_operand(struct connection *connection, const struct rubric_launch *launch,
                              const struct held_launch *held, const struct rubric_operand *operand,
                              struct operand_place *out_place, struct diagnostic *diagnostic);

/* Finds a device variable by its name in the source; 0 bytes: there is none. */
enum error probe_find_symbol(struct connection *connection, const char *name,
                             struct operand_place *out_place, struct diagnostic *diagnostic);

/* Which probes a case gets, [*out_count], in their order. */
enum { PROBES_MAX = PROBE_COUNT };
void probe_choose(const struct rubric *rubric, const struct rubric_launch *launch,
                  const struct observation *observation, enum probe_kind out_kinds[PROBES_MAX],
                  size_t *out_count);

/* A number that names an order of the blocks, other than the usual one; it depends only on the seed
 * and on what `stream` names. */
uint64_t probe_order_seed(const struct connection *connection, uint64_t stream);

/* Reads `count` packed finding records about a launch or call; the operands are those that fill
 * their allocations. Errors: ERROR_PEER. */
enum error probe_read_findings(struct connection *connection, const struct rubric_launch *launch,
                               const struct operand_memories *operands, const uint8_t *bytes,
                               size_t count, struct finding **out_findings,
                               struct diagnostic *diagnostic);

/* Asks which of the other memory is a variable of the program's own. */
enum error probe_find_variables(struct connection *connection, struct launch_counts *counts,
                                struct diagnostic *diagnostic);

/* What a sample says whose device was lost. `kernel` is mangled. */
void probe_note_lost(struct connection *connection, const struct rubric_launch *launch,
                     const char *kernel, struct sample *sample);

/* Probes a bound launch: takes a snapshot, launches once for each kind of probe (each from the
 * snapshot, except that the last one does not restore it first), and restores the snapshot. Stops
 * after a sample that is not SAMPLE_DONE. Fills the observation's samples. A case gets at most the
 * probes that it asks for. A probe is skipped if its inputs would be drawn like those of the one
 * before it: "exact-swapped" with a single input, "float" with integers. `stream` names the launch
 * and the case for the random numbers. */
enum error probe_run(struct connection *connection, const struct rubric_launch *launch,
                     const struct bound_launch *bound, uint64_t stream,
                     struct observation *observation, struct diagnostic *diagnostic);

#endif
