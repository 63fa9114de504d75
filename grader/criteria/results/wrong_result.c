/* wrong_result.c: see wrong_result.h.
 *
 * What is kept is the smallest wrong case, since a student can work that one out by hand; what is
 * drawn is the smallest one that has right and wrong elements in several tiles.
 */
#include "criteria/results/wrong_result.h"

#include "base/device_window.h"
#include "criteria/case_text.h"
#include "criteria/outcome.h"
#include "criteria/plain_case.h"
#include "criteria/results/named_mistake.h"

#include <math.h>
#include <string.h>

/* True if a counterexample may be shown and the other may not, or else if its case is plainer. */
static bool is_better(const struct wrong_result *results, const struct counterexample *seen,
                      const struct counterexample *kept)
{
    if (kept->observation == NULL) {
        return true;
    }
    bool is_hidden = observation_is_hidden(results->input, seen->observation);
    if (is_hidden != observation_is_hidden(results->input, kept->observation)) {
        return !is_hidden;
    }
    return case_is_plainer(results->input->rubric, seen->observation, kept->observation);
}

static void counterexample_note(const struct wrong_result *results, struct counterexample *kept,
                                const struct counterexample *seen)
{
    if (is_better(results, seen, kept)) {
        *kept = *seen;
    }
}

/* How much a map shows: right and wrong elements, several tiles, exact values. */
static int worth_drawing(const struct counterexample *counterexample)
{
    bool is_mixed = counterexample->comparison.wrong < counterexample->comparison.elements;
    size_t tile = (size_t)(counterexample->observation->block * counterexample->observation->block);
    enum probe_kind kind = counterexample->sample->kind;

    return (kind == PROBE_EXACT || kind == PROBE_EXACT_SWAPPED ? 4 : 0) + (is_mixed ? 2 : 0) +
           (counterexample->comparison.elements > tile ? 1 : 0);
}

static void note_drawn(struct wrong_result *results, const struct counterexample *seen)
{
    struct counterexample *kept = &results->drawn;

    if (observation_is_hidden(results->input, seen->observation)) {
        return;
    }
    int gain = kept->observation == NULL ? 1 : worth_drawing(seen) - worth_drawing(kept);
    if (gain > 0 || (gain == 0 && is_better(results, seen, kept))) {
        *kept = *seen;
    }
}

static void note_wrong_sample(struct wrong_result *results, const struct counterexample *seen)
{
    enum probe_kind kind = seen->sample->kind;
    struct counterexample *of_kind = kind == PROBE_AGAIN       ? &results->again
                                     : kind == PROBE_REORDERED ? &results->reordered
                                     : kind == PROBE_FLOAT     ? &results->rounded
                                                               : &results->exact;

    note_drawn(results, seen);
    counterexample_note(results, &results->any, seen);
    if (results->launch->call != NULL && seen->sample->call.launches == 0) {
        counterexample_note(results, &results->idle, seen);
    }
    results->works_wrong = results->works_wrong || seen->sample->call.launches > 0;
    counterexample_note(results, of_kind, seen);
    if (seen->comparison.uses_old_output) {
        counterexample_note(results, &results->old_output, seen);
    }
    if (seen->comparison.unwritten > 0) {
        counterexample_note(results, &results->unwritten, seen);
    }
    if (seen->comparison.not_finite > 0) {
        counterexample_note(results, &results->not_finite, seen);
    }
    results->imprecise_only = results->imprecise_only && seen->comparison.imprecise_only;
    results->within_bound = results->within_bound && seen->comparison.within_bound;
}

/* True if elements that look unwritten may have been stored: by an atomic, or because kernels have
 * read the output and stored as much as it holds. What is added to no number stays what it was: the
 * poison. */
static bool may_be_added_to(const struct wrong_result *results,
                            const struct observation *observation, const struct sample *sample)
{
    const struct access_sum *sums = sample->counts.operands[results->output];
    const enum element_type type = results->launch->operands[results->output].type;
    const uint64_t bytes = observation->element_counts[results->output] * element_bytes(type);

    return sample->counts.is_counted &&
           (sums[COUNT_ATOMIC].lanes > 0 || (element_is_float(type) && sums[COUNT_READ].bytes > 0 &&
                                             sums[COUNT_WRITE].bytes >= bytes));
}

/* Compares one sample; true if it is right. */
static bool review_sample(struct wrong_result *results, const struct observation *observation,
                          const struct sample *sample)
{
    struct counterexample seen = {.observation = observation, .sample = sample};
    struct problem problem;
    size_t element = 0;

    problem_init(results->input->rubric, results->launch, observation, sample, results->output,
                 &problem);
    compare_sample(&problem, results->input->oracle, &seen.comparison);
    if (seen.comparison.unwritten > 0 && may_be_added_to(results, observation, sample)) {
        seen.comparison.uses_old_output = true;
    }
    size_t operand = changed_input(results->launch, observation, sample, &element);
    bool changed = operand < results->launch->operand_count;
    bool wrong = seen.comparison.wrong > 0;
    if (changed && is_better(results, &seen, &results->changed)) {
        results->changed = seen;
        results->changed_operand = operand;
        results->changed_element = element;
    }
    if (wrong) {
        note_wrong_sample(results, &seen);
    }
    if (sample->kind == PROBE_EXACT || sample->kind == PROBE_EXACT_SWAPPED) {
        results->probes[results->probe_count++] = (struct exact_probe){observation, sample, wrong};
    }
    if (sample->kind == PROBE_FLOAT && seen.comparison.worst_units > results->worst_units) {
        results->worst_units = seen.comparison.worst_units;
    }
    return !wrong && !changed;
}

static void review_samples(struct wrong_result *results)
{
    size_t count = 0;

    for (size_t i = 0; i < results->run->observation_count; i++) {
        count += results->run->observations[i].sample_count;
    }
    results->probes = arena_array(results->arena, count, sizeof *results->probes);
    for (size_t i = 0; i < results->run->observation_count; i++) {
        const struct observation *observation = &results->run->observations[i];
        bool right = true;
        size_t working = 0;
        for (size_t j = 0; j < observation->sample_count; j++) {
            working += observation->samples[j].call.launches > 0 ? 1 : 0;
            right = review_sample(results, observation, &observation->samples[j]) && right;
        }
        results->samples += observation->sample_count;
        results->shapes += observation->sample_count > 0 ? 1 : 0;
        results->wrong_shapes += right ? 0 : 1;
        results->working_shapes += working > 0 ? 1 : 0;
        results->works_by_turns |= working > 0 && working < observation->sample_count;
    }
}

static const struct rubric_operand *output_of(const struct wrong_result *results)
{
    return &results->launch->operands[results->output];
}

static const char *counterexample_shape(const struct wrong_result *results,
                                        const struct counterexample *counterexample)
{
    return shape_text(results->input, results->arena, results->launch, counterexample->observation);
}

static const char *counterexample_element(const struct wrong_result *results,
                                          const struct counterexample *counterexample, size_t index)
{
    return element_text(results->input, results->arena, output_of(results),
                        counterexample->observation, index);
}

static void add_evidence(const struct wrong_result *results, struct verdict *verdict)
{
    const struct counterexample *first =
        results->exact.observation != NULL ? &results->exact : &results->any;
    const enum element_type type = results->launch->operands[results->output].type;

    verdict_add_integer(verdict, "shapes", (int64_t)results->shapes);
    verdict_add_integer(verdict, "shapes_right",
                        (int64_t)(results->shapes - results->wrong_shapes));
    verdict_add_integer(verdict, "probes", (int64_t)results->samples);
    verdict_add_number(verdict, "worst_error_units", results->worst_units);
    if (first->observation == NULL || observation_is_hidden(results->input, first->observation)) {
        return;
    }
    const struct comparison *comparison = &first->comparison;
    verdict_add_text(verdict, "first_wrong_probe", probe_name(first->sample->kind));
    verdict_add_text(verdict, "first_wrong_shape", counterexample_shape(results, first));
    verdict_add_text(verdict, "first_wrong_element",
                     counterexample_element(results, first, comparison->first_wrong));
    if (comparison->objection[0] == '\0') {
        verdict_add_text(
            verdict, "expected",
            number_text(results->arena, type, comparison->expected, comparison->expected_integer));
    }
    verdict_add_text(verdict, "got",
                     number_text(results->arena, type, comparison->got, comparison->got_integer));
    verdict_add_integer(verdict, "wrong_elements", (int64_t)comparison->wrong);
    verdict_add_integer(verdict, "elements", (int64_t)comparison->elements);
}

/* True if calls that launch nothing are wrong for want of what another call has launched. Where
 * calls of some shapes launch nothing and all calls of others work, the shape decides. */
static bool is_idle_later(const struct wrong_result *results)
{
    return results->idle.observation != NULL && !results->works_wrong &&
           (results->works_by_turns || results->working_shapes == 1);
}

/* The first question whose answer is yes says what went wrong, as each explains the next. */
static enum wrong_kind kind_of(const struct wrong_result *results)
{
    bool is_exact = results->exact.observation != NULL;

    if (results->changed.observation != NULL) {
        return WRONG_INPUT;
    }
    if (results->any.comparison.objection[0] != '\0') {
        return WRONG_BY_CHECK;
    }
    if (!is_exact && results->rounded.observation == NULL) {
        return results->again.observation != NULL ? WRONG_SECOND_LAUNCH : WRONG_BLOCK_ORDER;
    }
    if (is_idle_later(results)) {
        return WRONG_SECOND_LAUNCH;
    }
    if (results->mistake != NULL) {
        return WRONG_BY_MISTAKE;
    }
    if (results->old_output.observation != NULL) {
        return WRONG_OLD_OUTPUT;
    }
    if (results->unwritten.observation != NULL) {
        return WRONG_UNWRITTEN;
    }
    if (results->not_finite.observation != NULL) {
        return WRONG_NOT_FINITE;
    }
    return results->within_bound || results->imprecise_only ? WRONG_ROUNDING : WRONG_VALUES;
}

enum arithmetic wrong_result_arithmetic(const struct wrong_result *results)
{
    switch (output_of(results)->compare.kind) {
    case COMPARE_EXACT:
        return ARITHMETIC_EXACT;
    case COMPARE_BOUND:
        return ARITHMETIC_EPSILON;
    case COMPARE_AS_USUAL:
    case COMPARE_WITHIN:
    case COMPARE_CHECK:
        break;
    }
    return results->input->rubric->arithmetic;
}

static enum code code_of(const struct wrong_result *results)
{
    static const enum code codes[] = {
        [WRONG_INPUT] = CODE_INPUT_CHANGED,     [WRONG_SECOND_LAUNCH] = CODE_STATE_KEPT,
        [WRONG_BLOCK_ORDER] = CODE_BLOCK_ORDER, [WRONG_BY_MISTAKE] = CODE_NAMED_MISTAKE,
        [WRONG_OLD_OUTPUT] = CODE_MISMATCH,     [WRONG_UNWRITTEN] = CODE_NOT_WRITTEN,
        [WRONG_NOT_FINITE] = CODE_NOT_A_NUMBER, [WRONG_ROUNDING] = CODE_REDUCED_PRECISION,
        [WRONG_VALUES] = CODE_MISMATCH,         [WRONG_BY_CHECK] = CODE_MISMATCH,
    };
    enum arithmetic arithmetic = wrong_result_arithmetic(results);

    if (results->kind == WRONG_ROUNDING && results->within_bound &&
        (arithmetic == ARITHMETIC_EXACT || arithmetic == ARITHMETIC_NO_FMAD)) {
        return CODE_NOT_BIT_EXACT;
    }
    return codes[results->kind];
}

/* The outputs of a launch, counters first; returns how many. */
static size_t outputs_in_order(const struct rubric_launch *launch,
                               size_t out_operands[RUBRIC_OPERANDS_MAX])
{
    bool is_counter[RUBRIC_OPERANDS_MAX] = {false};
    size_t count = 0;

    for (size_t i = 0; i < launch->operand_count; i++) {
        if (launch->operands[i].is_counted) {
            is_counter[launch->operands[i].counter] = true;
        }
    }
    for (int counters = 1; counters >= 0; counters--) {
        for (size_t i = 0; i < launch->operand_count; i++) {
            if (operand_is_result(&launch->operands[i]) && is_counter[i] == (counters != 0)) {
                out_operands[count++] = i;
            }
        }
    }
    return count;
}

/* Compares one output; true if something is wrong. */
static bool review_output(struct wrong_result *results, const struct criteria_input *input,
                          struct arena *arena, size_t launch, size_t output)
{
    *results = (struct wrong_result){
        .input = input,
        .arena = arena,
        .launch_index = launch,
        .launch = &input->rubric->launches[launch],
        .run = &input->evidence->launch_runs[launch],
        .output = output,
        .imprecise_only = true,
        .within_bound = true,
    };
    review_samples(results);
    return results->any.observation != NULL || results->changed.observation != NULL;
}

bool find_wrong_result(const struct criteria_input *input, struct arena *arena, size_t launch,
                       struct verdict *verdict, struct cause *out_cause, const char **out_summary)
{
    struct wrong_result *results = arena_alloc(arena, sizeof *results);
    const struct rubric_launch *of = &input->rubric->launches[launch];
    size_t outputs[RUBRIC_OPERANDS_MAX];
    size_t count = outputs_in_order(of, outputs);
    bool is_wrong = false;

    for (size_t i = 0; i < count && !is_wrong; i++) {
        is_wrong = review_output(results, input, arena, launch, outputs[i]);
    }
    add_evidence(results, verdict);
    if (!is_wrong) {
        return false;
    }
    if (results->exact.observation != NULL && results->changed.observation == NULL &&
        results->output == output_operand(of)) {
        results->mistake = find_named_mistake(input->rubric, input->oracle, results->launch,
                                              results->probes, results->probe_count);
    }
    if (results->mistake != NULL) {
        verdict_add_text(verdict, "mistake", results->mistake->name);
    }
    results->kind = kind_of(results);
    *out_cause = cause_make(code_of(results), code_title(code_of(results)));
    out_cause->subject = (struct subject){
        .kind = SUBJECT_RESULT, .program = results->launch->program, .result = results};
    *out_summary =
        arena_printf(arena, "wrong in %zu of %zu shapes", results->wrong_shapes, results->shapes);
    return true;
}

bool output_is_copied(const struct sample *sample, size_t output)
{
    const struct access_sum *sums = sample->counts.operands[output];

    return sample->counts.is_counted && sample->call.copy_places[output] != NULL &&
           sums[COUNT_WRITE].bytes + sums[COUNT_ATOMIC].bytes == 0;
}

bool output_is_set_last(const struct wrong_result *results)
{
    const struct counterexample *shown = &results->any;
    const struct sample *sample = shown->sample;
    const size_t output = results->output;
    struct problem problem;

    if (sample == NULL || sample->call.launches == 0 || !sample->call.is_last_set[output] ||
        sample->call.copy_launches[output] < sample->call.launches) {
        return false;
    }
    problem_init(results->input->rubric, results->launch, shown->observation, sample, output,
                 &problem);
    const size_t bytes = element_bytes(results->launch->operands[output].type);
    const uint8_t *after = sample->after[output];
    double *expected = arena_array(results->arena, problem.elements + 1, sizeof *expected);
    uint8_t *states = arena_array(results->arena, problem.elements + 1, sizeof *states);
    const uint8_t *byte = NULL;
    compare_elements(&problem, results->input->oracle, expected, NULL, states);
    for (size_t i = 0; i < problem.elements; i++) {
        for (size_t j = 0; j < bytes && states[i] != ELEMENT_RIGHT; j++) {
            byte = byte != NULL ? byte : after + i * bytes;
            if (after[i * bytes + j] != *byte) {
                return false;
            }
        }
    }
    return byte != NULL;
}

bool wrong_result_is_undefined(const struct wrong_result *results)
{
    const struct counterexample *shown = &results->not_finite;
    const size_t bytes = element_bytes(results->launch->operands[results->output].type);
    const uint16_t half = DEVICE_UNDEFINED_HALF;

    if (results->kind != WRONG_NOT_FINITE) {
        return false;
    }
    const uint8_t *value = (const uint8_t *)shown->sample->after[results->output] +
                           shown->comparison.first_not_finite * bytes;
    for (size_t i = 0; i + sizeof half <= bytes; i += sizeof half) {
        if (memcmp(value + i, &half, sizeof half) != 0) {
            return false;
        }
    }
    return true;
}
