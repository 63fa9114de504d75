/* call_run.h: a judged call over all cases; session_run_launch uses it for launches with a call.
 *
 *   line of input -> the call begins: operands are checked, memory is undefined again, inputs are
 *   new -> it runs, unseen -> it ends: what it did is counted, operands are read
 *
 * The program cannot be set back, so each probe of a case is a call of its own, with a line of its
 * own. A case gets the same probes as a launch (inputs.h); "again" is a call before which the
 * memory that the program keeps is left as it is.
 */
#ifndef GPUGRADE_SESSION_CALL_RUN_H
#define GPUGRADE_SESSION_CALL_RUN_H

#include "session/launch_case.h"

/* The calls of one run. */
struct call_session {
    struct connection *connection;
    const struct rubric_launch *launch;
    size_t launch_index;
    int64_t block;   /* 0 until it is known */
    bool given_only; /* the function is the harness's own: only kernels of the harness may run */
    bool gone;       /* the program has closed its channel */
    bool is_over;    /* nothing more can be learnt: the program is to be stopped */
    bool has_begun;  /* it has begun a call */
    bool lacks_end;  /* it has not ended the last one */
    struct finding *loose; /* [loose_count] of calls that leave no sample */
    size_t loose_count, loose_capacity;
};

/* Runs the calls of one case, whose number, repetition, parameters and block are in the
 * observation, and fills the rest of it. `is_first_shape`: one call, from which the block width is
 * learnt. Errors: those of the connection. */
enum error call_run_case(struct call_session *session, bool is_first_shape,
                         struct observation *observation, struct diagnostic *diagnostic);

/* Lets the program go on after its last call, until it has ended or begins another one, which is
 * out of order: a failure of `last`, if that is not NULL. */
enum error call_run_out(struct call_session *session, struct observation *last,
                        struct diagnostic *diagnostic);

#endif
