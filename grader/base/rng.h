/* rng.h: reproducible random numbers.
 *
 * The generator is ChaCha with 8 rounds (Bernstein, "ChaCha, a variant of Salsa20", 2008; the block
 * function of RFC 8439 with a counter of 64 bits): who sees numbers, as a student's program sees
 * its inputs, cannot compute others. A stream is named by a seed and a list of numbers (case,
 * probe, operand), which are its key, so that the inputs of one probe do not depend on how many
 * numbers another one has drawn.
 */
#ifndef GPUGRADE_BASE_RNG_H
#define GPUGRADE_BASE_RNG_H

#include <stdbool.h>
#include <stdint.h>

enum { RNG_BLOCK = 8 }; /* numbers that are made at once */

struct rng {
    uint64_t key[4];
    uint64_t counter; /* of the next block */
    uint64_t numbers[RNG_BLOCK];
    unsigned used; /* of them */
};

/* Starts the stream named by `seed` and the three numbers. */
void rng_init(struct rng *rng, uint64_t seed, uint64_t a, uint64_t b, uint64_t c);

uint64_t rng_next(struct rng *rng);

/* Uniform in [minimum, maximum], both included; minimum <= maximum. */
int64_t rng_range(struct rng *rng, int64_t minimum, int64_t maximum);

/* Uniform in (-1, 1) with a full 24-bit mantissa, never 0. */
float rng_float(struct rng *rng);

/* A seed from the kernel's random pool (getrandom); false if it gives none. */
bool rng_seed_from_system(uint64_t *out_seed);

#endif
