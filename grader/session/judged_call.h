/* judged_call.h: one judged call: tells the device that it begins, and takes what the device says
 * of it at its end. call_run.h decides which calls there are, program_call.h which programs
 * that are one call each.
 */
#ifndef GPUGRADE_SESSION_JUDGED_CALL_H
#define GPUGRADE_SESSION_JUDGED_CALL_H

#include "session/call_run.h"
#include "session/probe.h"
#include "wire/call_record.h"

/* One call. */
struct judged_call {
    struct call_session *session;
    struct observation *observation;
    struct sample *sample;
    uint64_t stream; /* names the launch and the case for random numbers */
    struct bound_launch bound;
    bool order_can_matter;
    bool has_launched;        /* the kernel that the rubric names, or there is none such */
    size_t kernel_count;      /* that have been launched so far */
    struct host_place *freed; /* where it frees an operand; NULL: unknown */
};

/* What a call with the parameters of an observation may do by way of the host, by enum
 * call_bound. */
void judged_call_bounds(const struct rubric *rubric, const struct rubric_launch *launch,
                        const struct observation *observation, uint64_t out_bounds[CALL_BOUNDS]);

/* Notes why nothing is judged; the first reason counts. */
void judged_call_fail(struct observation *observation, enum code code, const char *message);

/* Likewise; `place` is where the program did it. */
void judged_call_fail_at(struct observation *observation, struct host_place *place, enum code code,
                         const char *message);

/* Tells the device that the call begins. A whole program has not begun yet: the device also learns
 * what its files hold, which is in the sample. Errors: those of the connection. */
enum error judged_call_open(const struct judged_call *call, struct diagnostic *diagnostic);

/* Keeps what is known of a launch before it runs: the device may be lost in it. */
void judged_call_note_launch(struct judged_call *call, const struct held_launch *held);

/* What worked in one call must be done in each: a result that is kept is not computed. */
void judged_call_check_launched(const struct judged_call *call);

/* Takes what the device says of the call: fills the sample but for what the operands hold, and
 * notes in the observation what the call did beyond a bound. *out_result_bytes, unless it is NULL:
 * how large the result of a whole program is. Errors: those of the connection. */
enum error judged_call_close(struct judged_call *call, uint64_t *out_result_bytes,
                             struct diagnostic *diagnostic);

/* True if a kernel of the call did what no later one is launched after. */
bool sample_ends_calls(const struct sample *sample);

#endif
