/* compare.c: see compare.h. */
#include "criteria/results/compare.h"

#include "model/oracle_watch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How much nearer to the poison than to what is expected a value is that was added to it. */
enum { NEARER_TO_POISON = 4096 };

size_t output_operand(const struct rubric_launch *launch)
{
    size_t i = 0;

    while (i < launch->operand_count && launch->operands[i].role != OPERAND_OUTPUT) {
        i++;
    }
    return i;
}

void problem_init(const struct rubric_launch *launch, const struct observation *observation,
                  const struct sample *sample, struct problem *out_problem)
{
    size_t input_count = 0;

    memset(out_problem, 0, sizeof *out_problem);
    out_problem->launch = launch;
    out_problem->observation = observation;
    out_problem->sample = sample;
    out_problem->output = output_operand(launch);
    for (size_t i = 0; i < launch->operand_count; i++) {
        if (launch->operands[i].role == OPERAND_INPUT) {
            out_problem->inputs[input_count++] = sample->before[i];
        }
    }
    out_problem->oracle.parameters = observation->parameters;
    out_problem->oracle.block = observation->block;
    out_problem->oracle.inputs = out_problem->inputs;
    out_problem->oracle.output_count = observation->element_counts[out_problem->output];
    out_problem->oracle.launch = launch->id;
}

static bool is_poison(const struct problem *problem, size_t index)
{
    size_t bytes = element_bytes(problem->launch->operands[problem->output].type);
    const char *before = problem->sample->before[problem->output];
    const char *after = problem->sample->after[problem->output];

    return memcmp(before + index * bytes, after + index * bytes, bytes) == 0;
}

/* How one element must relate to what is expected. */
enum rule { RULE_EQUAL, RULE_BITS, RULE_BOUND, RULE_IN_ORDER };

/* One element, and whether it is right by the rule of its probe. */
struct element {
    double got, expected, magnitude, in_order;
};

static bool element_is_right(const struct element *element, enum rule rule, enum element_type type)
{
    double bound = FLOAT_BOUND_UNITS * element_roundoff(type) * element->magnitude;

    switch (rule) {
    case RULE_EQUAL:
        return element->got == element_rounded(type, element->expected);
    case RULE_BITS:
        return element->got == element_rounded(type, element->expected) &&
               signbit(element->got) == signbit(element->expected);
    case RULE_BOUND:
        return fabs(element->got - element->expected) <= bound;
    case RULE_IN_ORDER:
        return element->got == element->in_order;
    }
    return false;
}

/* How far two integers are from each other; they wrap around. */
static uint64_t distance(uint32_t left, uint32_t right)
{
    uint32_t up = left - right;
    uint32_t down = right - left;

    return up < down ? up : down;
}

/* True if an integer tells that something was added to the poison: what is expected, or little. */
static bool is_from_poison(const struct problem *problem, size_t index, double expected)
{
    enum element_type type = problem->launch->operands[problem->output].type;
    const uint32_t *before = problem->sample->before[problem->output];
    const uint32_t *after = problem->sample->after[problem->output];

    if (element_is_float(type) || !(fabs(expected) <= 0x1p53)) {
        return false;
    }
    uint32_t right = (uint32_t)(int64_t)expected;
    return after[index] - before[index] == right ||
           distance(after[index], before[index]) * NEARER_TO_POISON < distance(after[index], right);
}

/* Which of the elements changed, and how. */
struct changes {
    size_t all, wrong, from_poison;
};

/* True if what was there before is part of the results; see compare.h. */
static bool uses_old_output(const struct problem *problem, const struct changes *changes)
{
    const struct launch_counts *counts = &problem->sample->counts;
    const struct access_sum *sums = counts->operands[problem->output];
    bool reads = sums[COUNT_READ].bytes > 0;
    bool writes = sums[COUNT_WRITE].bytes > 0;
    bool updates = sums[COUNT_ATOMIC].bytes > 0;

    if (changes->all == 0) {
        return counts->is_counted && (updates || (reads && writes));
    }
    /* Without any access it lies in the allocation of an input, which these count for. */
    bool can_read = !counts->is_counted || reads || updates || !writes;
    return can_read && changes->wrong > 0 && changes->from_poison == changes->wrong;
}

/* What is wrong with an element that is not right. */
static enum element_state state_of_wrong(const struct problem *problem, size_t index,
                                         const struct element *element, bool uses_old_output)
{
    if (is_poison(problem, index) && !uses_old_output) {
        return ELEMENT_UNWRITTEN;
    }
    return isfinite(element->got) ? ELEMENT_WRONG : ELEMENT_NOT_FINITE;
}

static void note_wrong(const struct problem *problem, size_t index, const struct element *element,
                       struct comparison *comparison)
{
    double unit = element_roundoff(problem->launch->operands[problem->output].type);
    double error = fabs(element->got - element->expected);
    enum element_state state = state_of_wrong(problem, index, element, comparison->uses_old_output);

    if (comparison->wrong++ == 0) {
        comparison->first_wrong = index;
        comparison->expected = element->expected;
        comparison->got = element->got;
    }
    if (state == ELEMENT_UNWRITTEN && comparison->unwritten++ == 0) {
        comparison->first_unwritten = index;
    }
    if (state == ELEMENT_NOT_FINITE && comparison->not_finite++ == 0) {
        comparison->first_not_finite = index;
    }
    if (!(error <= PRECISION_BOUND_UNITS * unit * element->magnitude)) {
        comparison->imprecise_only = false;
    }
    if (!(error <= FLOAT_BOUND_UNITS * unit * element->magnitude)) {
        comparison->within_bound = false;
    }
}

static void note_error(const struct element *element, enum element_type type,
                       struct comparison *comparison)
{
    double error = fabs(element->got - element->expected);
    double scale = element_roundoff(type) * element->magnitude;

    if (error > 0.0 && scale > 0.0 && error / scale > comparison->worst_units &&
        isfinite(error / scale)) {
        comparison->worst_units = error / scale;
    }
}

static enum rule rule_of(const struct problem *problem, enum arithmetic arithmetic)
{
    enum element_type type = problem->launch->operands[problem->output].type;

    if (arithmetic == ARITHMETIC_EXACT && element_is_float(type)) {
        return RULE_BITS;
    }
    if (problem->sample->kind != PROBE_FLOAT || !element_is_float(type)) {
        return RULE_EQUAL;
    }
    return arithmetic == ARITHMETIC_NO_FMAD ? RULE_IN_ORDER : RULE_BOUND;
}

/* What the oracle says of all elements, [count] each. */
struct expectation {
    const double *expected, *magnitudes;
    const float *in_order; /* NULL: not asked for */
};

static struct element element_at(const struct problem *problem, const struct expectation *of,
                                 size_t index)
{
    enum element_type type = problem->launch->operands[problem->output].type;

    return (struct element){
        .got = element_value(type, problem->sample->after[problem->output], index),
        .expected = of->expected[index],
        .magnitude = of->magnitudes[index],
        .in_order = of->in_order != NULL ? of->in_order[index] : 0,
    };
}

static struct changes changes_of(const struct problem *problem, const struct expectation *of,
                                 enum rule rule)
{
    enum element_type type = problem->launch->operands[problem->output].type;
    struct changes changes = {0};

    for (size_t i = 0; i < problem->oracle.output_count; i++) {
        struct element element = element_at(problem, of, i);
        if (is_poison(problem, i)) {
            continue;
        }
        changes.all++;
        if (!element_is_right(&element, rule, type)) {
            changes.wrong++;
            changes.from_poison += is_from_poison(problem, i, element.expected) ? 1 : 0;
        }
    }
    return changes;
}

/* Compares all elements; fills the states [count] if there is room. */
static void compare_with(const struct problem *problem, const struct expectation *of,
                         enum rule rule, uint8_t *out_states, struct comparison *out_comparison)
{
    enum element_type type = problem->launch->operands[problem->output].type;
    const struct changes changes = changes_of(problem, of, rule);
    struct comparison comparison = {
        .elements = problem->oracle.output_count,
        .imprecise_only = element_is_float(type),
        .within_bound = element_is_float(type),
        .uses_old_output = uses_old_output(problem, &changes),
    };

    for (size_t i = 0; i < comparison.elements; i++) {
        struct element element = element_at(problem, of, i);
        bool right = element_is_right(&element, rule, type);
        note_error(&element, type, &comparison);
        if (!right) {
            note_wrong(problem, i, &element, &comparison);
        }
        if (out_states != NULL) {
            out_states[i] = right
                                ? ELEMENT_RIGHT
                                : state_of_wrong(problem, i, &element, comparison.uses_old_output);
        }
    }
    *out_comparison = comparison;
}

/* Asks the oracle and compares; fills what is expected [count], and the states if there is room. */
static bool compare_all(const struct problem *problem, const struct oracle *oracle, enum rule rule,
                        double *out_expected, uint8_t *out_states,
                        struct comparison *out_comparison)
{
    size_t count = problem->oracle.output_count;

    if (rule == RULE_IN_ORDER && oracle->expect_in_order == NULL) {
        return false;
    }
    double *magnitudes = calloc(count + 1, sizeof *magnitudes);
    float *in_order = rule == RULE_IN_ORDER ? calloc(count + 1, sizeof *in_order) : NULL;
    if (magnitudes == NULL || (rule == RULE_IN_ORDER && in_order == NULL)) {
        abort();
    }
    oracle_expect(oracle, &problem->oracle, out_expected, magnitudes);
    if (rule == RULE_IN_ORDER) {
        oracle_expect_in_order(oracle, &problem->oracle, in_order);
    }
    const struct expectation of = {out_expected, magnitudes, in_order};
    compare_with(problem, &of, rule, out_states, out_comparison);
    free(magnitudes);
    free(in_order);
    return true;
}

bool compare_sample(const struct problem *problem, const struct oracle *oracle,
                    enum arithmetic arithmetic, struct comparison *out_comparison)
{
    double *expected = calloc(problem->oracle.output_count + 1, sizeof *expected);

    if (expected == NULL) {
        abort();
    }
    bool compared =
        compare_all(problem, oracle, rule_of(problem, arithmetic), expected, NULL, out_comparison);
    free(expected);
    return compared;
}

bool compare_elements(const struct problem *problem, const struct oracle *oracle,
                      enum arithmetic arithmetic, double *out_expected, uint8_t *out_states)
{
    struct comparison comparison;

    return compare_all(problem, oracle, rule_of(problem, arithmetic), out_expected, out_states,
                       &comparison);
}

bool output_equals(const struct problem *problem, const double *values)
{
    enum element_type type = problem->launch->operands[problem->output].type;
    const void *after = problem->sample->after[problem->output];

    for (size_t i = 0; i < problem->oracle.output_count; i++) {
        struct element element = {.got = element_value(type, after, i), .expected = values[i]};
        bool same =
            isnan(values[i]) ? is_poison(problem, i) : element_is_right(&element, RULE_EQUAL, type);
        if (!same) {
            return false;
        }
    }
    return true;
}

size_t changed_input(const struct rubric_launch *launch, const struct observation *observation,
                     const struct sample *sample, size_t *out_element)
{
    for (size_t i = 0; i < launch->operand_count; i++) {
        size_t bytes = element_bytes(launch->operands[i].type);
        const char *before = sample->before[i];
        const char *after = sample->after[i];

        if (launch->operands[i].role != OPERAND_INPUT || before == NULL || after == NULL ||
            memcmp(before, after, observation->element_counts[i] * bytes) == 0) {
            continue;
        }
        for (size_t j = 0; j < observation->element_counts[i]; j++) {
            if (memcmp(before + j * bytes, after + j * bytes, bytes) != 0) {
                *out_element = j;
                return i;
            }
        }
    }
    return launch->operand_count;
}
