/* compare.h: one output of one sample against the oracle.
 *
 * u is half a unit in the last place of 1: 2^-24 for float, 2^-53 for double. G is the oracle's
 * magnitude of an element, the sum of its absolute products.
 *
 * As the rubric's arithmetic says:
 *
 *   exact probes   the element equals the expected value (0 and -0 are equal)
 *   float probes   |got - expected| <= 16 u G; with arithmetic "fmad=false" the element equals the
 *                  value that the oracle computes in order
 *   integers       equal, in every probe; what is expected wraps around like the type
 *   "exact"        with that arithmetic every element of every probe has the bits of the expected
 *                  value in its type, the sign of 0 included
 *
 * As an output's own rule says ("compare"), whatever the arithmetic:
 *
 *   exact    the bits of the expected value in its type, in every probe
 *   bound    |got - expected| <= 16 u G in every probe. With a number of additions the bound is
 *            that many u G, if more than 16; but the exact probes are such that no sum is rounded
 *            (session/inputs.h), so there elements are equal, if the type holds all expected values
 *   within   |got - expected| is at most the largest of the tolerances, in every probe; also right
 *            is what is so near to the expected value in the output's type
 *   share    what the oracle calls doubtful is right; of the other elements at most one, or a
 *            share, may be wrong: then none is
 *   check    the oracle judges
 *
 * A comparison that involves NaN is never true, so NaN is always wrong. Elements beyond the number
 * that counts are free.
 *
 * Outputs hold a poison before the launch. A float that something is added to is no number then; an
 * integer is one, and stays the poison where 0 is added. So a sample uses the old output if
 *
 *   values         all wrong integers that are not the poison are its sum with what is expected, or
 *                  lie far nearer to it; and the device counts reads of the output, or none at all
 *   or counts      no element changes, though the device counts atomics on the output, or reads and
 *                  writes of it
 *
 * In such a sample no element is taken for one that was never written.
 *
 * Integers of one or two bytes can be the poison by chance. They count as never written only if
 * they hold the poison of every sample of the case, which differs from sample to sample, and if
 * they are more than chance gives.
 */
#ifndef GPUGRADE_CRITERIA_RESULTS_COMPARE_H
#define GPUGRADE_CRITERIA_RESULTS_COMPARE_H

#include "criteria/criteria_input.h"
#include "model/oracle_problem.h"

/* Up to here a wrong result is what lower precision yields: K u G for K = 16384 products, the most
 * for which the bound of 16 u G was measured, or 2^-10 G, what operands with 10 bits after the
 * binary point (half, TF32) lose at most. */
enum { PRECISION_BOUND_UNITS = 16384 };

/* What one sample showed. Elements are numbered from 0, row-major. */
struct comparison {
    size_t elements;
    size_t wrong;
    size_t unwritten;       /* of the wrong ones: still the poison, bit for bit */
    size_t not_finite;      /* of the wrong ones: NaN or infinity, not the poison */
    bool imprecise_only;    /* every wrong element is within the precision bound */
    bool within_bound;      /* every element is within 16 u G: only bits differ */
    bool uses_old_output;   /* what was there before the launch is part of the results */
    size_t first_wrong;     /* meaningful if wrong > 0 */
    size_t first_unwritten; /* if unwritten > 0 */
    size_t first_not_finite;
    double expected, got;                  /* of the first wrong element */
    int64_t expected_integer, got_integer; /* the same of i64 and u64, exact */
    double worst_units; /* the largest |got - expected| / (u G) of all finite elements */
    double bound_units; /* that are allowed where a bound holds: 16 or more */
    char objection[ORACLE_SENTENCE_BYTES]; /* of the oracle's check; "": another rule */
};

/* One output of a launch, an operand, and the problem that its inputs pose. */
struct problem {
    const struct rubric *rubric;
    const struct rubric_launch *launch;
    const struct observation *observation;
    const struct sample *sample;
    size_t output;   /* index of the operand */
    size_t elements; /* of it */
    struct posed_problem posed;
};

/* Index of the first output operand; launch->operand_count if there is none. */
size_t output_operand(const struct rubric_launch *launch);

/* What the coursework lacks to compare the outputs of a launch; NULL if nothing. */
const char *compare_lacks(struct arena *arena, const struct rubric *rubric,
                          const struct rubric_launch *launch, const struct oracle *oracle);

/* Sets up the problem of an output, an operand. It must not be moved. */
void problem_init(const struct rubric *rubric, const struct rubric_launch *launch,
                  const struct observation *observation, const struct sample *sample, size_t output,
                  struct problem *out_problem);

/* Compares a sample that is SAMPLE_DONE. False if the oracle lacks what the rubric asks for. */
bool compare_sample(const struct problem *problem, const struct oracle *oracle,
                    struct comparison *out_comparison);

/* Fills what is expected and the state of every element, as compare_sample() sees it: [elements],
 * enum element_state. False in the same cases. What only check() judges is expected to be 0. Of i64
 * and u64 out_integers, which may be NULL, is what is expected without rounding. */
bool compare_elements(const struct problem *problem, const struct oracle *oracle,
                      double *out_expected, int64_t *out_integers, uint8_t *out_states);

/* What an output's own rule asks of an element, "within 1e-05 of the expected value"; NULL if it is
 * compared as the arithmetic says. */
const char *tolerance_text(struct arena *arena, const struct rubric_operand *operand);

/* True if the output is what a mistake yields: equal to it element by element, or as near as
 * `within` and a share say, where a value that is larger than the magnitude takes its place. NaN in
 * `values` [elements] stands for an element that was not written. */
bool output_agrees(const struct problem *problem, const struct oracle *oracle,
                   const double *values);

/* Index of the first input operand that the launch changed; operand_count if there is none.
 * *out_element is the first element that differs. */
size_t changed_input(const struct rubric_launch *launch, const struct observation *observation,
                     const struct sample *sample, size_t *out_element);

#endif
