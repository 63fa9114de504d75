/* access_pattern.h: the line of a kernel whose accesses cost most over the fewest possible.
 *
 * Shared by the criteria `bank-conflicts` (wavefronts of shared memory) and `coalescing` (sectors
 * of global memory). A line is judged in each probe by itself, over all its requests of one kind of
 * access, so that a shape in which it is bad is not averaged away.
 */
#ifndef GPUGRADE_CRITERIA_TRAFFIC_ACCESS_PATTERN_H
#define GPUGRADE_CRITERIA_TRAFFIC_ACCESS_PATTERN_H

#include "criteria/traffic/launch_traffic.h"

/* What one line, or one operand, costs in one probe. */
struct access_cost {
    const struct observation *observation; /* NULL: nothing was accessed */
    const struct line_count *line;         /* NULL: not known */
    size_t operand;                        /* index in the launch, if operands are judged */
    uint64_t needed, least;                /* wavefronts or sectors */
    uint64_t requests;
    uint32_t max_degree; /* wavefronts only */
};

/* True if there are no accesses to judge: the launch is blocked, the kernel does nothing, or the
 * device does not watch accesses. The verdict says so. */
bool settled_without_accesses(const struct criteria_input *input, struct arena *arena,
                              struct verdict *verdict);

/* A probe was not counted: the grader's mistake. */
void outcome_uncounted(struct verdict *verdict);

/* needed / least; 1 where nothing is accessed. */
double access_ratio(const struct access_cost *cost);

/* Finds the line with the highest ratio in a space: of two equal ones the one that needs more, then
 * the first. COUNT_SHARED compares wavefronts, COUNT_GLOBAL sectors. `operands` says which operands
 * are judged in place of lines, and NULL that none are: then it finds the operand, and its line if
 * a single line makes exactly the operand's accesses. *out_total sums up all accesses of all
 * probes. False if a probe was not counted. */
bool worst_access(const struct launch_run *run, const struct rubric_launch *launch,
                  enum count_space space, const bool *operands, struct access_cost *out_worst,
                  struct access_cost *out_total);

/* The same for the operand, of those that are judged and accessed, that does best by the worse of
 * its ratio and that of the launch as a whole, each over what the criterion allows. */
bool best_operand(const struct launch_run *run, const struct rubric_launch *launch,
                  const struct rubric_criterion *criterion, struct access_cost *out_worst,
                  struct access_cost *out_total, struct launch_traffic *out_traffic);

/* "reads", "writes", "updates" */
const char *count_access_verb(enum count_access access);

#endif
