/* named_mistake.h: recognises a wrong result as one of the oracle's well-known mistakes.
 *
 * The exact probes decide, where every right kernel and every wrong one yields exactly one value. A
 * mistake is named if the output equals what it yields in every exact probe in which it can be
 * judged, the right ones included, and in at least one wrong one.
 */
#ifndef GPUGRADE_CRITERIA_RESULTS_NAMED_MISTAKE_H
#define GPUGRADE_CRITERIA_RESULTS_NAMED_MISTAKE_H

#include "criteria/results/compare.h"

/* An exact probe that was compared. */
struct exact_probe {
    const struct observation *observation;
    const struct sample *sample;
    bool is_wrong;
};

/* The first mistake in the oracle's order that explains all of `probes` [count]; NULL if there is
 * none. Sorts the probes: wrong ones first, small ones first. */
const struct oracle_mistake *find_named_mistake(const struct rubric *rubric,
                                                const struct oracle *oracle,
                                                const struct rubric_launch *launch,
                                                struct exact_probe *probes, size_t count);

/* Where a mistake is made, as the oracle says. */
enum mistake_place { MADE_IN_KERNEL, MADE_BY_LAUNCH, MADE_BY_COPY };
enum mistake_place mistake_place(const struct oracle *oracle, const struct oracle_mistake *mistake);

#endif
