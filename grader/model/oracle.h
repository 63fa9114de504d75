/* oracle.h: the interface between the grader and reference/<coursework>/oracle.c.
 *
 * An oracle is a shared object that the grader builds from the coursework and loads. It exports one
 * object, `gpugrade_oracle`. Its functions must be pure functions of their arguments: they keep
 * nothing from call to call, and write only to the arrays that they are given to fill. Coursework
 * code includes this header, so it depends only on the C library.
 *
 * A page is enough:
 *
 *     #include "model/oracle.h"
 *
 *     static void expect(const struct oracle_problem *problem, double *out_expected,
 *                        double *out_magnitudes)
 *     {
 *         const float *in = problem->inputs[0];
 *
 *         for (int64_t i = 0; i < problem->parameters[0]; i++) {
 *             out_expected[0] += in[i];
 *             out_magnitudes[0] += fabsf(in[i]);
 *         }
 *     }
 *
 *     const struct oracle gpugrade_oracle = {.abi_version = ORACLE_ABI_VERSION, .expect = expect};
 *
 * Arrays to fill are zeros when a function is called, unless it says otherwise. What a function
 * gives need not be exact in the output's type: 1.0 / 3 is expected of a float, too. A function
 * that crashes, does not return, writes outside of its arrays or gives NaN where a number belongs
 * is reported by its name as a mistake in the coursework.
 */
#ifndef GPUGRADE_MODEL_ORACLE_H
#define GPUGRADE_MODEL_ORACLE_H

#include <stddef.h>
#include <stdint.h>

/* Those from the oldest on are loaded. */
enum { ORACLE_ABI_VERSION = 5, ORACLE_ABI_OLDEST = 3 };

/* One probe of one case.
 *
 * Inputs are the operands with the role `input` or `in_place`, in the order of the rubric: arrays
 * of their element type (f16 and bf16 as uint16_t), row-major, as they were before the launch; a
 * vector is as many numbers as it has members. Outputs are those with the role `output` or
 * `in_place`, in that order. Counts are of numbers: an array of 10 float3 has 30. */
struct oracle_problem {
    const int64_t *parameters; /* in the order of the rubric */
    int64_t block;             /* the block width; 0 if none is known, as in a call without the key
                                  `blocks` */
    const void *const *inputs;
    size_t output_count; /* numbers of the first output */
    const char *launch;  /* its id, for rubrics whose launches compute different things: "tiled" */
    /* Since version 4: */
    const size_t *input_counts;
    const size_t *output_counts;
    const double *scalars; /* of this case, as their types hold them, in the order of the rubric */
    const char *case_id;   /* "ragged"; "" for the first shape */
    int in_order; /* 1: the rubric's arithmetic is "fmad=false", so expect_all must give what a loop
                     in float gives that adds in the prescribed order */
};

/* The grader's random numbers: the same seed gives the same ones. */
struct oracle_random {
    uint64_t (*next)(void *state); /* 64 random bits */
    void *state;
};

/* A random whole number from least to most, both included. */
static inline int64_t oracle_random_range(struct oracle_random *random, int64_t least, int64_t most)
{
    uint64_t count = (uint64_t)most - (uint64_t)least + 1;
    uint64_t bits = random->next(random->state);

    return (int64_t)((uint64_t)least + (count == 0 ? bits : bits % count));
}

/* What an oracle's check() has against a result. */
enum { ORACLE_SENTENCE_BYTES = 200 };
struct oracle_objection {
    size_t output;                        /* which one, among the outputs */
    size_t element;                       /* a number of it that shows the mistake */
    char sentence[ORACLE_SENTENCE_BYTES]; /* for the student, without a full stop: "the key 7 is
                                             followed by the smaller key 3" */
};

/* A mistake that students make, and what it yields. The result is compared element by element with
 * the student's output of the exact probes. */
struct oracle_mistake {
    const char *name;    /* "last_product_of_tile" */
    const char *message; /* "every element misses the last product of each tile" */
    const char *hint;    /* "look at the end of the loop over k" */
    /* Fills out_values [output_count]; elements that would not be written are NaN. Returns 0 if
     * the mistake cannot be recognised here: for this problem it gives the right result, or it
     * would read outside the inputs. */
    int (*compute)(const struct oracle_problem *problem, double *out_values);
};

/* An element of an input, in the order of the rubric's input operands. */
struct oracle_need {
    size_t input;
    size_t element;
};

struct oracle_watch;

/* A float result may lie this many units of u G from the expected value: u is the type's unit
 * roundoff, G the magnitude that the oracle gives. criteria/results/compare.c applies it. */
enum { FLOAT_BOUND_UNITS = 16 };

struct oracle {
    uint32_t abi_version;
    /* Fills the expected values of the only output, and the magnitudes G (the sum of the absolute
     * values that are added up), [output_count]. Magnitudes are needed only for floats that are
     * compared within a bound, or within a part of the magnitude. */
    void (*expect)(const struct oracle_problem *problem, double *out_expected,
                   double *out_magnitudes);
    /* The same in float, in the order and rounding that "fmad=false" prescribes; NULL: none. */
    void (*expect_in_order)(const struct oracle_problem *problem, float *out_expected);
    const struct oracle_mistake *mistakes; /* of the first output */
    size_t mistake_count;
    /* Lists the elements of the inputs that an element of the output is computed from, each once:
     * fills out_needs [capacity] and returns how many there are, which may be more (then not all
     * of out_needs need be filled). Elements that are combined have the same position among the
     * needs of their inputs: the first of A with the first of B. Students are shown which of them a
     * kernel does not read, and what it reads instead. NULL: unknown. */
    size_t (*needs)(const struct oracle_problem *problem, size_t element,
                    struct oracle_need *out_needs, size_t capacity);
    /* Used only by the grader, in its copy of this object; an oracle does not set it. */
    struct oracle_watch *watch;

    /* Since version 4; each may be NULL. */

    /* In place of expect(), for several outputs, or outputs of i64 or u64. out_expected[k] are
     * double [output_counts[k]], but int64_t of an output of i64, uint64_t of one of u64;
     * out_magnitudes[k] as for expect(). An output that check() judges may stay as it is. */
    void (*expect_all)(const struct oracle_problem *problem, void *const *out_expected,
                       double *const *out_magnitudes);
    /* Makes the inputs. They are there already, as the rubric's keys `values` and `largest` say:
     * change what must be otherwise, such as the row starts of a sparse matrix. */
    void (*make_inputs)(const struct oracle_problem *problem, struct oracle_random *random,
                        void *const *inputs);
    /* Judges the outputs with "compare": "check", where more than one result is right. Outputs are
     * arrays of their element type, as the launch left them: any value is possible, so look before
     * using one as an index. Returns 0 if they are right; else fills the objection. */
    int (*check)(const struct oracle_problem *problem, const void *const *outputs,
                 struct oracle_objection *out_objection);
    /* Sets out_doubtful[i] to 1 for each number [output_counts[output]] of an output whose value
     * depends on rounding: those are free if the output is compared by `share`. */
    void (*doubtful)(const struct oracle_problem *problem, size_t output,
                     unsigned char *out_doubtful);

    /* Since version 5; may be NULL. */

    /* The names of mistakes that are made in host code, in any order; the last is NULL: where
     * launches are too few or too many, and where the wrong part is copied, or not at all. Reports
     * point at the launch or the copy then, and at the line of a kernel otherwise. */
    const char *const *launch_mistakes;
    const char *const *copy_mistakes;
};

extern const struct oracle gpugrade_oracle;

#endif
