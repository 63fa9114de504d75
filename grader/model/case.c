/* case.c: draws cases and gives their numbers names; see case.h.
 *
 * Each draw has a random stream of its own, named by seed, case and repetition, so the cases do
 * not change when a rubric gets another one at its end.
 */
#include "model/case.h"

#include "base/rng.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const uint64_t STREAM_OF_CASES = UINT64_C(0x6361736573); /* "cases" */

static bool contains(const int64_t *values, size_t count, int64_t value)
{
    for (size_t i = 0; i < count; i++) {
        if (values[i] == value) {
            return true;
        }
    }
    return false;
}

bool case_ranges_fit(const struct rubric_case *drawn_from, size_t parameter_count)
{
    const struct range *ranges = drawn_from->values;
    bool done[RUBRIC_PARAMETERS_MAX] = {false};
    int64_t taken[RUBRIC_PARAMETERS_MAX];
    size_t ranged = 0;

    for (size_t i = 0; i < parameter_count; i++) {
        done[i] = ranges[i].choice_count > 0;
        ranged += done[i] ? 0 : 1;
    }
    for (size_t count = 0; count < ranged; count++) {
        size_t next = SIZE_MAX; /* the open range that ends first gets its smallest free value */
        for (size_t i = 0; i < parameter_count; i++) {
            if (!done[i] && (next == SIZE_MAX || ranges[i].maximum < ranges[next].maximum)) {
                next = i;
            }
        }
        int64_t value = ranges[next].minimum;
        while (contains(taken, count, value)) {
            value++;
        }
        if (value > ranges[next].maximum) {
            return false;
        }
        taken[count] = value;
        done[next] = true;
    }
    return true;
}

/* What was chosen from a list may be equal to anything. */
static bool all_differ(const int64_t *values, const struct rubric_case *from, size_t count)
{
    int64_t ranged[RUBRIC_PARAMETERS_MAX];
    size_t ranged_count = 0;

    for (size_t i = 0; i < count; i++) {
        if (from->values[i].choice_count > 0) {
            continue;
        }
        if (contains(ranged, ranged_count, values[i])) {
            return false;
        }
        ranged[ranged_count++] = values[i];
    }
    return true;
}

/* The doublings are [minimum, 2 minimum), [2 minimum, 4 minimum) and so on; the last one ends with
 * the maximum, so that large values are rather too likely than too rare. Whole numbers alone: the
 * same on every machine. */
static int64_t draw_log(struct rng *rng, const struct range *range)
{
    int doublings = 0;

    while (range->minimum << (doublings + 1) <= range->maximum) {
        doublings++;
    }
    int64_t first = range->minimum << rng_range(rng, 0, doublings);
    int64_t last = 2 * first - 1;
    return rng_range(rng, first, last < range->maximum ? last : range->maximum);
}

static int64_t draw_value(struct rng *rng, const struct range *range)
{
    if (range->is_log) {
        return draw_log(rng, range);
    }
    if (range->choice_count > 0) {
        return range->choices[rng_range(rng, 0, (int64_t)range->choice_count - 1)];
    }
    return rng_range(rng, range->minimum, range->maximum);
}

static void draw(const struct rubric *rubric, uint64_t seed, struct drawn_case *out_drawn)
{
    const struct rubric_case *from = &rubric->cases[out_drawn->case_index];
    struct rng rng;

    assert(!from->distinct || case_ranges_fit(from, rubric->parameter_count));
    rng_init(&rng, seed, STREAM_OF_CASES, out_drawn->case_index, out_drawn->repetition);
    do {
        for (size_t i = 0; i < rubric->parameter_count; i++) {
            out_drawn->units[i] = draw_value(&rng, &from->values[i]);
            out_drawn->own_units[i] = from->values[i].unit;
        }
    } while (from->distinct && !all_differ(out_drawn->units, from, rubric->parameter_count));
}

void cases_draw(struct arena *arena, const struct rubric *rubric, uint64_t seed,
                const struct drawn_case **out_cases, size_t *out_count)
{
    size_t total = 0;

    for (size_t i = 0; i < rubric->case_count; i++) {
        total += rubric->cases[i].repeat;
    }
    struct drawn_case *cases = arena_array(arena, total, sizeof *cases);
    size_t count = 0;
    for (size_t i = 0; i < rubric->case_count; i++) {
        for (uint32_t repetition = 0; repetition < rubric->cases[i].repeat; repetition++) {
            cases[count].case_index = i;
            cases[count].repetition = repetition;
            draw(rubric, seed, &cases[count]);
            count++;
        }
    }
    *out_cases = cases;
    *out_count = count;
}

void case_draw_first(struct arena *arena, const struct rubric *rubric, uint64_t seed,
                     size_t case_index, int64_t out_parameters[RUBRIC_PARAMETERS_MAX])
{
    const struct drawn_case *cases = NULL;
    size_t count = 0;

    memset(out_parameters, 0, RUBRIC_PARAMETERS_MAX * sizeof *out_parameters);
    cases_draw(arena, rubric, seed, &cases, &count);
    for (size_t i = 0; i < count; i++) {
        if (cases[i].case_index == case_index) {
            (void)case_parameters(rubric, &cases[i], 0, out_parameters);
            return;
        }
    }
}

bool case_parameters(const struct rubric *rubric, const struct drawn_case *drawn, int64_t block,
                     int64_t out_parameters[RUBRIC_PARAMETERS_MAX])
{
    struct case_scope scope = {.rubric = rubric, .block = block};
    int64_t values[RUBRIC_PARAMETERS_MAX] = {0};

    for (size_t i = 0; i < rubric->parameter_count; i++) {
        const struct expression *own = drawn->own_units[i];
        const struct expression *unit = own != NULL ? own : rubric->parameters[i].unit;
        const char *unknown;
        double factor = 1;
        if (unit != NULL && !expression_evaluate(unit, case_lookup, &scope, &factor, &unknown)) {
            return false;
        }
        if (factor < 1 || factor > INT32_MAX || factor != trunc(factor)) {
            return false;
        }
        if (__builtin_mul_overflow(drawn->units[i], (int64_t)factor, &values[i])) {
            return false;
        }
    }
    memcpy(out_parameters, values, sizeof values);
    return true;
}

int64_t case_block(const struct rubric *rubric, const struct rubric_launch *launch,
                   const struct drawn_case *drawn)
{
    const struct case_scope scope = {.rubric = rubric, .parameters = drawn->units};
    struct case_scope copy = scope;
    double value = 0;

    if (launch->block == NULL ||
        !expression_evaluate(launch->block, case_lookup, &copy, &value, NULL) || value < 1 ||
        value > INT32_MAX || value != trunc(value)) {
        return 0;
    }
    return (int64_t)value;
}

bool case_override_values(const struct rubric *rubric, const struct rubric_program *program,
                          const int64_t *parameters, int64_t block,
                          int64_t out_values[RUBRIC_OVERRIDES_MAX])
{
    struct case_scope scope = {.rubric = rubric, .parameters = parameters, .block = block};
    int64_t values[RUBRIC_OVERRIDES_MAX] = {0};

    for (size_t i = 0; i < program->override_count; i++) {
        double value = 0;
        if (!expression_evaluate(program->overrides[i].value, case_lookup, &scope, &value, NULL) ||
            value < INT32_MIN || value > INT32_MAX || value != trunc(value)) {
            return false;
        }
        values[i] = (int64_t)value;
    }
    memcpy(out_values, values, program->override_count * sizeof values[0]);
    return true;
}

static bool multiprocessors_lookup(void *context, const char *name, double *out_value)
{
    *out_value = *(const uint32_t *)context;
    return strcmp(name, "multiprocessors") == 0;
}

bool case_timing_parameters(const struct rubric *rubric, const struct rubric_criterion *criterion,
                            uint32_t multiprocessors, int64_t out_parameters[RUBRIC_PARAMETERS_MAX])
{
    int64_t values[RUBRIC_PARAMETERS_MAX] = {0};

    for (size_t i = 0; i < rubric->parameter_count; i++) {
        double value = 0;
        if (criterion->timing_shape[i] == NULL ||
            !expression_evaluate(criterion->timing_shape[i], multiprocessors_lookup,
                                 &multiprocessors, &value, NULL) ||
            value < 1 || value > INT32_MAX || value != trunc(value)) {
            return false;
        }
        values[i] = (int64_t)value;
    }
    memcpy(out_parameters, values, sizeof values);
    return true;
}

bool case_lookup(void *scope, const char *name, double *out_value)
{
    const struct case_scope *known = scope;

    if (strcmp(name, "block") == 0) {
        *out_value = (double)known->block;
        return known->block > 0;
    }
    if (strcmp(name, "threads") == 0) {
        *out_value = (double)known->threads;
        return known->threads > 0;
    }
    if (known->parameters == NULL) {
        return false;
    }
    for (size_t i = 0; i < known->rubric->parameter_count; i++) {
        if (strcmp(name, known->rubric->parameters[i].name) == 0) {
            *out_value = (double)known->parameters[i];
            return true;
        }
    }
    return false;
}

size_t case_elements(const struct case_scope *scope, const struct rubric_operand *operand,
                     uint64_t out_extents[3])
{
    const uint64_t lanes = operand_lanes(operand);
    const uint64_t room =
        scope->rubric->limits.device_memory_bytes / (element_bytes(operand->type) * lanes);
    struct case_scope copy = *scope;
    uint64_t extents[3] = {0};
    uint64_t count = 1;

    for (size_t i = 0; i < operand->rank; i++) {
        double extent = 0.0;
        if (!expression_evaluate(operand->shape[i], case_lookup, &copy, &extent, NULL) ||
            extent < 1.0 || extent > (double)room || extent != trunc(extent)) {
            return 0;
        }
        extents[i] = (uint64_t)extent;
        if (__builtin_mul_overflow(count, extents[i], &count) || count > room) {
            return 0;
        }
    }
    memcpy(out_extents, extents, operand->rank * sizeof extents[0]);
    return (size_t)(count * lanes);
}
