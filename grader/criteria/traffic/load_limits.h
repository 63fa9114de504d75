/* load_limits.h: what the probes of a launch load from global memory, against a bound.
 *
 * Shared by the criteria `tiled` (the rubric's expression is the bound) and `saved-loads` (a given
 * kernel's loads over a ratio are). Bytes that active lanes load from the allocations of the input
 * operands count, by whichever instruction. Loads from any other memory are held to the same bound,
 * all together: what was copied there first saves nothing. An atomic operation reads what it
 * changes and counts as a load. Scalars of the program's own (a block width that is __device__) are
 * exempt however often they are loaded, as long as all those that a launch loads are together too
 * small for a tile: SCALAR_BYTES_MAX each, SCALARS_BYTES_MAX in all. With one byte more none of
 * them is. Results are not looked at: a kernel may share and be wrong. A rubric may name the inputs
 * that are judged ("operands"); the others are then neither counted nor held to anything.
 */
#ifndef GPUGRADE_CRITERIA_TRAFFIC_LOAD_LIMITS_H
#define GPUGRADE_CRITERIA_TRAFFIC_LOAD_LIMITS_H

#include "criteria/criteria_input.h"

/* Variables of a module that are scalars: each, and all that a launch loads. A quarter of the tile
 * of 8 x 8 floats, which is the smallest that is worth anything. */
enum { SCALAR_BYTES_MAX = 16, SCALARS_BYTES_MAX = 64 };

/* One probe, as far as its loads are looked at. */
struct load_traffic {
    const struct observation *observation; /* NULL: there was no probe */
    const struct sample *sample;
    const struct launch_counts *counts; /* the sample's */
    uint64_t bytes, sectors;            /* loaded from the input operands that are judged */
    uint64_t other_bytes;               /* loaded from elsewhere in global memory */
    double maximum;                     /* bytes that are allowed */
    double unshared;                    /* bytes without shared memory */
};

struct load_rule;

/* Fills `maximum` and `unshared` of a traffic, whose other fields are set, for a sample of its
 * observation. Returns NULL, or why they have no value here. */
typedef const char *load_bounds(const struct load_rule *rule, const struct sample *sample,
                                struct load_traffic *traffic);

/* What is reviewed. */
struct load_rule {
    const struct criteria_input *input;
    struct arena *arena;
    const struct rubric_criterion *criterion;
    const struct rubric_launch *launch;
    const struct launch_run *run;
    load_bounds *bounds;
};

/* What all probes showed together. */
struct load_limits {
    struct load_traffic worst;       /* of the highest share of its maximum */
    bool loads[RUBRIC_OPERANDS_MAX]; /* by operand: in some probe */
    bool reads_shared;               /* in some probe */
};

/* Sets up a rule for the launch of a criterion. */
struct load_rule load_rule_of(const struct criteria_input *input, struct arena *arena,
                              const struct rubric_criterion *criterion, load_bounds *bounds);

/* True for an input whose loads count: one that the criterion names, or any where it names none.
 * `launch` is the criterion's, or its baseline, whose operands are the same. */
bool load_is_judged(const struct rubric_criterion *criterion, const struct rubric_launch *launch,
                    size_t operand);

/* Bytes that a probe loads from the inputs that are judged. */
uint64_t input_bytes_loaded(const struct rubric_criterion *criterion,
                            const struct rubric_launch *launch, const struct launch_counts *counts);

/* Adds what the worst of all probes showed. */
typedef void load_evidence(const struct load_rule *rule, const struct load_traffic *worst,
                           struct verdict *verdict);

/* Reviews all probes. True if the rule holds: no more is loaded than allowed, every judged input
 * is, and shared memory is read. Else the verdict says why not, or why the probes cannot be judged.
 */
bool load_limits_holds(const struct load_rule *rule, load_evidence *add_evidence,
                       struct verdict *verdict, struct load_limits *out_review);

/* "A and B": the inputs that are judged. */
const char *load_inputs_text(const struct load_rule *rule);

/* "A 32x48, B 48x16" */
const char *load_shape_text(const struct load_rule *rule, const struct load_traffic *traffic);

/* How many times the inputs' elements were loaded on average in a probe. */
double loads_per_element(const struct load_rule *rule, const struct load_traffic *traffic);

#endif
