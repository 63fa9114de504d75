/* inputs.h: the secret inputs of a probe.
 *
 *   exact          first input: integers in [-4095, 4095]; the others: -1, 0 or 1. Every partial
 *                  sum of up to 4096 products fits in 24 bits, so every right float kernel agrees
 *                  bit for bit, whatever its order of summation. Longer sums fit too, because signs
 *                  are random: the standard deviation of 65536 products is 2^19
 *   exact-swapped  the same with the ranges exchanged: the last input holds the large numbers
 *   float          zero-mean values with a full mantissa in (-1, 1)
 *   again          as exact-swapped; the device keeps the memory that the probe before it left
 *   reordered      those of exact; the blocks run in another order
 *
 * Integer operands get integers in every probe; a rubric may say how large ("largest"), in place of
 * 4095. Types that hold less get less: 127 of i8, 255 of u8, 15 of f16, 3 of bf16.
 *
 * A rubric may say which values an operand holds ("values"). Then the operand has the whole range
 * in every probe, and floats that are to be exact are multiples of a power of two: at most 4095 of
 * them to the largest magnitude, fewer if a sum of as many additions as the rubric says would not
 * be exact with them, or if several inputs with ranges may be multiplied (63).
 *
 * What a probe holds depends only on the seed, the case and the operand.
 */
#ifndef GPUGRADE_SESSION_INPUTS_H
#define GPUGRADE_SESSION_INPUTS_H

#include "base/arena.h"
#include "model/observation.h"
#include "model/oracle.h"

#include <stddef.h>
#include <stdint.h>

/* A rubric's value_domain in one case. */
struct input_domain {
    bool is_set, has_range;
    double least, most; /* if has_range; whole numbers of integer types */
    uint64_t distinct;  /* values at most; 0: any number */
    double zero_share;
    bool is_sorted, is_permutation;
};

struct input_plan {
    uint64_t seed;
    uint64_t stream; /* names the launch, the case and its repetition */
    enum probe_kind kind;
    size_t input;       /* which of the input operands, from 0 */
    size_t input_count; /* how many there are */
    int64_t largest;    /* the largest magnitude of the operand's numbers; 0: 4095 */
    struct input_domain domain;
    bool is_factor;   /* of floats: another input with a range may be multiplied with it */
    double additions; /* in the longest sum of a result; 0: not said */
};

/* One probe of one case. */
struct probe_values {
    const struct rubric *rubric;
    const struct rubric_launch *launch;
    const struct observation *observation; /* its parameters, block and element counts are set */
    const struct oracle *oracle;           /* that may make inputs; NULL: none */
    uint64_t seed, stream;
    enum probe_kind kind;
};

/* Makes what all operands hold before a probe, [operand_count], in the arena: inputs, the poison or
 * zeros. */
void probe_values_make(struct arena *arena, const struct probe_values *of,
                       const void *out_values[RUBRIC_OPERANDS_MAX]);

/* How many operands of a launch hold values before it. */
size_t operand_input_count(const struct rubric_launch *launch);

/* What the operand of a launch holds in the case of an observation. */
struct input_domain input_domain_of(const struct rubric *rubric, const struct rubric_launch *launch,
                                    size_t operand, const struct observation *observation);

/* Makes the values of one input operand: [count] elements of `type`, in the arena. */
void *input_values(struct arena *arena, const struct input_plan *plan, enum element_type type,
                   size_t count);

/* The bit pattern that fills an output before a probe. Of floats it is a quiet NaN with a secret
 * payload in each element, or each 32-bit word of f64; of integers of 4 and 8 bytes the same bits.
 * So elements that a kernel does not write differ from any value that it could compute. Smaller
 * integers hold secret bits that differ in each kind of probe. */
uint32_t output_poison(const struct input_plan *plan, enum element_type type);

#endif
