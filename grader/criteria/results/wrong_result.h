/* wrong_result.h: all samples of a launch compared with what the oracle expects of them.
 *
 * What is wrong is decided here. How it is put into words, with one wrong element, how often, and a
 * map, is decided in diagnosis/patterns/result_explanation.h.
 */
#ifndef GPUGRADE_CRITERIA_RESULTS_WRONG_RESULT_H
#define GPUGRADE_CRITERIA_RESULTS_WRONG_RESULT_H

#include "criteria/results/compare.h"
#include "criteria/results/named_mistake.h"

/* What is wrong, in the order in which one explains the next. */
enum wrong_kind {
    WRONG_INPUT,         /* an input is changed */
    WRONG_SECOND_LAUNCH, /* the first launch is right, the same launch repeated is not */
    WRONG_BLOCK_ORDER,   /* right with the blocks in order, wrong with them in another one */
    WRONG_BY_MISTAKE,    /* `mistake` gives just these values */
    WRONG_OLD_OUTPUT,    /* what the output held before the launch goes into it */
    WRONG_UNWRITTEN,     /* elements are never written */
    WRONG_NOT_FINITE,    /* NaN or infinity */
    WRONG_ROUNDING,      /* rounded more than the arithmetic allows */
    WRONG_BY_CHECK,      /* the oracle's own check objects */
    WRONG_VALUES,
};

/* A sample that shows something; no observation: none was seen. */
struct counterexample {
    const struct observation *observation;
    const struct sample *sample;
    struct comparison comparison;
};

/* Everything that the samples of one launch showed. */
struct wrong_result {
    const struct criteria_input *input;
    struct arena *arena;
    size_t launch_index;
    const struct rubric_launch *launch;
    const struct launch_run *run;
    size_t output; /* the operand that is compared: the first that is wrong */
    enum wrong_kind kind;
    const struct oracle_mistake *mistake; /* NULL: none is known that gives these values */
    size_t shapes, wrong_shapes, samples;
    double worst_units; /* over the float probes */
    struct counterexample changed;
    size_t changed_operand, changed_element;
    struct counterexample any, old_output, unwritten, not_finite, exact, again, reordered, rounded;
    struct counterexample idle;  /* a call that launched nothing */
    bool works_wrong;            /* some wrong call launched something */
    bool works_by_turns;         /* of one shape some calls launched something, others nothing */
    size_t working_shapes;       /* in which some call launched something */
    struct counterexample drawn; /* what a map shows most in; exact if there is one */
    bool imprecise_only, within_bound; /* hold for all wrong samples */
    struct exact_probe *probes;        /* [probe_count] */
    size_t probe_count;
};

/* The arithmetic that the wrong output's own rule stands for; else the rubric's. */
enum arithmetic wrong_result_arithmetic(const struct wrong_result *results);

/* Compares every sample of a launch with the oracle, output by output until one is wrong,
 * counters before what they count, and adds what was seen to the verdict's evidence. True if
 * something is wrong: then the cause has its code and a SUBJECT_RESULT, and *out_summary says in
 * how many shapes. The order of the questions is that of enum wrong_kind. Precondition: all
 * samples are SAMPLE_DONE, and compare_lacks() finds nothing. */
bool find_wrong_result(const struct criteria_input *input, struct arena *arena, size_t launch,
                       struct verdict *verdict, struct cause *out_cause, const char **out_summary);

/* True if an output gets all that it gets in a call from copies or sets: no kernel stores to it. */
bool output_is_copied(const struct sample *sample, size_t output);

/* True if in a wrong call the last change of the output is a set that comes after all launches, and
 * all wrong elements hold the byte that it sets. */
bool output_is_set_last(const struct wrong_result *results);

/* True if a result that is no number is, bit for bit, what unwritten memory holds. */
bool wrong_result_is_undefined(const struct wrong_result *results);

#endif
