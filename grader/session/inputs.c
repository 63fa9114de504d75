/* inputs.c: see inputs.h. */
#include "session/inputs.h"

#include "base/rng.h"

#include <assert.h>

enum { LARGE_INTEGER = 4095 };

/* Numbers of streams beside the operands'. */
enum { POISON_STREAM = 1000 };

static int64_t exact_limit(const struct input_plan *plan)
{
    size_t large = probe_inputs(plan->kind) == PROBE_EXACT ? 0 : plan->input_count - 1;

    if (plan->input != large) {
        return 1;
    }
    return plan->largest == 0 ? LARGE_INTEGER : plan->largest;
}

static void fill_integers(struct rng *rng, int64_t limit, enum element_type type, size_t count,
                          void *out_values)
{
    const bool is_signed = element_facts(type)->lowest < 0;

    for (size_t i = 0; i < count; i++) {
        int64_t value = rng_range(rng, -limit, limit);
        element_store(type, out_values, i, (double)(is_signed || value > 0 ? value : -value));
    }
}

static void fill_floats(struct rng *rng, enum element_type type, size_t count, void *out_values)
{
    for (size_t i = 0; i < count; i++) {
        double value = (double)rng_float(rng);
        if (type == ELEMENT_F64) {
            value += (double)rng_float(rng) * 0x1p-24;
        }
        element_store(type, out_values, i, value);
    }
}

const void *input_values(struct arena *arena, const struct input_plan *plan, enum element_type type,
                         size_t count)
{
    void *values = arena_array(arena, count, element_bytes(type));
    struct rng rng;

    assert(plan->input < plan->input_count);
    rng_init(&rng, plan->seed, plan->stream, (uint64_t)probe_inputs(plan->kind), plan->input);
    if (plan->kind == PROBE_FLOAT && element_is_float(type)) {
        fill_floats(&rng, type, count, values);
    } else {
        fill_integers(&rng, exact_limit(plan), type, count, values);
    }
    return values;
}

uint32_t output_poison(const struct input_plan *plan)
{
    struct rng rng;

    rng_init(&rng, plan->seed, plan->stream, (uint64_t)plan->kind, POISON_STREAM);
    return 0x7FF80000u | (uint32_t)(rng_next(&rng) & 0x7FFFFu);
}
