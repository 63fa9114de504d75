/* result_explanation.c: see result_explanation.h. */
#include "diagnosis/patterns/result_explanation.h"

#include "criteria/case_text.h"
#include "criteria/kernel_name.h"
#include "criteria/outcome.h"
#include "criteria/preconditions/launch_findings.h"
#include "criteria/results/wrong_result.h"
#include "diagnosis/patterns/difference_text.h"
#include "diagnosis/patterns/element_maps.h"
#include "diagnosis/patterns/result_pattern.h"
#include "diagnosis/patterns/stored_values.h"

#include <inttypes.h>
#include <string.h>

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

/* One element of a counterexample, with its error; NULL if it must not be shown. */
static const char *element_difference(const struct wrong_result *results,
                                      const struct counterexample *counterexample, size_t index)
{
    const struct observation *observation = counterexample->observation;
    struct problem problem;

    if (observation_is_hidden(results->input, observation)) {
        return NULL;
    }
    if (counterexample->comparison.objection[0] != '\0') {
        return NULL; /* it says it all */
    }
    problem_init(results->input->rubric, results->launch, observation, counterexample->sample,
                 results->output, &problem);
    size_t elements = problem.elements;
    double *expected = arena_array(results->arena, elements + 1, sizeof *expected);
    uint8_t *states = arena_array(results->arena, elements + 1, sizeof *states);
    int64_t *integers = arena_array(results->arena, elements + 1, sizeof *integers);
    const void *after = counterexample->sample->after[problem.output];
    const enum element_type type = output_of(results)->type;
    compare_elements(&problem, results->input->oracle, expected, integers, states);
    if (results->kind == WRONG_OLD_OUTPUT && states[index] == ELEMENT_UNWRITTEN) {
        states[index] = ELEMENT_NOT_FINITE; /* it is stored, as it was */
    }
    const struct wrong_element element = {
        .name = counterexample_element(results, counterexample, index),
        .type = type,
        .state = (enum element_state)states[index],
        .expected = expected[index],
        .got = element_value(type, after, index),
        .expected_integer = integers[index],
        .got_integer = element_integer(type, after, index),
    };
    return difference_text(results->arena, &element);
}

/* How often, and for which shape: "in 8 of 8 shapes; for A 32x48, B 48x16: 128 of 1536 elements,
 * the first is C(0,3)"; NULL if it must not be shown. */
static const char *seen_text(const struct wrong_result *results,
                             const struct counterexample *counterexample, size_t elements,
                             const char *what, size_t first)
{
    if (observation_is_hidden(results->input, counterexample->observation)) {
        return NULL;
    }
    return arena_printf(
        results->arena, "in %zu of %zu shapes; for %s: %zu of %zu %s%s, the first is %s",
        results->wrong_shapes, results->shapes, counterexample_shape(results, counterexample),
        elements, counterexample->comparison.elements,
        operand_lanes(output_of(results)) > 1 ? "numbers" : "elements", what,
        counterexample_element(results, counterexample, first));
}

/* Adds what is known of a counterexample's wrong elements to a cause without explanation. */
static struct cause with_counterexample(const struct wrong_result *results,
                                        const struct counterexample *counterexample,
                                        struct cause cause)
{
    const struct comparison *comparison = &counterexample->comparison;
    const char *tolerance = tolerance_text(results->arena, output_of(results));

    cause.plain = cause.message;
    cause.difference = element_difference(results, counterexample, comparison->first_wrong);
    cause.seen = seen_text(results, counterexample, comparison->wrong, "", comparison->first_wrong);
    if (cause.seen != NULL && tolerance != NULL) {
        cause.seen = arena_printf(results->arena, "%s; each must be %s", cause.seen, tolerance);
    }
    return cause;
}

/* "for a hidden shape", or "in 6 of 8 shapes". */
static const char *where_text(const struct wrong_result *results,
                              const struct counterexample *counterexample)
{
    if (observation_is_hidden(results->input, counterexample->observation)) {
        return "for a hidden shape";
    }
    return arena_printf(results->arena, "in %zu of %zu shapes", results->wrong_shapes,
                        results->shapes);
}

static void add_sizes(const struct wrong_result *results, const struct result_pattern *pattern,
                      struct cause *cause)
{
    if (pattern->sizes != NULL && cause->seen != NULL) {
        cause->seen = arena_printf(results->arena, "%s; %s", cause->seen, pattern->sizes);
    }
}

/* Lets patterns explain a cause: for which shapes, then which values or which elements. */
static void explain_by(const struct wrong_result *results, const struct result_pattern *pattern,
                       bool with_values, struct cause *cause)
{
    const char *values = with_values ? pattern->values : NULL;
    const char *clause = values != NULL ? values : pattern->elements;

    if (values != NULL && pattern->is_of_wrong && pattern->elements != NULL) {
        clause = arena_printf(results->arena, "%s; %s", pattern->elements, values);
    }

    add_sizes(results, pattern, cause);
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

static struct cause cause_worded(enum code code, const char *message, const char *hint)
{
    struct cause cause = cause_make(code, message);

    cause.hint = hint;
    return cause;
}

static struct cause changed_cause(const struct wrong_result *results)
{
    const struct rubric_operand *operand = &results->launch->operands[results->changed_operand];
    const struct counterexample *counterexample = &results->changed;
    const void *const *before = counterexample->sample->before;
    const void *const *after = counterexample->sample->after;
    struct cause cause = cause_worded(
        CODE_INPUT_CHANGED,
        arena_printf(results->arena, "the kernel writes to its input `%s`", operand->name),
        arena_printf(results->arena, "write only to %s", output_of(results)->name));

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

/* What is judged: a launch, or a call. */
static const char *judged_word(const struct wrong_result *results)
{
    return results->launch->call != NULL ? "call" : "launch";
}

/* Calls that launch nothing can only show what an earlier one has left. */
static struct cause idle_cause(const struct wrong_result *results)
{
    return with_counterexample(
        results, &results->idle,
        cause_worded(CODE_STATE_KEPT,
                     arena_printf(results->arena,
                                  "`%s` launches kernels in one call, but none in another",
                                  results->launch->call),
                     "do all of the work in each call: inputs change, and nothing that an earlier "
                     "call left has a value"));
}

static struct cause again_cause(const struct wrong_result *results)
{
    const char *judged = judged_word(results);
    struct result_pattern pattern;
    struct cause cause = with_counterexample(
        results, &results->again,
        cause_worded(
            CODE_STATE_KEPT,
            arena_printf(results->arena, "the first %s is right, but the same %s again is wrong",
                         judged, judged),
            results->launch->call != NULL
                ? "set every sum, counter and flag again in each call: nothing may carry over "
                  "from an earlier one, in static or __device__ variables or in memory that you "
                  "keep"
                : "set every sum, counter and flag at the start of the kernel: nothing may carry "
                  "over from an earlier launch"));

    result_pattern_find(results->input, results->arena, results->launch_index, results->output, 0,
                        PROBE_AGAIN, &pattern);
    if (pattern.values != NULL) {
        cause.message = arena_printf(results->arena, "%s: %s", cause.message, pattern.values);
    }
    return cause;
}

static struct cause reordered_cause(const struct wrong_result *results)
{
    return with_counterexample(
        results, &results->reordered,
        cause_worded(CODE_BLOCK_ORDER,
                     "right when the blocks run one after the other in order, wrong in another "
                     "order",
                     "blocks run in any order, and at the same time: let each block read only what "
                     "was there before the launch, or what it wrote itself"));
}

static struct cause old_output_cause(const struct wrong_result *results)
{
    const char *output = output_of(results)->name;
    const char *judged = judged_word(results);

    return with_counterexample(
        results, &results->old_output,
        cause_worded(CODE_MISMATCH,
                     arena_printf(results->arena, "`%s` uses what was in %s before the %s",
                                  kernel_name(results->input, results->launch), output, judged),
                     arena_printf(results->arena,
                                  results->launch->call != NULL
                                      ? "%s is filled with different bits before each %s: store "
                                        "the first value of each element with =, not with += or "
                                        "an atomic, or set all of it before you add to it, by a "
                                        "kernel or with cudaMemset"
                                      : "%s is filled with different bits before each %s: store "
                                        "the first value of each element with =, not with += or "
                                        "an atomic",
                                  output, judged)));
}

/* True if the only launch stores some elements more than once, while it leaves others out. */
static bool stores_again(const struct wrong_result *results,
                         const struct counterexample *counterexample)
{
    const struct sample *sample = counterexample->sample;
    const struct comparison *comparison = &counterexample->comparison;
    const size_t written = comparison->elements - comparison->unwritten;
    const uint64_t bytes = sample->counts.operands[results->output][COUNT_WRITE].bytes;

    return sample->counts.is_counted && sample->call.launches <= 1 && written > 0 &&
           bytes > written * element_bytes(output_of(results)->type);
}

/* Says that values of elements that are not written stand elsewhere, if so. */
static void explain_by_places(const struct wrong_result *results, struct cause *cause)
{
    struct misplaced_value value;

    if (!misplaced_values_find(results, &value)) {
        return;
    }
    const struct rubric_operand *output = output_of(results);
    const char *wanted =
        element_text(results->input, results->arena, output, value.observation, value.element);
    const char *place =
        element_text(results->input, results->arena, output, value.observation, value.found_at);
    const char *as_input =
        value.is_as_input ? arena_printf(results->arena, ", each at the index that it has in %s",
                                         results->launch->operands[value.input].name)
                          : "";

    cause->message =
        arena_printf(results->arena, "%s: their values stand at other places", cause->message);
    cause->hint = arena_printf(
        results->arena,
        "the values are right, and the index of the store is not: what belongs in %s stands in "
        "%s%s",
        wanted, place, as_input);
}

static struct cause unwritten_cause(const struct wrong_result *results)
{
    const struct counterexample *counterexample = &results->unwritten;
    const struct comparison *comparison = &counterexample->comparison;
    const char *output = output_of(results)->name;
    size_t others = comparison->wrong - comparison->unwritten;
    bool is_hidden = observation_is_hidden(results->input, counterexample->observation);
    struct result_pattern pattern;
    struct cause cause = with_counterexample(
        results, counterexample,
        cause_worded(
            CODE_NOT_WRITTEN,
            arena_printf(results->arena, "elements of %s are never written%s", output,
                         is_hidden ? " for a hidden shape" : ""),
            arena_printf(results->arena,
                         output_is_copied(counterexample->sample, results->output)
                             ? "copies must reach all of %s: check where each one starts, its size "
                               "in bytes, and where the loop around it ends"
                             : "each thread must store its result in %s once: check the size of "
                               "the grid, the index of the store, and the conditions around it",
                         output)));

    cause.difference = element_difference(results, counterexample, comparison->first_unwritten);
    cause.seen = seen_text(
        results, counterexample, comparison->unwritten,
        others > 0 ? arena_printf(results->arena, " unwritten and %zu wrong", others) : "",
        comparison->first_unwritten);
    result_pattern_find(results->input, results->arena, results->launch_index, results->output,
                        1u << ELEMENT_UNWRITTEN, PROBE_COUNT, &pattern);
    if (pattern.is_everywhere) {
        cause.message = arena_printf(results->arena, "`%s` writes no element of %s",
                                     kernel_name(results->input, results->launch), output);
        cause.plain = cause.message;
        pattern.elements = NULL;
    }
    explain_by(results, &pattern, false, &cause);
    if (stores_again(results, counterexample)) {
        const bool is_of_warps = counterexample->sample->counts.tensor_multiply_adds > 0;
        cause.hint = arena_printf(
            results->arena,
            is_of_warps
                ? "several warps store the same elements of %s, and none stores the others: give "
                  "each warp a tile of its own, and check how its number gets into row and column"
                : "several threads store the same elements of %s, and none stores the others: give "
                  "each thread an index of its own, such as blockIdx.x * blockDim.x + threadIdx.x",
            output);
    }
    explain_by_places(results, &cause);
    return cause;
}

/* True if the kernel reads the output, as far as the device counts. */
static bool reads_output(const struct wrong_result *results,
                         const struct counterexample *counterexample)
{
    const struct launch_counts *counts = &counterexample->sample->counts;
    const struct access_sum *sums = counts->operands[results->output];

    return counts->is_counted && sums[COUNT_READ].bytes + sums[COUNT_ATOMIC].bytes > 0;
}

/* True if a launch follows the last copy to the output, to which no kernel stores. */
static bool copy_is_early(const struct wrong_result *results)
{
    const struct sample *sample = results->not_finite.sample;
    const size_t output = results->output;

    return output_is_copied(sample, output) && !sample->call.is_last_set[output] &&
           sample->call.copy_launches[output] < sample->call.launches;
}

static const char no_number_hint[] =
    "look for a division by 0, a root of a negative number, a value that is too large, and a sum "
    "that does not start at 0";

void result_set_hint_of_no_number(struct cause *cause, const char *hint)
{
    if (cause->hint != NULL && strcmp(cause->hint, no_number_hint) == 0) {
        cause->hint = hint;
    }
}

static struct cause not_finite_cause(const struct wrong_result *results)
{
    const struct counterexample *counterexample = &results->not_finite;
    const struct comparison *comparison = &counterexample->comparison;
    struct result_pattern pattern;
    struct cause cause = with_counterexample(
        results, counterexample,
        cause_worded(CODE_NOT_A_NUMBER,
                     arena_printf(results->arena, "%s holds NaN or infinity %s",
                                  output_of(results)->name, where_text(results, counterexample)),
                     no_number_hint));

    cause.difference = element_difference(results, counterexample, comparison->first_not_finite);
    cause.seen = seen_text(results, counterexample, comparison->not_finite, "",
                           comparison->first_not_finite);
    if (wrong_result_is_undefined(results)) {
        cause.message = arena_printf(results->arena,
                                     "%s gets what memory held before anything was "
                                     "written to it, %s",
                                     output_of(results)->name, where_text(results, counterexample));
        cause.hint = copy_is_early(results)
                         ? arena_printf(results->arena,
                                        "%s is copied before the launch that computes it: copy "
                                        "each part after its launch, in the same stream",
                                        output_of(results)->name)
                         : "what is copied or stored there was never computed: check the size of "
                           "the grid, and which elements each thread stores";
        return cause;
    }
    if (output_of(results)->role == OPERAND_OUTPUT && reads_output(results, counterexample)) {
        cause.hint = arena_printf(
            results->arena,
            results->launch->call != NULL
                ? "%s holds no valid numbers when the call begins: set it, by a kernel or with "
                  "cudaMemset, before you add to it"
                : "the kernel reads %s, which holds no valid numbers when it starts, even after a "
                  "cudaMemset: store the first value with =, not with += or an atomic",
            output_of(results)->name);
        return cause;
    }
    result_pattern_find(results->input, results->arena, results->launch_index, results->output,
                        1u << ELEMENT_NOT_FINITE, PROBE_COUNT, &pattern);
    explain_by(results, &pattern, false, &cause);
    return cause;
}

static struct cause rounding_cause(const struct wrong_result *results,
                                   const struct counterexample *counterexample)
{
    const enum element_type type = output_of(results)->type;
    const enum arithmetic arithmetic = wrong_result_arithmetic(results);
    const bool is_sum = output_of(results)->compare.additions != NULL;
    const char *name = element_facts(type)->c_name;
    enum code code = CODE_REDUCED_PRECISION;
    const char *hint = arena_printf(results->arena, "keep operands, products and sums in %s", name);
    const char *message;

    if (arithmetic == ARITHMETIC_EXACT) {
        code = results->within_bound ? CODE_NOT_BIT_EXACT : code;
        message = arena_printf(
            results->arena, "values are rounded, although %s can hold each result exactly", name);
        hint =
            arena_printf(results->arena, "keep values in %s on the way from input to output", name);
    } else if (results->within_bound && arithmetic == ARITHMETIC_NO_FMAD) {
        code = CODE_NOT_BIT_EXACT;
        message = "only the last bits differ";
        hint = "add the products one by one in float, in order of increasing k, and without fma";
    } else if (counterexample->comparison.within_bound) {
        message = arena_printf(results->arena, "%s that %s can hold exactly are rounded",
                               is_sum ? "sums" : "whole numbers", name);
    } else {
        message = arena_printf(results->arena,
                               "less precise than %s: relative to the sum of magnitudes, the error "
                               "is up to %.3g times 2^-%d; at most %.9g times is allowed",
                               name, counterexample->comparison.worst_units,
                               element_facts(type)->digits, counterexample->comparison.bound_units);
    }
    struct cause cause =
        with_counterexample(results, counterexample, cause_worded(code, message, hint));
    struct result_pattern pattern = {0};
    if (!observation_is_hidden(results->input, counterexample->observation)) {
        result_pattern_find(results->input, results->arena, results->launch_index, results->output,
                            1u << ELEMENT_WRONG, PROBE_COUNT, &pattern);
    }
    if (pattern.values != NULL) {
        cause.plain = cause.message;
        cause.message = pattern.values;
        cause.hint = pattern.hint != NULL ? pattern.hint : cause.hint;
    }
    return cause;
}

static const char plain_hint[] =
    "work out the first wrong element by hand for that shape, and compare what its thread reads "
    "and stores";

void result_set_hint(struct cause *cause, const char *hint)
{
    if (cause->hint != NULL && strcmp(cause->hint, plain_hint) == 0) {
        cause->hint = hint;
    }
}

/* What is wrong, without any explanation. */
static struct cause plain_mismatch(const struct wrong_result *results,
                                   const struct counterexample *counterexample)
{
    return with_counterexample(
        results, counterexample,
        cause_worded(CODE_MISMATCH,
                     arena_printf(results->arena, "%s is wrong %s", output_of(results)->name,
                                  where_text(results, counterexample)),
                     plain_hint));
}

/* True if no probe loads from an operand, as far as the device counts. */
static bool is_never_loaded(const struct wrong_result *results, size_t operand)
{
    const struct launch_run *run = &results->input->evidence->launch_runs[results->launch_index];

    for (size_t i = 0; i < run->observation_count; i++) {
        for (size_t j = 0; j < run->observations[i].sample_count; j++) {
            const struct launch_counts *counts = &run->observations[i].samples[j].counts;
            const struct access_sum *sums = counts->operands[operand];
            if (!counts->is_counted || run->observations[i].samples[j].call.is_unknown[operand] ||
                sums[COUNT_READ].bytes + sums[COUNT_ATOMIC].bytes > 0) {
                return false;
            }
        }
    }
    return true;
}

/* Adds the first input that is never loaded, if there is one. */
static void explain_by_loads(const struct wrong_result *results, struct cause *cause)
{
    const struct rubric_launch *launch = results->launch;

    for (size_t i = 0; i < launch->operand_count; i++) {
        const bool is_host = launch->operands[i].is_in_host_memory && !launch_is_program(launch);
        if (operand_has_values(&launch->operands[i]) && !is_host && is_never_loaded(results, i)) {
            cause->message = arena_printf(results->arena, "%s; `%s` never loads anything from %s",
                                          cause->message, kernel_name(results->input, launch),
                                          launch->operands[i].name);
            cause->hint = arena_printf(results->arena, "the results also depend on %s: load it",
                                       launch->operands[i].name);
            return;
        }
    }
}

/* "`.x` and `.y`" of the numbers of a vector that are in a set. */
static const char *lanes_text(struct arena *arena, unsigned set)
{
    static const char *const names[] = {".x", ".y", ".z", ".w"};
    const char *text = "";

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if ((set >> i & 1u) != 0) {
            const bool is_last = set >> i == 1u;
            text = text[0] == '\0'
                       ? names[i]
                       : arena_printf(arena, "%s%s%s", text, is_last ? " and " : ", ", names[i]);
        }
    }
    return text;
}

/* Adds which numbers of all vectors are right, and which are not. */
static void explain_by_lanes(const struct wrong_result *results, struct cause *cause)
{
    const size_t lanes = operand_lanes(output_of(results));
    const unsigned all = (1u << lanes) - 1u;
    const unsigned wrong = wrong_lanes_find(results);

    if (wrong == 0) {
        return;
    }
    const char *right_text = lanes_text(results->arena, all & ~wrong);
    const char *wrong_text = lanes_text(results->arena, wrong);
    cause->message = arena_printf(results->arena, "%s: only in %s, everywhere right in %s",
                                  cause->message, wrong_text, right_text);
    cause->hint = arena_printf(results->arena,
                               "compare how %s comes about with %s, from the first value to the "
                               "store",
                               wrong_text, right_text);
}

/* Adds that calls of few launches are right, and others wrong: the loop of launches is at fault, or
 * what is done after it. */
static void explain_by_launches(const struct wrong_result *results, struct cause *cause)
{
    const uint64_t right = right_launches_find(results);

    if (right == 0 || strcmp(cause->hint, plain_hint) != 0) {
        return;
    }
    cause->seen = arena_printf(results->arena,
                               "%s; right where a call makes %" PRIu64
                               " launches at most, wrong where it makes more",
                               cause->seen, right);
    cause->hint = arena_printf(results->arena,
                               "check the launches after the first %" PRIu64
                               ": each must read what the one before it wrote, and as much of it",
                               right);
}

static struct cause mismatch_cause(const struct wrong_result *results,
                                   const struct counterexample *counterexample)
{
    const unsigned wrong = 1u << ELEMENT_WRONG | 1u << ELEMENT_UNWRITTEN | 1u << ELEMENT_NOT_FINITE;
    struct cause cause = plain_mismatch(results, counterexample);
    struct result_pattern pattern;

    if (!observation_is_hidden(results->input, counterexample->observation)) {
        result_pattern_find(results->input, results->arena, results->launch_index, results->output,
                            wrong, PROBE_COUNT, &pattern);
        explain_by(results, &pattern, true, &cause);
        if (pattern.values == NULL && pattern.hint == NULL) {
            explain_by_loads(results, &cause);
            explain_by_lanes(results, &cause);
            explain_by_launches(results, &cause);
        }
    }
    return cause;
}

static struct cause mistake_cause(const struct wrong_result *results,
                                  const struct counterexample *counterexample,
                                  const struct oracle_mistake *mistake)
{
    struct cause cause = plain_mismatch(results, counterexample);

    cause.code = CODE_NAMED_MISTAKE;
    cause.message = mistake->message;
    cause.hint = mistake->hint;
    return cause;
}

/* What the oracle itself says of a result. */
static struct cause objected_cause(const struct wrong_result *results)
{
    const struct counterexample *counterexample = &results->any;
    const struct comparison *comparison = &counterexample->comparison;
    struct cause cause = plain_mismatch(results, counterexample);

    if (!observation_is_hidden(results->input, counterexample->observation)) {
        cause.message =
            arena_printf(results->arena, "%s: %s", cause.message, comparison->objection);
        cause.seen = arena_printf(
            results->arena, "in %zu of %zu shapes; for %s the first is %s, which is %s",
            results->wrong_shapes, results->shapes, counterexample_shape(results, counterexample),
            counterexample_element(results, counterexample, comparison->first_wrong),
            value_text(results->arena, output_of(results)->type, comparison->got));
    }
    return cause;
}

/* A set that comes after the launches. */
static struct cause set_last_cause(const struct wrong_result *results)
{
    struct cause cause = plain_mismatch(results, &results->any);
    const char *output = output_of(results)->name;

    cause.message = arena_printf(results->arena, "%s is set after the launch that computes it, %s",
                                 output, where_text(results, &results->any));
    cause.hint = arena_printf(results->arena,
                              "set %s before the launch: what writes it last decides", output);
    return cause;
}

/* The cause in words; where no pattern explains it, the first wrong element has to do. */
static struct cause explained(const struct wrong_result *results)
{
    const struct counterexample *first =
        results->exact.observation != NULL ? &results->exact : &results->any;

    if (output_is_set_last(results)) {
        return set_last_cause(results);
    }
    switch (results->kind) {
    case WRONG_INPUT:
        return changed_cause(results);
    case WRONG_BLOCK_ORDER:
        return reordered_cause(results);
    case WRONG_SECOND_LAUNCH:
        return results->again.observation != NULL ? again_cause(results) : idle_cause(results);
    case WRONG_BY_MISTAKE:
        return mistake_cause(results, first, results->mistake);
    case WRONG_OLD_OUTPUT:
        return old_output_cause(results);
    case WRONG_UNWRITTEN:
        return unwritten_cause(results);
    case WRONG_NOT_FINITE:
        return not_finite_cause(results);
    case WRONG_ROUNDING:
        return rounding_cause(results, first);
    case WRONG_BY_CHECK:
        return objected_cause(results);
    case WRONG_VALUES:
        break;
    }
    return mismatch_cause(results, first);
}

/* True if what the device found may have brought a wrong result about. One that says why it is
 * wrong needs no other reason; elements are not written for want of accesses, not of order. */
static bool may_explain(const struct finding *finding, enum code result)
{
    enum cause_kind kind = code_cause(finding->code);

    if (result == CODE_NOT_WRITTEN) {
        return kind == CAUSE_OUT_OF_BOUNDS || kind == CAUSE_MISALIGNED;
    }
    return finding_is_about_accesses(finding) &&
           (result == CODE_MISMATCH || result == CODE_NOT_A_NUMBER || result == CODE_STATE_KEPT ||
            result == CODE_BLOCK_ORDER);
}

void result_explain(struct verdict *verdict)
{
    struct cause *cause = &verdict->cause;
    const struct wrong_result *results = cause->subject.result;
    const struct counterexample *drawn = &results->drawn;
    const struct cause words = explained(results);

    cause->message = words.message;
    cause->hint = words.hint;
    cause->plain = words.plain;
    cause->difference = words.difference;
    cause->seen = words.seen;
    if (drawn->observation != NULL) {
        verdict->map = element_map_of_sample(results->input, results->arena, results->launch_index,
                                             results->output, drawn->observation, drawn->sample);
    }
}

void baseline_result_explain(struct verdict *verdict)
{
    struct cause *cause = &verdict->cause;
    const struct wrong_result *results = cause->subject.result;

    cause->message =
        arena_printf(results->arena, "%s: %s", cause->message, explained(results).message);
}

const struct finding *result_reason(const struct cause *cause)
{
    const struct wrong_result *results = cause->subject.result;
    const struct finding *finding =
        worst_launch_finding(results->input, results->launch_index, false);

    return finding != NULL && may_explain(finding, cause->code) ? finding : NULL;
}
