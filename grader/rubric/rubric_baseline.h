/* rubric_baseline.h: the kinds of criteria that compare a launch with another one, or what it
 * counts with a bound. Private to rubric/. */
#ifndef GPUGRADE_RUBRIC_RUBRIC_BASELINE_H
#define GPUGRADE_RUBRIC_RUBRIC_BASELINE_H

#include "rubric/rubric_key_names.h"

/* Reads the key `baseline` of a criterion whose launch is known. */
void read_baseline(struct rubric_reader *reader, const cJSON *value, struct rubric_criterion *out);

/* Read the keys of a kind into a criterion whose launch and points are known. All keys that the
 * kind needs must be present. */
void read_speedup(struct rubric_reader *reader, const cJSON *const members[CRITERION_KEY_COUNT],
                  struct rubric_criterion *out);
void read_saved_loads(struct rubric_reader *reader, const cJSON *const members[CRITERION_KEY_COUNT],
                      struct rubric_criterion *out);
/* The index of a case that students see. */
size_t read_visible_case(struct rubric_reader *reader, const cJSON *value);

void read_count(struct rubric_reader *reader, const cJSON *const members[CRITERION_KEY_COUNT],
                struct rubric_criterion *out);

#endif
