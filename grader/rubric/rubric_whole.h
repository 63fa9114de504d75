/* rubric_whole.h: the rules for whole programs and their launches. Private to rubric/.
 *
 * A program with overrides is a whole program: it has a main of its own and no harness, is built
 * for each case, and runs one case per process. It is first built for the first shape of its
 * launches, which must all give the overrides the same values.
 */
#ifndef GPUGRADE_RUBRIC_RUBRIC_WHOLE_H
#define GPUGRADE_RUBRIC_RUBRIC_WHOLE_H

#include "rubric/rubric_reader.h"

/* Keys of a launch, NULL if absent. */
struct launch_members {
    const cJSON *input, *first, *block, *blocks, *given_kernels, *keeps, *arguments;
};

/* Checks that a launch at `value` has the keys that its program and its kernel need, and no others.
 * Its first shape, its block widths and its given kernels must have been read. */
void check_launch_form(struct rubric_reader *reader, const cJSON *value,
                       const struct launch_members *members, const struct rubric_launch *launch);

/* Checks that what stands between braces in the arguments of a call that is a whole program has a
 * value. Its operands must have been read. */
void check_arguments(struct rubric_reader *reader, const struct launch_members *members,
                     const struct rubric_launch *launch);

/* Checks the overrides of a launch's program at all points of the launch. */
void check_overrides(struct rubric_reader *reader, const struct rubric_launch *launch);

/* Checks that each whole program has one first build; the launches are at `value`. */
void check_first_builds(struct rubric_reader *reader, const cJSON *value);

#endif
