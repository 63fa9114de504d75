/* oracle.h: the interface between the grader and reference/<coursework>/oracle.c.
 *
 * An oracle is a shared object that the grader builds from the coursework and loads. It exports one
 * object, `gpugrade_oracle`. Its functions must be pure functions of their arguments. Coursework
 * code includes this header, so it depends only on the C library.
 */
#ifndef GPUGRADE_MODEL_ORACLE_H
#define GPUGRADE_MODEL_ORACLE_H

#include <stddef.h>
#include <stdint.h>

enum { ORACLE_ABI_VERSION = 3 };

/* One probe of one case: the parameters in the order of the rubric, the block width, and the input
 * operands in the order of the rubric (row-major, of their element type); and the id of the launch,
 * for rubrics whose launches compute different things. */
struct oracle_problem {
    const int64_t *parameters;
    int64_t block;
    const void *const *inputs;
    size_t output_count; /* elements of the output operand */
    const char *launch;  /* "tiled" */
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
    /* Fills the expected values and the magnitudes G (sum of absolute products), [output_count]. */
    void (*expect)(const struct oracle_problem *problem, double *out_expected,
                   double *out_magnitudes);
    /* The same in float, in the order and rounding that "fmad=false" prescribes; NULL: none. */
    void (*expect_in_order)(const struct oracle_problem *problem, float *out_expected);
    const struct oracle_mistake *mistakes;
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
};

extern const struct oracle gpugrade_oracle;

#endif
