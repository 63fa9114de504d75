/* trace_inputs.c: see trace_inputs.h. */
#include "session/trace_inputs.h"

#include "base/rng.h"

#include <assert.h>
#include <string.h>

enum { LEAST_BITS = 23 };

/* Names the random numbers among all that a seed gives. */
#define TRACE_STREAM UINT64_C(0x7472616365)

void trace_inputs_init(struct trace_inputs *inputs, uint64_t seed, size_t total)
{
    struct rng rng;

    assert(total <= TRACE_ELEMENTS_MAX);
    rng_init(&rng, seed, TRACE_STREAM, 0, 0);
    *inputs = (struct trace_inputs){.bits = LEAST_BITS};
    while ((size_t)1 << inputs->bits < total) {
        inputs->bits++;
    }
    inputs->factors[0] = rng_next(&rng) | 1;
    inputs->factors[1] = rng_next(&rng) | 1;
}

/* Products with odd numbers, and shifts to the right that are added to what is shifted, only
 * exchange the numbers of `bits` bits. */
static uint32_t code_of(const struct trace_inputs *inputs, uint64_t number)
{
    uint64_t mask = (UINT64_C(1) << inputs->bits) - 1;
    uint64_t code = number * inputs->factors[0] & mask;

    code ^= code >> (inputs->bits / 2);
    code = code * inputs->factors[1] & mask;
    return (uint32_t)(code ^ code >> (inputs->bits / 2));
}

static float float_of(uint32_t code)
{
    uint32_t bits = UINT32_C(0x3f800000) + code;
    float value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

const void *trace_inputs_next(struct trace_inputs *inputs, struct arena *arena,
                              enum element_type type, size_t count)
{
    void *values = arena_array(arena, count, element_bytes(type));

    for (size_t i = 0; i < count; i++) {
        uint32_t code = code_of(inputs, inputs->next++);
        element_store(type, values, i,
                      element_is_float(type) ? (double)float_of(code) : (double)code + 1);
    }
    return values;
}
