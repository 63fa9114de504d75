/* launch_traffic.h: what the accesses of a launch need in all probes together, divided by what they
 * carry.
 *
 * access_pattern.h compares each request of a warp with the fewest sectors or wavefronts that it
 * needs, which is one for a request of a single lane. Lanes that access memory one after another
 * are seen only here: what they carry is added up before it is rounded up,
 *
 *   least = bytes / 32 + warps                      sectors
 *   least = max(bytes / 128, lanes / 32) + warps    wavefronts
 *
 * with one unit for each warp of the grid, for borders and halos. All probes count together, so
 * that no narrow shape decides. What is needed beyond that counts only if it is a large part of all
 * that the launch needs, so that a sum which one lane of a warp writes costs no points.
 */
#ifndef GPUGRADE_CRITERIA_TRAFFIC_LAUNCH_TRAFFIC_H
#define GPUGRADE_CRITERIA_TRAFFIC_LAUNCH_TRAFFIC_H

#include "criteria/criteria_input.h"

/* Accesses of one kind, to one operand or to a space. */
struct launch_traffic {
    size_t operand; /* index in the launch, if operands are judged */
    enum count_access access;
    uint64_t requests, lanes; /* 0 requests: nothing was accessed */
    uint64_t needed;          /* wavefronts or sectors */
    uint64_t needed_by_all;   /* by whatever the launch accesses in that space */
    double least;
    const struct line_count *line; /* that needs most beyond what it carries; NULL: not known */
};

/* needed / least; 1 where nothing is accessed. */
double traffic_ratio(const struct launch_traffic *traffic);

/* The ratio that a launch may have: 1.5 times the criterion's `maximum_ratio` in sectors, 6 times
 * in wavefronts. Right programs were seen to have 1.2 at most; a tree of sums in shared memory,
 * whose last steps have few lanes, can have nearly 4. Lanes one after another have more than 6 in
 * sectors with 4 bytes each, 3.5 with 8; in wavefronts 16 and 10. */
double traffic_limit(const struct rubric_criterion *criterion, enum count_space space);

/* True if the ratio is above that limit, and what is needed beyond `least` is more than a quarter
 * of what all accesses to the space need. */
bool traffic_is_too_much(const struct launch_traffic *traffic,
                         const struct rubric_criterion *criterion, enum count_space space);

/* "1.03 lanes of a warp at a time" */
const char *lanes_text(struct arena *arena, const struct launch_traffic *traffic);

/* " (237760 instead of 37209, in all shapes together)"; "" if one of them is hidden. */
const char *traffic_figures(const struct criteria_input *input, struct arena *arena,
                            const struct launch_run *run, const struct launch_traffic *traffic);

/* The cause of few lanes at a time, at its line if that is known. */
struct cause traffic_cause(struct arena *arena, enum code code, const char *message,
                           const struct launch_traffic *traffic);

/* The line that makes exactly these accesses to global memory; NULL if none does. */
const struct line_count *line_with(const struct launch_counts *counts, enum count_access access,
                                   const struct access_sum *sum);

/* The kind of access to a space with the highest ratio, or, if `operands` is not NULL, to those
 * operands. All probes were counted. */
struct launch_traffic worst_traffic(const struct launch_run *run,
                                    const struct rubric_launch *launch, enum count_space space,
                                    const bool *operands);

#endif
