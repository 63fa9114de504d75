/* program_run.h: one run of a program that is judged, and what a whole program misses in it.
 *
 * Whole programs are run alone: without arguments, with empty input, and without the files of the
 * submission. A program that needs one of these ends before it launches anything, or keeps asking.
 * Then the cause says so, with the last line that the program printed.
 */
#ifndef GPUGRADE_CRITERIA_PRECONDITIONS_PROGRAM_RUN_H
#define GPUGRADE_CRITERIA_PRECONDITIONS_PROGRAM_RUN_H

#include "criteria/criteria_input.h"

struct program_run {
    const struct criteria_input *input;
    size_t program; /* in the rubric */
    size_t launch;  /* of that program, with a pattern; the rubric's launch_count: it has none */
    bool is_alone;  /* a whole program, without arguments and without input */
    const struct program_activity *activity;
};

struct program_run run_of_launch(const struct criteria_input *input, size_t launch);
struct program_run run_of_printout(const struct criteria_input *input, size_t printout);

/* True if the run went wrong, as precondition_activity() says, with what the program missed. */
bool precondition_run(struct arena *arena, const struct program_run *run, struct cause *out_cause);

/* True if the sources launch a kernel of their own and contain a call that the program reported as
 * unknown to the runtime. The report alone is no evidence, and a program that launches nothing was
 * not stopped by that call. */
bool precondition_unknown_call(struct arena *arena, const struct program_run *run, size_t launch);

/* True if a program that is run alone ended with status 0 before it launched anything, though its
 * sources launch a kernel that is not given. */
bool precondition_early_end(struct arena *arena, const struct program_run *run,
                            struct cause *out_cause);

#endif
