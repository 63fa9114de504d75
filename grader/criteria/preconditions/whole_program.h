/* whole_program.h: what keeps a whole program from being judged, turned into a cause.
 *
 * A whole program has a main of its own and is built once for each case, with other values of the
 * macros that the rubric overrides. So sizes must be free: a macro that no file defines, or a build
 * that fails for other sizes, ends it. Students name their kernels as they like; a program that
 * launches none but the given ones has not been attempted, whatever it prints.
 */
#ifndef GPUGRADE_CRITERIA_PRECONDITIONS_WHOLE_PROGRAM_H
#define GPUGRADE_CRITERIA_PRECONDITIONS_WHOLE_PROGRAM_H

#include "criteria/program_source.h"

/* True if the program of a launch is a whole one. */
bool is_whole_program(const struct criteria_input *input, size_t launch);

/* True if no file of a program defines a macro that the cases set. */
bool precondition_fixed_size(const struct criteria_input *input, struct arena *arena,
                             size_t program, struct cause *out_cause);

/* True if none of the kernels that a program launches could be meant by the launch's pattern. */
bool precondition_no_attempt(const struct criteria_input *input, struct arena *arena, size_t launch,
                             struct cause *out_cause);

/* How many kernels of the sources are not given; *out_token is the name of one of them. */
size_t find_own_kernels(const struct program_source *source, const struct rubric_launch *launch,
                        struct file_token *out_token);

/* True if the sources of a launch's program launch a kernel that is not given. */
bool launches_own_kernel(const struct criteria_input *input, struct arena *arena, size_t launch);

/* True if a program ended itself and no call had failed: with any status, or by abort(), as a
 * failed assertion and an uncaught exception do. A whole program judges its own results that way,
 * which costs no points. */
bool exit_is_own_choice(const struct program_activity *activity);

/* True if a program crashed by a fault of its host code, and no call had failed. If the judged
 * launch was judged before the crash, it costs a whole program nothing and becomes a remark: the
 * exercise does not ask what main() does with the results, and it may crash only for the sizes of a
 * case. */
bool activity_crashed(const struct program_activity *activity);

/* True if a program launches given kernels and its sources hold no other one: then its exit status
 * is only what the given main thinks of that. */
bool has_given_kernels_only(const struct criteria_input *input, struct arena *arena, size_t launch);

/* The cause of a case for which the program does not compile: the compiler's message and place. */
struct cause cause_of_case_build(const struct criteria_input *input, struct arena *arena,
                                 size_t launch, const struct observation *observation);

/* "A_WIDTH 48, A_HEIGHT 32": the values of the macros in one case; "" if there are none. */
const char *macro_values_text(const struct criteria_input *input, struct arena *arena,
                              const struct rubric_launch *launch,
                              const struct observation *observation);

/* Likewise, of the first build of a program. */
const char *built_macro_values(const struct criteria_input *input, struct arena *arena,
                               size_t program);

#endif
