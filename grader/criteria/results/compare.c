/* compare.c: see compare.h. */
#include "criteria/results/compare.h"

#include "criteria/results/element_rule.h"
#include "model/oracle_watch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NEARER_TO_POISON = 4096, /* how much nearer to the poison than to what is expected a value is
                                that was added to it */
    SMALL_BYTES = 2,         /* integers of at most so many can be the poison by chance: */
    CHANCE = 64,             /* of so many wrong ones one at least must be it */
};

size_t output_operand(const struct rubric_launch *launch)
{
    size_t i = 0;

    while (i < launch->operand_count && !operand_is_result(&launch->operands[i])) {
        i++;
    }
    return i;
}

static const struct rubric_operand *operand_of(const struct problem *problem)
{
    return &problem->launch->operands[problem->output];
}

void problem_init(const struct rubric *rubric, const struct rubric_launch *launch,
                  const struct observation *observation, const struct sample *sample, size_t output,
                  struct problem *out_problem)
{
    memset(out_problem, 0, sizeof *out_problem);
    out_problem->rubric = rubric;
    out_problem->launch = launch;
    out_problem->observation = observation;
    out_problem->sample = sample;
    out_problem->output = output;
    out_problem->elements = observation->element_counts[output];
    problem_pose(rubric, launch, observation, sample->before, &out_problem->posed);
}

const char *compare_lacks(struct arena *arena, const struct rubric *rubric,
                          const struct rubric_launch *launch, const struct oracle *oracle)
{
    size_t results = 0;
    bool needs_order = false;

    if (output_operand(launch) == launch->operand_count) {
        return "the rubric's launch has no output operand";
    }
    if (oracle == NULL) {
        return "the coursework has no oracle";
    }
    for (size_t i = 0; i < launch->operand_count; i++) {
        const struct rubric_operand *operand = &launch->operands[i];
        if (!operand_is_result(operand)) {
            continue;
        }
        results++;
        needs_order = needs_order || operand->compare.kind == COMPARE_AS_USUAL;
        if (operand->compare.kind == COMPARE_CHECK && oracle->check == NULL) {
            return arena_printf(arena,
                                "'%s' has \"compare\": \"check\", but the oracle has no check",
                                operand->name);
        }
    }
    if (!oracle_expects(oracle, launch)) {
        return results > 1
                   ? "a launch with several outputs needs expect_all, which the oracle lacks"
                   : "the oracle has no expect";
    }
    if (rubric->arithmetic == ARITHMETIC_NO_FMAD && needs_order &&
        oracle->expect_in_order == NULL && oracle->expect_all == NULL) {
        return "the rubric asks for \"fmad=false\", but the oracle has no expect_in_order";
    }
    return NULL;
}

/* The poison ***********************************************************************************/

static bool is_poisoned(const struct rubric_operand *operand)
{
    return operand->role == OPERAND_OUTPUT && !operand->starts_as_zero;
}

/* True if any value of the type may be a result, and the poison has too few bits to tell. */
static bool is_small(const struct rubric_operand *operand)
{
    return !element_is_float(operand->type) && element_bytes(operand->type) <= SMALL_BYTES;
}

static bool is_unchanged(const struct sample *sample, size_t output, size_t bytes, size_t index)
{
    const char *before = sample->before[output];
    const char *after = sample->after[output];

    return before != NULL && after != NULL &&
           memcmp(before + index * bytes, after + index * bytes, bytes) == 0;
}

static bool is_poison(const struct problem *problem, size_t index)
{
    const struct rubric_operand *operand = operand_of(problem);
    const struct observation *observation = problem->observation;
    const size_t bytes = element_bytes(operand->type);

    if (!is_poisoned(operand) || !is_unchanged(problem->sample, problem->output, bytes, index)) {
        return false;
    }
    for (size_t i = 0; is_small(operand) && i < observation->sample_count; i++) {
        if (!is_unchanged(&observation->samples[i], problem->output, bytes, index)) {
            return false;
        }
    }
    return !is_small(operand) || observation->sample_count > 1;
}

/* What the oracle says **************************************************************************/

/* What is expected of an output, [elements] each. */
struct expectation {
    struct oracle_results results;
    float *in_order;         /* NULL: not asked for */
    unsigned char *doubtful; /* NULL: none is */
    size_t counting;         /* elements from here on are free */
};

/* What was there before ************************************************************************/

/* How far two integers of `mask` bits are from each other; they wrap around. */
static uint64_t distance(uint64_t left, uint64_t right, uint64_t mask)
{
    uint64_t up = (left - right) & mask;
    uint64_t down = (right - left) & mask;

    return up < down ? up : down;
}

/* True if an integer tells that something was added to the poison: what is expected, or little. */
static bool is_from_poison(const struct problem *problem, size_t index,
                           const struct element *element)
{
    const struct rubric_operand *operand = operand_of(problem);
    const enum element_type type = operand->type;
    const uint64_t mask = UINT64_MAX >> (64 - 8 * element_bytes(type));

    if (!is_poisoned(operand) || element_is_float(type) || is_small(operand) ||
        !(fabs(element->expected) <= 0x1p53)) {
        return false;
    }
    uint64_t right = (uint64_t)(int64_t)element->expected & mask;
    uint64_t before =
        (uint64_t)element_integer(type, problem->sample->before[problem->output], index) & mask;
    uint64_t after = (uint64_t)element->got_integer & mask;
    return ((after - before) & mask) == right ||
           distance(after, before, mask) * NEARER_TO_POISON < distance(after, right, mask);
}

/* Which of the elements changed, and how. */
struct changes {
    size_t all; /* 0 if none did; not all right ones are counted */
    size_t wrong, from_poison;
    size_t wrong_poison; /* wrong, and the poison */
    double worst_units;  /* the largest error, whether right or wrong */
};

/* True if what was there before is part of the results; see compare.h. */
static bool uses_old_output(const struct problem *problem, const struct changes *changes)
{
    const struct launch_counts *counts = &problem->sample->counts;
    const struct access_sum *sums = counts->operands[problem->output];
    bool reads = sums[COUNT_READ].bytes > 0;
    bool writes = sums[COUNT_WRITE].bytes > 0;
    bool updates = sums[COUNT_ATOMIC].bytes > 0;

    if (!is_poisoned(operand_of(problem))) {
        return false;
    }
    if (changes->all == 0) {
        return counts->is_counted && (updates || (reads && writes));
    }
    /* Without any access it lies in the allocation of an input, which these count for; or the call
     * copies to it. */
    bool is_copied = problem->sample->call.copied_to[problem->output] > 0;
    bool can_read = !counts->is_counted || reads || updates || (!writes && !is_copied);
    return can_read && changes->wrong > 0 && changes->from_poison == changes->wrong;
}

/* Comparing ************************************************************************************/

/* One comparison that is being made. */
struct comparing {
    const struct problem *problem;
    struct rules rules;
    struct expectation of;
    bool trusts_poison; /* elements that are the poison were never written */
    struct comparison *comparison;
};

static struct element element_at(const struct comparing *comparing, size_t index)
{
    const struct problem *problem = comparing->problem;
    const struct expectation *of = &comparing->of;
    const enum element_type type = comparing->rules.type;
    const void *after = problem->sample->after[problem->output];
    const bool is_integer = !element_is_float(type);
    const bool is_in_order = comparing->rules.rule == RULE_IN_ORDER;

    return (struct element){
        .got = element_value(type, after, index),
        .expected = of->results.expected[index],
        .magnitude = of->results.magnitudes[index],
        .in_order = of->in_order != NULL ? (double)of->in_order[index]
                    : is_in_order        ? element_rounded(type, of->results.expected[index])
                                         : 0.0,
        .got_integer = is_integer ? element_integer(type, after, index) : 0,
        .expected_integer = of->results.integers != NULL ? of->results.integers[index] : 0,
        .is_free = index >= of->counting || (of->doubtful != NULL && of->doubtful[index] != 0),
    };
}

/* What is wrong with an element that is not right. */
static enum element_state state_of_wrong(const struct comparing *comparing, size_t index,
                                         const struct element *element)
{
    if (comparing->trusts_poison && is_poison(comparing->problem, index)) {
        return ELEMENT_UNWRITTEN;
    }
    return isfinite(element->got) ? ELEMENT_WRONG : ELEMENT_NOT_FINITE;
}

static void note_wrong(const struct comparing *comparing, size_t index,
                       const struct element *element)
{
    struct comparison *comparison = comparing->comparison;
    double unit = comparing->rules.roundoff;
    double error = fabs(element->got - element->expected);
    enum element_state state = state_of_wrong(comparing, index, element);

    if (comparison->wrong++ == 0) {
        comparison->first_wrong = index;
        comparison->expected = element->expected;
        comparison->got = element->got;
        comparison->expected_integer = element->expected_integer;
        comparison->got_integer = element->got_integer;
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
    if (!(error <= comparing->rules.units * unit * element->magnitude)) {
        comparison->within_bound = false;
    }
}

/* The error of an element in units of the bound; 0 if it has none that is finite. */
static double error_units(const struct comparing *comparing, const struct element *element)
{
    double error = fabs(element->got - element->expected);
    double scale = comparing->rules.roundoff * element->magnitude;

    return !element->is_free && error > 0.0 && scale > 0.0 && isfinite(error / scale)
               ? error / scale
               : 0.0;
}

static struct changes find_changes(const struct comparing *comparing)
{
    struct changes changes = {0};

    for (size_t i = 0; i < comparing->problem->elements; i++) {
        struct element element = element_at(comparing, i);
        bool is_right = element_is_right(&element, &comparing->rules);
        changes.worst_units = fmax(changes.worst_units, error_units(comparing, &element));
        if (is_right && changes.all > 0) {
            continue; /* one that changed is enough */
        }
        if (is_poison(comparing->problem, i)) {
            changes.wrong_poison += is_right ? 0 : 1;
            continue;
        }
        changes.all++;
        if (!is_right) {
            changes.wrong++;
            changes.from_poison += is_from_poison(comparing->problem, i, &element) ? 1 : 0;
        }
    }
    return changes;
}

/* True if so few elements are wrong that the output's `share` lets them pass. */
static bool is_within_share(const struct comparing *comparing, size_t wrong)
{
    const struct compare_rule *rule = comparing->rules.compare;
    size_t others = 0;

    for (size_t i = 0; rule->has_share && i < comparing->problem->elements; i++) {
        others += element_at(comparing, i).is_free ? 0 : 1;
    }
    return rule->has_share && (double)wrong <= fmax(1.0, rule->share * (double)others);
}

/* Compares all elements; fills the states [elements] if there is room. */
static void compare_with(struct comparing *comparing, uint8_t *out_states)
{
    const struct problem *problem = comparing->problem;
    const struct rubric_operand *operand = operand_of(problem);
    const struct changes changes = find_changes(comparing);
    const size_t wrong = changes.wrong + changes.wrong_poison;
    const bool has_bound = element_is_float(operand->type) && comparing->rules.rule != RULE_WITHIN;
    const bool passes = wrong == 0 || is_within_share(comparing, wrong);
    struct comparison *comparison = comparing->comparison;

    *comparison = (struct comparison){
        .elements = problem->elements,
        .imprecise_only = has_bound,
        .within_bound = has_bound,
        .uses_old_output = uses_old_output(problem, &changes),
        .bound_units = comparing->rules.units,
        .worst_units = changes.worst_units,
    };
    comparing->trusts_poison = !comparison->uses_old_output &&
                               (!is_small(operand) || changes.wrong_poison * CHANCE > wrong);
    if (out_states != NULL && passes) {
        memset(out_states, ELEMENT_RIGHT, comparison->elements);
    }
    for (size_t i = 0; !passes && i < comparison->elements; i++) {
        struct element element = element_at(comparing, i);
        bool right = element_is_right(&element, &comparing->rules);
        if (!right) {
            note_wrong(comparing, i, &element);
        }
        if (out_states != NULL) {
            out_states[i] = right ? ELEMENT_RIGHT : state_of_wrong(comparing, i, &element);
        }
    }
}

/* True if the type of the output holds every expected value. */
static bool is_representable(const struct comparing *comparing)
{
    for (size_t i = 0; i < comparing->of.counting; i++) {
        double expected = comparing->of.results.expected[i];
        if (element_rounded(comparing->rules.type, expected) != expected) {
            return false;
        }
    }
    return true;
}

/* How many elements of an output count. */
static size_t counting_elements(const struct problem *problem, const struct oracle *oracle)
{
    const struct rubric_operand *operand = operand_of(problem);
    const size_t elements = problem->elements / operand_lanes(operand);
    double count = 0.0;

    if (!operand->is_counted) {
        return problem->elements;
    }
    const struct rubric_operand *counter = &problem->launch->operands[operand->counter];
    if (counter->compare.kind == COMPARE_CHECK) {
        count = element_value(counter->type, problem->sample->after[operand->counter], 0);
    } else {
        struct oracle_results results =
            oracle_expect_output(oracle, problem->launch, &problem->posed, operand->counter);
        count = results.expected[0];
        oracle_results_free(&results);
    }
    return count >= (double)elements ? problem->elements
           : count > 0               ? (size_t)count * operand_lanes(operand)
                                     : 0;
}

/* Which of the outputs an operand is. */
static size_t output_index(const struct problem *problem, size_t operand)
{
    size_t index = 0;

    for (size_t i = 0; i < operand; i++) {
        index += operand_is_result(&problem->launch->operands[i]) ? 1 : 0;
    }
    return index;
}

static void *zeros(size_t count, size_t bytes)
{
    void *array = calloc(count + 1, bytes);

    if (array == NULL) {
        abort();
    }
    return array;
}

/* Asks the oracle for all that the rules need. */
static void ask_oracle(struct comparing *comparing, const struct oracle *oracle)
{
    const struct problem *problem = comparing->problem;
    struct expectation *of = &comparing->of;

    of->results = oracle_expect_output(oracle, problem->launch, &problem->posed, problem->output);
    if (comparing->rules.rule == RULE_IN_ORDER && oracle->expect_all == NULL) {
        of->in_order = oracle_in_order(oracle, &problem->posed.oracle);
    }
    if (comparing->rules.compare->has_share) {
        of->doubtful = zeros(problem->elements, 1);
        oracle_doubtful(oracle, &problem->posed, output_index(problem, problem->output),
                        of->doubtful);
    }
    of->counting = counting_elements(problem, oracle);
}

/* The operand that an objection is counted for: the one that it is about, if the oracle judges it;
 * else the first that it judges. */
static size_t objected_operand(const struct problem *problem, size_t output)
{
    const struct rubric_launch *launch = problem->launch;
    size_t first = launch->operand_count;

    for (size_t i = launch->operand_count; i-- > 0;) {
        if (!operand_is_result(&launch->operands[i]) ||
            launch->operands[i].compare.kind != COMPARE_CHECK) {
            continue;
        }
        if (output_index(problem, i) == output) {
            return i;
        }
        first = i;
    }
    return first;
}

/* Lets the oracle judge. */
static void compare_by_check(const struct problem *problem, const struct oracle *oracle,
                             uint8_t *out_states, struct comparison *out_comparison)
{
    const struct rubric_operand *operand = operand_of(problem);
    const void *outputs[RUBRIC_OPERANDS_MAX] = {NULL};
    struct comparison comparison = {.elements = problem->elements};
    struct oracle_objection objection;

    for (size_t i = 0; i < problem->launch->operand_count; i++) {
        if (operand_is_result(&problem->launch->operands[i])) {
            outputs[output_index(problem, i)] = problem->sample->after[i];
        }
    }
    if (out_states != NULL) {
        memset(out_states, ELEMENT_RIGHT, problem->elements);
    }
    if (!oracle_check(oracle, &problem->posed, outputs, &objection) &&
        objected_operand(problem, objection.output) == problem->output) {
        bool is_here = output_index(problem, problem->output) == objection.output;
        comparison.wrong = 1;
        comparison.first_wrong = is_here ? objection.element : 0;
        comparison.got = element_value(operand->type, problem->sample->after[problem->output],
                                       comparison.first_wrong);
        snprintf(comparison.objection, sizeof comparison.objection, "%s", objection.sentence);
        if (out_states != NULL) {
            out_states[comparison.first_wrong] = ELEMENT_WRONG;
        }
    }
    *out_comparison = comparison;
}

/* Fills what is expected [elements] and the states if there is room. */
static bool compare_all(const struct problem *problem, const struct oracle *oracle,
                        double *out_expected, int64_t *out_integers, uint8_t *out_states,
                        struct comparison *out_comparison)
{
    struct comparing comparing = {
        .problem = problem, .rules = rules_find(problem), .comparison = out_comparison};

    if (operand_of(problem)->compare.kind == COMPARE_CHECK) {
        compare_by_check(problem, oracle, out_states, out_comparison);
        return true;
    }
    if (comparing.rules.rule == RULE_IN_ORDER && oracle->expect_in_order == NULL &&
        oracle->expect_all == NULL) {
        return false;
    }
    ask_oracle(&comparing, oracle);
    if (comparing.rules.compare->kind == COMPARE_BOUND && comparing.rules.rule == RULE_EQUAL &&
        !is_representable(&comparing)) {
        comparing.rules.rule = RULE_BOUND;
    }
    compare_with(&comparing, out_states);
    if (out_expected != NULL) {
        memcpy(out_expected, comparing.of.results.expected,
               problem->elements * sizeof *out_expected);
    }
    if (out_integers != NULL && comparing.of.results.integers != NULL) {
        memcpy(out_integers, comparing.of.results.integers,
               problem->elements * sizeof *out_integers);
    }
    oracle_results_free(&comparing.of.results);
    oracle_array_free(comparing.of.in_order);
    free(comparing.of.doubtful);
    return true;
}

bool compare_sample(const struct problem *problem, const struct oracle *oracle,
                    struct comparison *out_comparison)
{
    return compare_all(problem, oracle, NULL, NULL, NULL, out_comparison);
}

bool compare_elements(const struct problem *problem, const struct oracle *oracle,
                      double *out_expected, int64_t *out_integers, uint8_t *out_states)
{
    struct comparison comparison;

    return compare_all(problem, oracle, out_expected, out_integers, out_states, &comparison);
}

bool output_agrees(const struct problem *problem, const struct oracle *oracle, const double *values)
{
    const enum element_type type = operand_of(problem)->type;
    const void *after = problem->sample->after[problem->output];
    struct rules rules = rules_find(problem);
    struct oracle_results right = {.magnitudes = NULL};
    double free_elements = 0.0;
    size_t vague = 0; /* elements that are as near to 0 as to what the mistake yields */

    if (rules.rule != RULE_WITHIN) {
        rules.rule = RULE_EQUAL;
    } else if (rules.compare->of_magnitude > 0) {
        right = oracle_expect_output(oracle, problem->launch, &problem->posed, problem->output);
    }
    if (rules.compare->has_share) {
        free_elements = fmax(1.0, rules.compare->share * (double)problem->elements);
    }
    for (size_t i = 0; i < problem->elements && free_elements >= 0.0; i++) {
        struct element element = {.got = element_value(type, after, i), .expected = values[i]};
        element.got_integer = element_is_wide(type) ? element_integer(type, after, i) : 0;
        element.expected_integer = element_is_wide(type) ? (int64_t)values[i] : 0;
        /* Where the mistake yields much more than is right, it is rounded by as much more. */
        element.magnitude =
            right.magnitudes != NULL ? fmax(right.magnitudes[i], fabs(values[i])) : 0.0;
        bool same = isnan(values[i]) ? is_poison(problem, i) : element_is_right(&element, &rules);
        element.got = 0.0;
        vague += rules.rule == RULE_WITHIN && values[i] != 0.0 && !isnan(values[i]) &&
                         element_is_right(&element, &rules)
                     ? 1
                     : 0;
        free_elements -= same ? 0.0 : 1.0;
    }
    oracle_results_free(&right);
    return free_elements >= 0.0 && 2 * vague <= problem->elements;
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
