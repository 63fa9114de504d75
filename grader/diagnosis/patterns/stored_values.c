/* stored_values.c: see stored_values.h. */
#include "diagnosis/patterns/stored_values.h"

#include "criteria/case_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the largest expected value: values of rounded outputs that are nearer are not told apart. */
static const double NEAR = 0.02;

/* With a share, wrong elements may be doubtful ones: 1 of so many must differ. */
enum { SHARE_LEAST = 20 };

/* An output of a sample, and what is expected of it; arrays live in an arena of its own. */
struct output_values {
    struct arena *arena;
    struct problem problem;
    size_t count;
    double *expected, *got;
    uint8_t *states;
};

static const struct rubric_operand *output_of(const struct wrong_result *results)
{
    return &results->launch->operands[results->output];
}

static bool is_exact_kind(const struct sample *sample)
{
    return sample->status == SAMPLE_DONE &&
           (sample->kind == PROBE_EXACT || sample->kind == PROBE_EXACT_SWAPPED);
}

static bool is_wrong_value(const struct output_values *values, size_t element)
{
    return values->states[element] != ELEMENT_RIGHT;
}

/* Fills the values of a sample. The caller frees the arena. */
static void values_init(const struct wrong_result *results, const struct observation *observation,
                        const struct sample *sample, struct output_values *out)
{
    const enum element_type type = output_of(results)->type;

    *out = (struct output_values){.arena = arena_new()};
    problem_init(results->input->rubric, results->launch, observation, sample, results->output,
                 &out->problem);
    out->count = out->problem.elements;
    out->expected = arena_array(out->arena, out->count + 1, sizeof *out->expected);
    out->got = arena_array(out->arena, out->count + 1, sizeof *out->got);
    out->states = arena_array(out->arena, out->count + 1, sizeof *out->states);
    compare_elements(&out->problem, results->input->oracle, out->expected, NULL, out->states);
    for (size_t i = 0; i < out->count; i++) {
        out->got[i] = element_value(type, sample->after[results->output], i);
    }
}

static int compare_numbers(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;

    return (a > b) - (a < b);
}

/* True if a sample's elements are stored once each, by kernels. */
static bool is_stored_once(const struct wrong_result *results, const struct sample *sample,
                           size_t elements)
{
    const struct launch_counts *counts = &sample->counts;
    const struct access_sum *sums = counts->operands[results->output];

    return counts->is_counted && !sample->call.is_unknown[results->output] &&
           sums[COUNT_ATOMIC].bytes == 0 && sample->call.copied_to[results->output] == 0 &&
           sums[COUNT_WRITE].bytes == elements * element_bytes(output_of(results)->type);
}

/* True if atomics alone change a sample's elements, which are integers. */
static bool is_added_up(const struct wrong_result *results, const struct sample *sample)
{
    const struct launch_counts *counts = &sample->counts;
    const struct access_sum *sums = counts->operands[results->output];

    return counts->is_counted && !element_is_float(output_of(results)->type) &&
           sums[COUNT_ATOMIC].bytes > 0 && sums[COUNT_WRITE].bytes == 0;
}

static bool all_are_numbers(const struct output_values *values)
{
    for (size_t i = 0; i < values->count; i++) {
        if (values->states[i] == ELEMENT_UNWRITTEN || !isfinite(values->got[i]) ||
            !isfinite(values->expected[i])) {
            return false;
        }
    }
    return values->count > 0;
}

/* True if the values are not those that are expected, in any order. */
static bool differ_in_any_order(const struct wrong_result *results, struct output_values *values)
{
    const struct compare_rule *rule = &output_of(results)->compare;
    const bool is_exact =
        rule->kind != COMPARE_WITHIN && !rule->has_share && is_exact_kind(values->problem.sample);
    const size_t least = rule->has_share ? values->count / SHARE_LEAST + 1 : 1;
    double largest = 0.0;
    size_t differing = 0;

    for (size_t i = 0; i < values->count; i++) {
        largest = fmax(largest, fabs(values->expected[i]));
    }
    qsort(values->got, values->count, sizeof *values->got, compare_numbers);
    qsort(values->expected, values->count, sizeof *values->expected, compare_numbers);
    for (size_t i = 0; i < values->count; i++) {
        const double error = fabs(values->got[i] - values->expected[i]);
        differing += error > (is_exact ? 0.0 : NEAR * largest) ? 1 : 0;
    }
    return differing >= least;
}

/* Sums what is there and what is expected; true if these differ. */
static bool differ_in_sum(const struct output_values *values, struct stored_facts *facts)
{
    for (size_t i = 0; i < values->count; i++) {
        facts->got += values->got[i];
        facts->expected += values->expected[i];
    }
    return facts->got != facts->expected && fabs(facts->got) < 0x1p53 &&
           fabs(facts->expected) < 0x1p53;
}

static bool has_inputs(const struct rubric_launch *launch)
{
    for (size_t i = 0; i < launch->operand_count; i++) {
        if (operand_has_values(&launch->operands[i])) {
            return true;
        }
    }
    return false;
}

/* True if a sample can show that values are wrong. */
static bool may_show(const struct wrong_result *results, const struct counterexample *shown)
{
    const struct rubric_operand *output = output_of(results);

    return results->kind == WRONG_VALUES && shown->observation != NULL &&
           !observation_is_hidden(results->input, shown->observation) &&
           output->compare.kind != COMPARE_CHECK && !output->is_counted &&
           !operand_has_values(output) && shown->sample->kind != PROBE_REORDERED &&
           shown->sample->kind != PROBE_AGAIN;
}

struct stored_facts stored_values_find(const struct wrong_result *results)
{
    const struct counterexample *shown =
        results->exact.observation != NULL ? &results->exact : &results->any;
    struct stored_facts facts = {.kind = STORED_ANYHOW};
    struct output_values values;

    if (!may_show(results, shown)) {
        return facts;
    }
    values_init(results, shown->observation, shown->sample, &values);
    facts.count = values.count;
    if (!all_are_numbers(&values)) {
        facts.kind = STORED_ANYHOW;
    } else if (is_added_up(results, shown->sample)) {
        const bool is_certain = !output_of(results)->compare.has_share && values.count > 1;
        facts.kind = is_certain && differ_in_sum(&values, &facts) ? STORED_ADDED : STORED_ANYHOW;
    } else if (is_stored_once(results, shown->sample, values.count) &&
               differ_in_any_order(results, &values)) {
        facts.kind = has_inputs(results->launch) ? STORED_WRONG : STORED_WRONG_ALONE;
    }
    arena_free(values.arena);
    return facts;
}

unsigned wrong_lanes_find(const struct wrong_result *results)
{
    const size_t lanes = operand_lanes(output_of(results));
    unsigned wrong = 0;

    if (lanes < 2 || output_of(results)->compare.kind == COMPARE_CHECK) {
        return 0;
    }
    for (size_t i = 0; i < results->run->observation_count; i++) {
        const struct observation *observation = &results->run->observations[i];
        for (size_t j = 0; j < observation->sample_count; j++) {
            const struct sample *sample = &observation->samples[j];
            struct output_values values;
            if (observation_is_hidden(results->input, observation) ||
                sample->status != SAMPLE_DONE) {
                continue;
            }
            values_init(results, observation, sample, &values);
            for (size_t k = 0; k < values.count; k++) {
                wrong |= is_wrong_value(&values, k) ? 1u << k % lanes : 0u;
            }
            arena_free(values.arena);
        }
    }
    return wrong == (1u << lanes) - 1u ? 0 : wrong;
}

/* True if some sample of an observation that is not repeated has a wrong element. */
static bool is_wrong_shape(const struct wrong_result *results,
                           const struct observation *observation, bool *out_is_known)
{
    bool is_wrong = false;

    *out_is_known = false;
    for (size_t i = 0; i < observation->sample_count && !is_wrong; i++) {
        const struct sample *sample = &observation->samples[i];
        struct problem problem;
        struct comparison comparison;
        if (sample->status != SAMPLE_DONE) {
            continue;
        }
        problem_init(results->input->rubric, results->launch, observation, sample, results->output,
                     &problem);
        *out_is_known = compare_sample(&problem, results->input->oracle, &comparison);
        is_wrong = *out_is_known && comparison.wrong > 0;
    }
    return is_wrong;
}

uint64_t right_launches_find(const struct wrong_result *results)
{
    uint64_t most_right = 0;
    uint64_t least_wrong = UINT64_MAX;
    size_t right = 0;
    size_t wrong = 0;

    for (size_t i = 0; i < results->run->observation_count; i++) {
        const struct observation *observation = &results->run->observations[i];
        bool is_known = false;
        if (results->launch->call == NULL || call_is_program(results->launch->call) ||
            observation_is_hidden(results->input, observation)) {
            continue;
        }
        const bool is_wrong = is_wrong_shape(results, observation, &is_known);
        for (size_t j = 0; j < observation->sample_count && is_known; j++) {
            const uint64_t launches = observation->samples[j].call.launches;
            if (is_wrong) {
                least_wrong = launches < least_wrong ? launches : least_wrong;
            } else {
                most_right = launches > most_right ? launches : most_right;
            }
        }
        right += is_known && !is_wrong ? 1 : 0;
        wrong += is_known && is_wrong ? 1 : 0;
    }
    return right >= 2 && wrong >= 2 && most_right >= 2 && most_right < least_wrong ? most_right : 0;
}

/* Values that elements do not have ***************************************************************/

/* True if a kernel has changed an element. */
static bool is_written(const struct output_values *values, size_t element)
{
    const struct sample *sample = values->problem.sample;
    const size_t output = values->problem.output;
    const size_t bytes = element_bytes(values->problem.launch->operands[output].type);

    return memcmp((const char *)sample->before[output] + element * bytes,
                  (const char *)sample->after[output] + element * bytes, bytes) != 0;
}

/* True if the value at an element is none that is expected there. */
static bool is_elsewhere(const struct output_values *values, size_t element)
{
    return is_written(values, element) &&
           (is_wrong_value(values, element) || values->got[element] != values->expected[element]);
}

/* True if each value that a wrong element should have is at another place, as often. Adds how many
 * different ones there are to *distinct. */
static bool are_all_elsewhere(const struct output_values *values, size_t *distinct)
{
    double *wanted = arena_array(values->arena, values->count + 1, sizeof *wanted);
    double *found = arena_array(values->arena, values->count + 1, sizeof *found);
    size_t wanted_count = 0;
    size_t found_count = 0;
    size_t at = 0;

    for (size_t i = 0; i < values->count; i++) {
        if (is_wrong_value(values, i)) {
            wanted[wanted_count++] = values->expected[i];
        }
        if (is_elsewhere(values, i) && isfinite(values->got[i])) {
            found[found_count++] = values->got[i];
        }
    }
    qsort(wanted, wanted_count, sizeof *wanted, compare_numbers);
    qsort(found, found_count, sizeof *found, compare_numbers);
    for (size_t i = 0; i < wanted_count; i++, at++) {
        while (at < found_count && found[at] < wanted[i]) {
            at++;
        }
        if (at == found_count || found[at] != wanted[i]) {
            return false;
        }
        *distinct += i == 0 || wanted[i] != wanted[i - 1] ? 1 : 0;
    }
    return true;
}

/* True if all written elements are those of an input at the same index. */
static bool is_copy_of(const struct output_values *values, const struct wrong_result *results,
                       size_t input)
{
    const struct rubric_operand *operand = &results->launch->operands[input];
    const struct observation *observation = values->problem.observation;

    if (input == results->output || operand->type != output_of(results)->type ||
        !operand_has_values(operand) ||
        observation->element_counts[input] != observation->element_counts[results->output]) {
        return false;
    }
    for (size_t i = 0; i < values->count; i++) {
        if (is_written(values, i) &&
            values->got[i] !=
                element_value(operand->type, values->problem.sample->before[input], i)) {
            return false;
        }
    }
    return true;
}

/* The first wrong element whose value stands at one other place alone. */
static bool find_example(const struct output_values *values, struct misplaced_value *out)
{
    for (size_t i = 0; i < values->count; i++) {
        if (!is_wrong_value(values, i)) {
            continue;
        }
        size_t places = 0;
        for (size_t j = 0; j < values->count && places < 2; j++) {
            if (is_elsewhere(values, j) && values->got[j] == values->expected[i]) {
                out->found_at = j;
                places++;
            }
        }
        if (places == 1) {
            out->element = i;
            out->observation = values->problem.observation;
            return true;
        }
        return false; /* the report names the first wrong element, or none */
    }
    return false;
}

bool misplaced_values_find(const struct wrong_result *results, struct misplaced_value *out_value)
{
    enum { DISTINCT_LEAST = 4 };
    const struct counterexample *shown = &results->unwritten;
    size_t distinct = 0;
    bool holds = shown->observation != NULL &&
                 !observation_is_hidden(results->input, shown->observation) &&
                 output_of(results)->compare.kind != COMPARE_CHECK &&
                 !operand_has_values(output_of(results));

    *out_value = (struct misplaced_value){.is_as_input = true, .input = SIZE_MAX};
    for (size_t i = 0; i < results->run->observation_count && holds; i++) {
        const struct observation *observation = &results->run->observations[i];
        for (size_t j = 0; j < observation->sample_count && holds; j++) {
            const struct sample *sample = &observation->samples[j];
            struct output_values values;
            if (!is_exact_kind(sample) || observation_is_hidden(results->input, observation)) {
                continue;
            }
            values_init(results, observation, sample, &values);
            holds = are_all_elsewhere(&values, &distinct);
            for (size_t k = 0;
                 k < results->launch->operand_count && out_value->input == SIZE_MAX && holds; k++) {
                out_value->input = is_copy_of(&values, results, k) ? k : SIZE_MAX;
            }
            out_value->is_as_input = out_value->is_as_input && out_value->input != SIZE_MAX &&
                                     is_copy_of(&values, results, out_value->input);
            if (sample == shown->sample && holds) {
                holds = find_example(&values, out_value);
            }
            arena_free(values.arena);
        }
    }
    return holds && distinct >= DISTINCT_LEAST && out_value->observation != NULL;
}
