/* result_pattern.h: what all wrong results of a launch have in common, as clauses for a message.
 *
 * Made only of the cases that are not hidden, and only of what holds exactly in all of them.
 */
#ifndef GPUGRADE_DIAGNOSIS_PATTERNS_RESULT_PATTERN_H
#define GPUGRADE_DIAGNOSIS_PATTERNS_RESULT_PATTERN_H

#include "criteria/results/compare.h"

/* Every text is NULL where there is nothing to say. */
struct result_pattern {
    const char *shapes;   /* "except where a_width is one tile" */
    const char *sizes;    /* "right for n up to 2 (2 shapes), wrong from 5 on (9 shapes)"; or a
                             pair: "right for A 16x16, B 16x16, wrong for A 16x32, B 32x16" */
    const char *values;   /* "every element is 0" */
    bool is_of_wrong;     /* `values` is about the wrong elements only */
    const char *elements; /* "only in the last row of tiles" */
    bool is_everywhere;   /* `elements` are all of them */
    const char *hint;     /* where to look for that */
};

/* Compares right and wrong cases, and looks at the elements of the wrong ones that have one of the
 * states (bits 1 << enum element_state). Values are looked at in probes of one kind only;
 * PROBE_COUNT: in both exact ones. */
void result_pattern_find(const struct criteria_input *input, struct arena *arena, size_t launch,
                         size_t output, unsigned states, enum probe_kind kind,
                         struct result_pattern *out_pattern);

#endif
