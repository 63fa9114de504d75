/* wrong_result.c: see wrong_result.h.
 *
 * What is told of is the smallest wrong case, since a student can work that one out by hand; what
 * is drawn is the smallest one that has right and wrong elements in several tiles.
 */
#include "criteria/wrong_result.h"

#include "criteria/case_text.h"
#include "criteria/difference_text.h"
#include "criteria/element_maps.h"
#include "criteria/kernel_name.h"
#include "criteria/named_mistake.h"
#include "criteria/outcome.h"
#include "criteria/plain_case.h"
#include "criteria/result_pattern.h"

#include <math.h>
#include <string.h>

/* A sample that shows something; no observation: none was seen. */
struct counterexample {
    const struct observation *observation;
    const struct sample *sample;
    struct comparison comparison;
};

/* Everything that the samples of one launch showed. */
struct results {
    const struct criteria_input *input;
    struct arena *arena;
    size_t launch_index;
    const struct rubric_launch *launch;
    const struct launch_run *run;
    size_t shapes, wrong_shapes, samples;
    double worst_units; /* over the float probes */
    struct counterexample changed;
    size_t changed_operand, changed_element;
    struct counterexample any, old_output, unwritten, not_finite, exact, again, rounded;
    struct counterexample drawn;       /* exact if there is one */
    bool imprecise_only, within_bound; /* hold for all wrong samples */
    struct exact_probe *probes;        /* [probe_count] */
    size_t probe_count;
};

/* True if a counterexample may be shown and the other may not, or else if its case is plainer. */
static bool is_better(const struct results *results, const struct counterexample *seen,
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

static void counterexample_note(const struct results *results, struct counterexample *kept,
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

static void note_drawn(struct results *results, const struct counterexample *seen)
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

static void note_wrong_sample(struct results *results, const struct counterexample *seen)
{
    enum probe_kind kind = seen->sample->kind;
    struct counterexample *of_kind = kind == PROBE_AGAIN   ? &results->again
                                     : kind == PROBE_FLOAT ? &results->rounded
                                                           : &results->exact;

    note_drawn(results, seen);
    counterexample_note(results, &results->any, seen);
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

/* Compares one sample; true if it is right. */
static bool review_sample(struct results *results, const struct observation *observation,
                          const struct sample *sample)
{
    struct counterexample seen = {.observation = observation, .sample = sample};
    struct problem problem;
    size_t element = 0;

    problem_init(results->launch, observation, sample, &problem);
    compare_sample(&problem, results->input->oracle, results->input->rubric->arithmetic,
                   &seen.comparison);
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

static void review_samples(struct results *results)
{
    size_t count = 0;

    for (size_t i = 0; i < results->run->observation_count; i++) {
        count += results->run->observations[i].sample_count;
    }
    results->probes = arena_array(results->arena, count, sizeof *results->probes);
    for (size_t i = 0; i < results->run->observation_count; i++) {
        const struct observation *observation = &results->run->observations[i];
        bool right = true;
        for (size_t j = 0; j < observation->sample_count; j++) {
            right = review_sample(results, observation, &observation->samples[j]) && right;
        }
        results->samples += observation->sample_count;
        results->shapes += observation->sample_count > 0 ? 1 : 0;
        results->wrong_shapes += right ? 0 : 1;
    }
}

static const struct rubric_operand *output_of(const struct results *results)
{
    return &results->launch->operands[output_operand(results->launch)];
}

static const char *counterexample_shape(const struct results *results,
                                        const struct counterexample *counterexample)
{
    return shape_text(results->input, results->arena, results->launch, counterexample->observation);
}

static const char *counterexample_element(const struct results *results,
                                          const struct counterexample *counterexample, size_t index)
{
    return element_text(results->input, results->arena, output_of(results),
                        counterexample->observation, index);
}

/* One element of a counterexample, with its error; NULL if it must not be shown. */
static const char *element_difference(const struct results *results,
                                      const struct counterexample *counterexample, size_t index)
{
    const struct observation *observation = counterexample->observation;
    struct problem problem;

    if (observation_is_hidden(results->input, observation)) {
        return NULL;
    }
    problem_init(results->launch, observation, counterexample->sample, &problem);
    size_t elements = problem.oracle.output_count;
    double *expected = arena_array(results->arena, elements + 1, sizeof *expected);
    uint8_t *states = arena_array(results->arena, elements + 1, sizeof *states);
    compare_elements(&problem, results->input->oracle, results->input->rubric->arithmetic, expected,
                     states);
    const struct wrong_element element = {
        .name = counterexample_element(results, counterexample, index),
        .type = output_of(results)->type,
        .state = (enum element_state)states[index],
        .expected = expected[index],
        .got = element_value(output_of(results)->type,
                             counterexample->sample->after[problem.output], index),
    };
    return difference_text(results->arena, &element);
}

/* How often, and for which shape: "in 8 of 8 shapes; for A 32x48, B 48x16: 128 of 1536 elements,
 * the first is C(0,3)"; NULL if it must not be shown. */
static const char *seen_text(const struct results *results,
                             const struct counterexample *counterexample, size_t elements,
                             const char *what, size_t first)
{
    if (observation_is_hidden(results->input, counterexample->observation)) {
        return NULL;
    }
    return arena_printf(
        results->arena, "in %zu of %zu shapes; for %s: %zu of %zu elements%s, the first is %s",
        results->wrong_shapes, results->shapes, counterexample_shape(results, counterexample),
        elements, counterexample->comparison.elements, what,
        counterexample_element(results, counterexample, first));
}

/* Adds what is known of a counterexample's wrong elements to a cause without explanation. */
static struct cause with_counterexample(const struct results *results,
                                        const struct counterexample *counterexample,
                                        struct cause cause)
{
    const struct comparison *comparison = &counterexample->comparison;

    cause.plain = cause.message;
    cause.difference = element_difference(results, counterexample, comparison->first_wrong);
    cause.seen = seen_text(results, counterexample, comparison->wrong, "", comparison->first_wrong);
    return cause;
}

/* "for a hidden shape", or "in 6 of 8 shapes". */
static const char *where_text(const struct results *results,
                              const struct counterexample *counterexample)
{
    if (observation_is_hidden(results->input, counterexample->observation)) {
        return "for a hidden shape";
    }
    return arena_printf(results->arena, "in %zu of %zu shapes", results->wrong_shapes,
                        results->shapes);
}

static void add_pair(const struct results *results, const struct result_pattern *pattern,
                     struct cause *cause)
{
    if (pattern->pair != NULL && cause->seen != NULL) {
        cause->seen = arena_printf(results->arena, "%s; %s", cause->seen, pattern->pair);
    }
}

/* Lets patterns explain a cause: for which shapes, then which values or which elements. */
static void explain_by(const struct results *results, const struct result_pattern *pattern,
                       bool with_values, struct cause *cause)
{
    const char *values = with_values ? pattern->values : NULL;
    const char *clause = values != NULL ? values : pattern->elements;

    if (values != NULL && pattern->is_of_wrong && pattern->elements != NULL) {
        clause = arena_printf(results->arena, "%s; %s", pattern->elements, values);
    }

    add_pair(results, pattern, cause);
    if (pattern->shapes != NULL) {
        cause->message = arena_printf(results->arena, "%s, %s", cause->message, pattern->shapes);
    }
    if (clause != NULL) {
        cause->message = arena_printf(results->arena, "%s: %s", cause->message, clause);
    }
    if (clause != NULL && pattern->hint != NULL) {
        cause->hint = pattern->hint;
    }
}

static struct cause changed_cause(const struct results *results)
{
    const struct rubric_operand *operand = &results->launch->operands[results->changed_operand];
    const struct counterexample *counterexample = &results->changed;
    const void *const *before = counterexample->sample->before;
    const void *const *after = counterexample->sample->after;
    struct cause cause = cause_make(
        CODE_INPUT_CHANGED,
        arena_printf(results->arena, "the kernel writes to its input `%s`", operand->name),
        arena_printf(results->arena, "write to %s only", output_of(results)->name));

    cause.plain = cause.message;
    if (!observation_is_hidden(results->input, counterexample->observation)) {
        size_t at = results->changed_element;
        cause.difference = arena_printf(
            results->arena, "%s changes from %s to %s",
            element_text(results->input, results->arena, operand, counterexample->observation, at),
            value_text(results->arena, operand->type,
                       element_value(operand->type, before[results->changed_operand], at)),
            value_text(results->arena, operand->type,
                       element_value(operand->type, after[results->changed_operand], at)));
        cause.seen =
            arena_printf(results->arena, "for %s", counterexample_shape(results, counterexample));
    }
    return cause;
}

static struct cause again_cause(const struct results *results)
{
    struct result_pattern pattern;
    struct cause cause = with_counterexample(
        results, &results->again,
        cause_make(CODE_STATE_KEPT, "the first launch is right, the same launch once more is not",
                   "set every sum, counter and flag at the start of the kernel: nothing may be "
                   "left over from an earlier launch"));

    result_pattern_find(results->input, results->arena, results->launch_index, 0, PROBE_AGAIN,
                        &pattern);
    if (pattern.values != NULL) {
        cause.message = arena_printf(results->arena, "%s: %s", cause.message, pattern.values);
    }
    return cause;
}

static struct cause old_output_cause(const struct results *results)
{
    const char *output = output_of(results)->name;

    return with_counterexample(
        results, &results->old_output,
        cause_make(CODE_MISMATCH,
                   arena_printf(results->arena, "`%s` uses what was in %s before the launch",
                                kernel_name(results->input, results->launch), output),
                   arena_printf(results->arena,
                                "%s is filled with other bits before each launch: store the first "
                                "value of each element with =, not with += or an atomic",
                                output)));
}

static struct cause unwritten_cause(const struct results *results)
{
    const struct counterexample *counterexample = &results->unwritten;
    const struct comparison *comparison = &counterexample->comparison;
    const char *output = output_of(results)->name;
    size_t others = comparison->wrong - comparison->unwritten;
    bool is_hidden = observation_is_hidden(results->input, counterexample->observation);
    struct result_pattern pattern;
    struct cause cause = with_counterexample(
        results, counterexample,
        cause_make(CODE_NOT_WRITTEN,
                   arena_printf(results->arena, "elements of %s are never written%s", output,
                                is_hidden ? " for a hidden shape" : ""),
                   arena_printf(results->arena,
                                "each thread stores its result in %s once: check the grid's "
                                "size, the index of the store, and conditions around it",
                                output)));

    cause.difference = element_difference(results, counterexample, comparison->first_unwritten);
    cause.seen = seen_text(
        results, counterexample, comparison->unwritten,
        others > 0 ? arena_printf(results->arena, " unwritten and %zu wrong", others) : "",
        comparison->first_unwritten);
    result_pattern_find(results->input, results->arena, results->launch_index,
                        1u << ELEMENT_UNWRITTEN, PROBE_COUNT, &pattern);
    if (pattern.elements != NULL && strcmp(pattern.elements, "in every element") == 0) {
        cause.message = arena_printf(results->arena, "`%s` writes no element of %s",
                                     kernel_name(results->input, results->launch), output);
        cause.plain = cause.message;
        pattern.elements = NULL;
    }
    explain_by(results, &pattern, false, &cause);
    return cause;
}

/* True if the kernel reads the output, as far as the device counts. */
static bool reads_output(const struct results *results, const struct counterexample *counterexample)
{
    const struct launch_counts *counts = &counterexample->sample->counts;
    const struct access_sum *sums = counts->operands[output_operand(results->launch)];

    return counts->is_counted && sums[COUNT_READ].bytes + sums[COUNT_ATOMIC].bytes > 0;
}

static struct cause not_finite_cause(const struct results *results)
{
    const struct counterexample *counterexample = &results->not_finite;
    const struct comparison *comparison = &counterexample->comparison;
    struct result_pattern pattern;
    struct cause cause = with_counterexample(
        results, counterexample,
        cause_make(CODE_NOT_A_NUMBER,
                   arena_printf(results->arena, "%s holds NaN or infinity %s",
                                output_of(results)->name, where_text(results, counterexample)),
                   "is the sum set to 0 at the start, and is every element of shared memory "
                   "written before it is read"));

    cause.difference = element_difference(results, counterexample, comparison->first_not_finite);
    cause.seen = seen_text(results, counterexample, comparison->not_finite, "",
                           comparison->first_not_finite);
    if (reads_output(results, counterexample)) {
        cause.hint = arena_printf(
            results->arena,
            "the kernel reads %s, which holds no numbers before the launch: store the first value "
            "with =, not with +=",
            output_of(results)->name);
        return cause;
    }
    result_pattern_find(results->input, results->arena, results->launch_index,
                        1u << ELEMENT_NOT_FINITE, PROBE_COUNT, &pattern);
    explain_by(results, &pattern, false, &cause);
    return cause;
}

static struct cause rounding_cause(const struct results *results,
                                   const struct counterexample *counterexample)
{
    const enum element_type type = output_of(results)->type;
    const enum arithmetic arithmetic = results->input->rubric->arithmetic;
    const char *name = element_type_text(type);
    enum code code = CODE_REDUCED_PRECISION;
    const char *hint = arena_printf(results->arena, "keep operands, products and sums in %s", name);
    const char *message;

    if (arithmetic == ARITHMETIC_EXACT) {
        code = results->within_bound ? CODE_NOT_BIT_EXACT : code;
        message = arena_printf(
            results->arena, "values come out rounded, though %s holds each result exactly", name);
        hint =
            arena_printf(results->arena, "keep values in %s on the way from input to output", name);
    } else if (results->within_bound && arithmetic == ARITHMETIC_NO_FMAD) {
        code = CODE_NOT_BIT_EXACT;
        message = "only the last bits differ";
        hint = "add the products one by one in float, k ascending, and without fma";
    } else if (results->within_bound) {
        message = arena_printf(results->arena,
                               "whole numbers that %s holds exactly come out rounded", name);
    } else {
        message = arena_printf(results->arena,
                               "less precise than %s: the error is up to %.3g times 2^-%d of "
                               "the sum of magnitudes, at most %d are allowed",
                               name, counterexample->comparison.worst_units,
                               type == ELEMENT_F64 ? 53 : 24, FLOAT_BOUND_UNITS);
    }
    return with_counterexample(results, counterexample, cause_make(code, message, hint));
}

/* What is wrong, without any explanation. */
static struct cause plain_mismatch(const struct results *results,
                                   const struct counterexample *counterexample)
{
    return with_counterexample(
        results, counterexample,
        cause_make(CODE_MISMATCH,
                   arena_printf(results->arena, "%s is wrong %s", output_of(results)->name,
                                where_text(results, counterexample)),
                   "work the first wrong element out by hand for that shape, and compare the "
                   "indices that its thread uses"));
}

/* True if no probe loads from an operand, as far as the device counts. */
static bool is_never_loaded(const struct results *results, size_t operand)
{
    const struct launch_run *run = &results->input->evidence->launch_runs[results->launch_index];

    for (size_t i = 0; i < run->observation_count; i++) {
        for (size_t j = 0; j < run->observations[i].sample_count; j++) {
            const struct launch_counts *counts = &run->observations[i].samples[j].counts;
            const struct access_sum *sums = counts->operands[operand];
            if (!counts->is_counted || sums[COUNT_READ].bytes + sums[COUNT_ATOMIC].bytes > 0) {
                return false;
            }
        }
    }
    return true;
}

/* Adds the first input that is never loaded, if there is one. */
static void explain_by_loads(const struct results *results, struct cause *cause)
{
    const struct rubric_launch *launch = results->launch;

    for (size_t i = 0; i < launch->operand_count; i++) {
        if (launch->operands[i].role == OPERAND_INPUT && is_never_loaded(results, i)) {
            cause->message = arena_printf(results->arena, "%s; `%s` never loads anything from %s",
                                          cause->message, kernel_name(results->input, launch),
                                          launch->operands[i].name);
            cause->hint = arena_printf(results->arena, "the results depend on %s, too: load it",
                                       launch->operands[i].name);
            return;
        }
    }
}

static struct cause mismatch_cause(const struct results *results,
                                   const struct counterexample *counterexample)
{
    const unsigned wrong = 1u << ELEMENT_WRONG | 1u << ELEMENT_UNWRITTEN | 1u << ELEMENT_NOT_FINITE;
    struct cause cause = plain_mismatch(results, counterexample);
    struct result_pattern pattern;

    if (!observation_is_hidden(results->input, counterexample->observation)) {
        result_pattern_find(results->input, results->arena, results->launch_index, wrong,
                            PROBE_COUNT, &pattern);
        explain_by(results, &pattern, true, &cause);
        if (pattern.values == NULL && pattern.hint == NULL) {
            explain_by_loads(results, &cause);
        }
    }
    return cause;
}

static struct cause mistake_cause(const struct results *results,
                                  const struct counterexample *counterexample,
                                  const struct oracle_mistake *mistake)
{
    struct cause cause = plain_mismatch(results, counterexample);

    cause.code = CODE_NAMED_MISTAKE;
    cause.message = mistake->message;
    cause.hint = mistake->hint;
    return cause;
}

static struct cause cause_of_results(const struct results *results, struct verdict *verdict)
{
    const struct counterexample *first =
        results->exact.observation != NULL ? &results->exact : &results->any;
    const struct oracle_mistake *mistake = NULL;

    if (results->changed.observation != NULL) {
        return changed_cause(results);
    }
    if (results->exact.observation == NULL && results->rounded.observation == NULL) {
        return again_cause(results);
    }
    if (results->exact.observation != NULL) {
        mistake = find_named_mistake(results->input->oracle, results->launch, results->probes,
                                     results->probe_count);
    }
    if (mistake != NULL) {
        verdict_add_text(verdict, "mistake", mistake->name);
        return mistake_cause(results, first, mistake);
    }
    if (results->old_output.observation != NULL) {
        return old_output_cause(results);
    }
    if (results->unwritten.observation != NULL) {
        return unwritten_cause(results);
    }
    if (results->not_finite.observation != NULL) {
        return not_finite_cause(results);
    }
    if (results->within_bound || results->imprecise_only) {
        return rounding_cause(results, first);
    }
    return mismatch_cause(results, first);
}

static void add_evidence(const struct results *results, struct verdict *verdict)
{
    const struct counterexample *first =
        results->exact.observation != NULL ? &results->exact : &results->any;
    const enum element_type type = output_of(results)->type;

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
    verdict_add_text(verdict, "expected", value_text(results->arena, type, comparison->expected));
    verdict_add_text(verdict, "got", value_text(results->arena, type, comparison->got));
    verdict_add_integer(verdict, "wrong_elements", (int64_t)comparison->wrong);
    verdict_add_integer(verdict, "elements", (int64_t)comparison->elements);
}

bool find_wrong_result(const struct criteria_input *input, struct arena *arena, size_t launch,
                       struct verdict *verdict, struct cause *out_cause, const char **out_summary)
{
    struct results results = {
        .input = input,
        .arena = arena,
        .launch_index = launch,
        .launch = &input->rubric->launches[launch],
        .run = &input->evidence->launch_runs[launch],
        .imprecise_only = true,
        .within_bound = true,
    };

    review_samples(&results);
    add_evidence(&results, verdict);
    if (results.any.observation == NULL && results.changed.observation == NULL) {
        return false;
    }
    if (results.drawn.observation != NULL) {
        verdict->map = element_map_of_sample(input, arena, launch, results.drawn.observation,
                                             results.drawn.sample);
    }
    *out_cause = cause_of_results(&results, verdict);
    *out_summary =
        arena_printf(arena, "wrong in %zu of %zu shapes", results.wrong_shapes, results.shapes);
    return true;
}
