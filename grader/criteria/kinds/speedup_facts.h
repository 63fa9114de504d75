/* speedup_facts.h: what a timing amounts to, and how it is reported. */
#ifndef GPUGRADE_CRITERIA_KINDS_SPEEDUP_FACTS_H
#define GPUGRADE_CRITERIA_KINDS_SPEEDUP_FACTS_H

#include "criteria/criteria_input.h"

/* The work of one launch, and what it must cost at least. */
struct timed_work {
    double operations, bytes; /* by the rubric; 0: no value */
    double peak_operations;   /* a second, at the highest clock seen; 0: unknown */
    double peak_bandwidth;    /* bytes a second; 0: unknown */
    double least_ns;          /* max(operations / peak, bytes / bandwidth); 0: unknown */
    double copied_ns;         /* the same with the bandwidth that copying has reached; least_ns
                                 where that is unknown */
};

/* Operations a second of a GPU at its highest clock, for the launch of a criterion: with an input
 * of halves it may use tensor cores. 0: unknown. */
double speedup_peak_operations(const struct criteria_input *input,
                               const struct rubric_criterion *criterion,
                               const struct gpu_model *model);

/* Computes the work of a timed launch on the GPU that timed it. What may still lie in the L2 cache
 * when a span ends need not have reached memory, so a launch's part of it is no work for memory. */
struct timed_work timed_work_of(const struct criteria_input *input,
                                const struct rubric_criterion *criterion,
                                const struct timing_run *timing);

/* Adds the rule for points and what is timed: the same in every run. */
void add_speedup_rule(const struct criteria_input *input, struct arena *arena,
                      struct verdict *verdict);

/* Changes the rule that was added to that of the verdict's criterion. */
void change_speedup_rule(struct arena *arena, struct verdict *verdict);

/* Adds everything that was measured. */
void add_speedup_facts(const struct timing_run *timing, const struct timed_work *work,
                       struct verdict *verdict);

/* "A 2112x1024, B 1024x4096": the timed shape. */
const char *timed_shape_text(const struct criteria_input *input, struct arena *arena,
                             const struct rubric_criterion *criterion,
                             const struct timing_run *timing);

#endif
