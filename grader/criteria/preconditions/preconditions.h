/* preconditions.h: what kept a program from showing what a criterion wants to see, as a cause.
 *
 * The order of the questions is the order in which one trouble explains another: it was not built,
 * it is still the template, it tampered, its kernel broke a rule or reached what the device does
 * not know, a launch was refused, it crashed or ran into a limit, a call failed or is not known, it
 * ended with a failure status. Calls come late: that one failed, or is not known, is what the
 * program says.
 */
#ifndef GPUGRADE_CRITERIA_PRECONDITIONS_PRECONDITIONS_H
#define GPUGRADE_CRITERIA_PRECONDITIONS_PRECONDITIONS_H

#include "criteria/criteria_input.h"
#include "model/case.h"

/* True if a program was not built; the cause carries the first error's file, line and column. */
bool precondition_build(const struct criteria_input *input, struct arena *arena, size_t program,
                        struct cause *out_cause);

/* True if the student's sources are the template's; `code` says what is missing (T01, T03). */
bool precondition_template(const struct criteria_input *input, struct arena *arena, size_t program,
                           enum code code, struct cause *out_cause);

/* True if a run went wrong: it tampered with its channel, a launch ended with a fault, a call
 * failed, it ended before its time. A call that failed without consequences counts too, so ask only
 * when something is missing. */
bool precondition_activity(struct arena *arena, const struct program_activity *activity,
                           struct cause *out_cause);

/* True if the program crashed, ran into a limit or ended with a failure status. */
bool precondition_end(struct arena *arena, const struct program_activity *activity,
                      struct cause *out_cause);

/* The last line that a program printed to standard error, or else to standard output, fit to be
 * shown; "" if there is none. */
const char *last_output_line(struct arena *arena, const struct program_activity *activity);

/* What a finding says, with its kernel if it has one. */
const char *finding_sentence(struct arena *arena, const struct finding *finding);

/* The cause that a finding makes: its message and its main place, or else the first one in a
 * source. The finding must live as long as the cause. */
struct cause cause_of_finding(struct arena *arena, const struct finding *finding);

/* The first observation of a launch in which the kernel was launched; NULL if there is none. */
const struct observation *first_launched(const struct criteria_input *input, size_t launch);

/* Threads of a block. */
uint64_t geometry_threads(const struct launch_geometry *geometry);

/* What names mean in a rubric's expressions for one case. */
struct case_scope observation_scope(const struct rubric *rubric,
                                    const struct observation *observation);

#endif
