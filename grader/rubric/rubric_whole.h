/* rubric_whole.h: what holds for whole programs and their launches. Private to rubric/.
 *
 * A program with overrides is a whole one: it has a main of its own and no harness, is built for
 * each case, and runs one case a process. It is built first for the first shape of its launches,
 * which must set all overrides alike.
 */
#ifndef GPUGRADE_RUBRIC_RUBRIC_WHOLE_H
#define GPUGRADE_RUBRIC_RUBRIC_WHOLE_H

#include "rubric/rubric_reader.h"

/* Keys of a launch, NULL where absent. */
struct launch_members {
    const cJSON *input, *first, *block, *blocks, *given_kernels;
};

/* Makes sure that a launch at `value` has the keys that its program and its kernel need, and no
 * others; its first shape, its block widths and its given kernels have been read. */
void check_launch_form(struct rubric_reader *reader, const cJSON *value,
                       const struct launch_members *members, const struct rubric_launch *launch);

/* Tries the overrides of a launch's program at all points of the launch. */
void check_overrides(struct rubric_reader *reader, const struct rubric_launch *launch);

/* Makes sure that each whole program has one first build; the launches stand at `value`. */
void check_first_builds(struct rubric_reader *reader, const cJSON *value);

#endif
