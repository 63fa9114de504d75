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
 * 4095. What a probe holds depends only on the seed, the case and the operand.
 */
#ifndef GPUGRADE_SESSION_INPUTS_H
#define GPUGRADE_SESSION_INPUTS_H

#include "base/arena.h"
#include "model/observation.h"

#include <stddef.h>
#include <stdint.h>

struct input_plan {
    uint64_t seed;
    uint64_t stream; /* names the launch, the case and its repetition */
    enum probe_kind kind;
    size_t input;       /* which of the input operands, from 0 */
    size_t input_count; /* how many there are */
    int64_t largest;    /* the largest magnitude of the operand's numbers; 0: 4095 */
};

/* Makes the values of one input operand: [count] elements of `type`, in the arena. */
const void *input_values(struct arena *arena, const struct input_plan *plan, enum element_type type,
                         size_t count);

/* The bit pattern that fills an output before a probe: for 4- and 8-byte elements a quiet NaN with
 * a secret payload in each 32-bit word. So elements that a kernel does not write differ from any
 * value that it could compute. */
uint32_t output_poison(const struct input_plan *plan);

#endif
