/* recorded_call.h: what a call, or a launch that is held, asks of the device, written down so that
 * it can be done again elsewhere.
 *
 * A call is recorded without being carried out: no kernel runs, and nothing that the program reads
 * from the device has a meaning. So a call whose course depends on what it reads cannot be
 * recorded.
 */
#ifndef GPUGRADE_SESSION_RECORDED_CALL_H
#define GPUGRADE_SESSION_RECORDED_CALL_H

#include "session/launch_case.h"
#include "session/probe.h"

enum { RECORDED_STEPS_MAX = TIMING_STEPS_MAX, RECORDED_MEMORY_MAX = TIMING_SCRATCH_MAX };

/* A launch, a copy or a set. */
struct recorded_step {
    struct timing_step step;          /* modules and addresses are those of the program's device */
    const uint8_t *parameters;        /* [step.parameter_bytes] of a launch */
    const uint8_t *uploaded;          /* [step.bytes] of a copy from the host; NULL: it is none */
    const struct code_kernel *kernel; /* of a launch */
};

/* An allocation that the steps use. */
struct recorded_memory {
    uint64_t start, bytes;
    size_t operand; /* that it is; SIZE_MAX: none, it is scratch memory */
};

struct recorded_call {
    struct recorded_step steps[RECORDED_STEPS_MAX]; /* [step_count] */
    size_t step_count;
    uint64_t operands[RUBRIC_OPERANDS_MAX];             /* their addresses */
    struct recorded_memory memory[RECORDED_MEMORY_MAX]; /* [memory_count] */
    size_t memory_count;
    const char
        *unrepeatable; /* why it cannot be done again, a clause about the call; NULL: it can */
    bool reads_back;   /* it reads what kernels have computed, and may decide by it: then done again
                          with other data its results are wrong */
};

/* Records a call that has begun (CASE_READY), up to its end; the observation has its parameters.
 * More by way of the host than a judged call may do cannot be done again. *out_step is the step
 * that it came to: CASE_OVER, then *out_call is filled. Errors: those of the connection. */
enum error call_record(struct case_walk *walk, const struct observation *observation,
                       const struct bound_launch *bound, struct recorded_call *out_call,
                       enum case_step *out_step, struct diagnostic *diagnostic);

/* The same for a launch that is held, whose operands are bound. */
enum error launch_record(struct connection *connection, const struct rubric_launch *launch,
                         const struct held_launch *held, const struct bound_launch *bound,
                         struct recorded_call *out_call, struct diagnostic *diagnostic);

/* The launch that tells the block width: of the kernel that the rubric names, else the first; NULL:
 * there is none. */
const struct recorded_step *recorded_launch(const struct recorded_call *call,
                                            const struct rubric_launch *launch);

/* The geometry of a launch. */
struct launch_geometry recorded_geometry(const struct recorded_step *step);

#endif
