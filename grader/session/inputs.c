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
    for (size_t i = 0; i < count; i++) {
        int64_t value = rng_range(rng, -limit, limit);
        switch (type) {
        case ELEMENT_F32:
            ((float *)out_values)[i] = (float)value;
            break;
        case ELEMENT_F64:
            ((double *)out_values)[i] = (double)value;
            break;
        case ELEMENT_I32:
            ((int32_t *)out_values)[i] = (int32_t)value;
            break;
        case ELEMENT_U32:
            ((uint32_t *)out_values)[i] = (uint32_t)(value < 0 ? -value : value);
            break;
        }
    }
}

static void fill_floats(struct rng *rng, enum element_type type, size_t count, void *out_values)
{
    for (size_t i = 0; i < count; i++) {
        if (type == ELEMENT_F32) {
            ((float *)out_values)[i] = rng_float(rng);
        } else {
            ((double *)out_values)[i] = (double)rng_float(rng) + (double)rng_float(rng) * 0x1p-24;
        }
    }
}

const void *input_values(struct arena *arena, const struct input_plan *plan, enum element_type type,
                         size_t count)
{
    void *values = arena_array(arena, count, element_bytes(type));
    struct rng rng;

    assert(plan->input < plan->input_count);
    rng_init(&rng, plan->seed, plan->stream, (uint64_t)probe_inputs(plan->kind), plan->input);
    if (plan->kind == PROBE_FLOAT && (type == ELEMENT_F32 || type == ELEMENT_F64)) {
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
