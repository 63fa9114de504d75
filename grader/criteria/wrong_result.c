/* wrong_result.c: see wrong_result.h. */
#include "criteria/wrong_result.h"

#include "criteria/case_text.h"
#include "criteria/named_mistake.h"
#include "criteria/outcome.h"

#include <math.h>
#include <string.h>

/* A sample that shows something; no observation: none was seen. */
struct witness {
    const struct observation *observation;
    const struct sample *sample;
    struct comparison comparison;
};

/* Everything that the samples of one launch showed. */
struct results {
    const struct criteria_input *input;
    struct arena *arena;
    const struct rubric_launch *launch;
    const struct launch_run *run;
    size_t shapes, wrong_shapes, samples;
    bool *shape_is_wrong; /* [observation_count] */
    double worst_units;   /* over the float probes */
    struct witness changed;
    size_t changed_operand, changed_element;
    struct witness any, unwritten, not_finite, exact, again, rounded;
    bool imprecise_only, within_bound; /* hold for all wrong samples */
    struct exact_probe *probes;        /* [probe_count] */
    size_t probe_count;
};

/* Keeps the first witness, but one that may be shown rather than a hidden one. */
static void witness_note(const struct results *results, struct witness *kept,
                         const struct witness *seen)
{
    if (kept->observation == NULL || (observation_is_hidden(results->input, kept->observation) &&
                                      !observation_is_hidden(results->input, seen->observation))) {
        *kept = *seen;
    }
}

static void note_wrong_sample(struct results *results, const struct witness *seen)
{
    enum probe_kind kind = seen->sample->kind;
    struct witness *of_kind = kind == PROBE_AGAIN   ? &results->again
                              : kind == PROBE_FLOAT ? &results->rounded
                                                    : &results->exact;

    witness_note(results, &results->any, seen);
    witness_note(results, of_kind, seen);
    if (seen->comparison.unwritten > 0) {
        witness_note(results, &results->unwritten, seen);
    }
    if (seen->comparison.not_finite > 0) {
        witness_note(results, &results->not_finite, seen);
    }
    results->imprecise_only = results->imprecise_only && seen->comparison.imprecise_only;
    results->within_bound = results->within_bound && seen->comparison.within_bound;
}

/* Compares one sample; true if it is right. */
static bool review_sample(struct results *results, const struct observation *observation,
                          const struct sample *sample)
{
    struct witness seen = {.observation = observation, .sample = sample};
    struct problem problem;
    size_t element = 0;

    problem_init(results->launch, observation, sample, &problem);
    compare_sample(&problem, results->input->oracle, results->input->rubric->arithmetic,
                   &seen.comparison);
    size_t operand = changed_input(results->launch, observation, sample, &element);
    bool changed = operand < results->launch->operand_count;
    bool wrong = seen.comparison.wrong > 0;
    if (changed && results->changed.observation == NULL) {
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
    results->shape_is_wrong =
        arena_array(results->arena, results->run->observation_count, sizeof(bool));
    for (size_t i = 0; i < results->run->observation_count; i++) {
        const struct observation *observation = &results->run->observations[i];
        bool right = true;
        for (size_t j = 0; j < observation->sample_count; j++) {
            right = review_sample(results, observation, &observation->samples[j]) && right;
        }
        results->shape_is_wrong[i] = !right;
        results->samples += observation->sample_count;
        results->shapes += observation->sample_count > 0 ? 1 : 0;
        results->wrong_shapes += right ? 0 : 1;
    }
}

/* A property that a shape has or has not, over one or two parameters. */
static bool has_property(const struct observation *observation, size_t first, size_t second)
{
    int64_t other = first == second ? observation->block : observation->parameters[second];

    return observation->parameters[first] == other;
}

/* True if exactly the right shapes have the property, and both sorts occur. */
static bool property_decides(const struct results *results, size_t first, size_t second)
{
    size_t right = 0;
    size_t wrong = 0;

    for (size_t i = 0; i < results->run->observation_count; i++) {
        const struct observation *observation = &results->run->observations[i];
        if (observation->sample_count == 0) {
            continue;
        }
        if (has_property(observation, first, second) == results->shape_is_wrong[i]) {
            return false;
        }
        right += results->shape_is_wrong[i] ? 0 : 1;
        wrong += results->shape_is_wrong[i] ? 1 : 0;
    }
    return right > 0 && wrong > 0;
}

/* "; right only where a_width is one block"; "" if nothing of the kind is certain. */
static const char *pattern_text(const struct results *results)
{
    const struct rubric *rubric = results->input->rubric;

    for (size_t i = 0; i < rubric->parameter_count; i++) {
        if (property_decides(results, i, i)) {
            return arena_printf(results->arena, "; right only where %s is one block",
                                rubric->parameters[i].name);
        }
    }
    for (size_t i = 0; i < rubric->parameter_count; i++) {
        for (size_t j = i + 1; j < rubric->parameter_count; j++) {
            if (property_decides(results, i, j)) {
                return arena_printf(results->arena, "; right only where %s equals %s",
                                    rubric->parameters[i].name, rubric->parameters[j].name);
            }
        }
    }
    return "";
}

static const struct rubric_operand *output_of(const struct results *results)
{
    return &results->launch->operands[output_operand(results->launch)];
}

static const char *witness_shape(const struct results *results, const struct witness *witness)
{
    return shape_text(results->input, results->arena, results->launch, witness->observation);
}

static const char *witness_element(const struct results *results, const struct witness *witness,
                                   size_t index)
{
    return element_text(results->input, results->arena, output_of(results), witness->observation,
                        index);
}

/* "27648 of 27648 elements, the first is row 0, column 0 of C: expected 13, got 12" */
static const char *difference_text(const struct results *results, const struct witness *witness)
{
    const struct comparison *comparison = &witness->comparison;

    if (observation_is_hidden(results->input, witness->observation)) {
        return "in elements that are not shown";
    }
    return arena_printf(results->arena, "%zu of %zu elements, the first is %s: expected %s, got %s",
                        comparison->wrong, comparison->elements,
                        witness_element(results, witness, comparison->first_wrong),
                        number_text(results->arena, comparison->expected),
                        number_text(results->arena, comparison->got));
}

static struct cause changed_cause(const struct results *results)
{
    const struct rubric_operand *operand = &results->launch->operands[results->changed_operand];
    const struct witness *witness = &results->changed;

    return cause_make(
        CODE_INPUT_CHANGED,
        arena_printf(results->arena, "the kernel writes to its input %s: %s changes (for %s)",
                     operand->name,
                     observation_is_hidden(results->input, witness->observation)
                         ? "an element"
                         : element_text(results->input, results->arena, operand,
                                        witness->observation, results->changed_element),
                     witness_shape(results, witness)),
        arena_printf(results->arena, "write to %s only", output_of(results)->name));
}

static struct cause again_cause(const struct results *results)
{
    const struct witness *witness = &results->again;

    return cause_make(
        CODE_STATE_KEPT,
        arena_printf(results->arena,
                     "the first launch is right, the same launch once more is not: for %s, %s",
                     witness_shape(results, witness), difference_text(results, witness)),
        "set every sum, counter and flag at the start of the kernel: nothing may be left over "
        "from an earlier launch");
}

static struct cause unwritten_cause(const struct results *results)
{
    const struct witness *witness = &results->unwritten;
    const struct comparison *comparison = &witness->comparison;
    const char *output = output_of(results)->name;
    const char *shape = witness_shape(results, witness);
    const char *message;

    if (observation_is_hidden(results->input, witness->observation)) {
        message =
            arena_printf(results->arena, "elements of %s are never written for %s", output, shape);
    } else if (comparison->unwritten == comparison->elements) {
        message = arena_printf(results->arena, "none of the %zu elements of %s is written for %s",
                               comparison->elements, output, shape);
    } else {
        message = arena_printf(
            results->arena, "%zu of %zu elements of %s are never written for %s, the first is %s",
            comparison->unwritten, comparison->elements, output, shape,
            witness_element(results, witness, comparison->first_unwritten));
    }
    return cause_make(CODE_NOT_WRITTEN, message,
                      arena_printf(results->arena,
                                   "each thread stores its result in %s once: check the grid's "
                                   "size, the index of the store, and conditions around it",
                                   output));
}

static struct cause not_finite_cause(const struct results *results)
{
    const struct witness *witness = &results->not_finite;
    const struct comparison *comparison = &witness->comparison;
    const char *where =
        observation_is_hidden(results->input, witness->observation)
            ? "some elements"
            : arena_printf(results->arena, "%zu of %zu elements, the first is %s",
                           comparison->not_finite, comparison->elements,
                           witness_element(results, witness, comparison->first_not_finite));

    return cause_make(CODE_NOT_A_NUMBER,
                      arena_printf(results->arena, "%s holds NaN or infinity for %s: %s",
                                   output_of(results)->name, witness_shape(results, witness),
                                   where),
                      "is the sum set to 0 at the start, and is every element of shared memory "
                      "written before it is read");
}

static struct cause rounding_cause(const struct results *results, const struct witness *witness)
{
    const char *shape = witness_shape(results, witness);
    const char *difference = difference_text(results, witness);

    if (results->within_bound && results->input->rubric->arithmetic == ARITHMETIC_NO_FMAD) {
        return cause_make(CODE_NOT_BIT_EXACT,
                          arena_printf(results->arena, "only the last bits differ, for %s: %s",
                                       shape, difference),
                          "add the products one by one in float, k ascending, and without fma");
    }
    if (results->within_bound) {
        return cause_make(CODE_REDUCED_PRECISION,
                          arena_printf(results->arena,
                                       "whole numbers that float holds exactly come out rounded, "
                                       "for %s: %s",
                                       shape, difference),
                          "keep operands, products and sums in float");
    }
    return cause_make(CODE_REDUCED_PRECISION,
                      arena_printf(results->arena,
                                   "less precise than float: the error is up to %.3g times 2^-24 "
                                   "of the sum of magnitudes, at most %d are allowed; for %s: %s",
                                   witness->comparison.worst_units, FLOAT_BOUND_UNITS, shape,
                                   difference),
                      "keep operands, products and sums in float");
}

static struct cause mismatch_cause(const struct results *results, const struct witness *witness)
{
    return cause_make(
        CODE_MISMATCH,
        arena_printf(results->arena, "%s is wrong in %zu of %zu shapes%s; for %s: %s",
                     output_of(results)->name, results->wrong_shapes, results->shapes,
                     pattern_text(results), witness_shape(results, witness),
                     difference_text(results, witness)),
        "work the first wrong element out by hand for that shape, and compare the indices that "
        "its thread uses");
}

static struct cause cause_of_results(const struct results *results, struct verdict *verdict)
{
    const struct witness *first =
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
        return cause_make(CODE_NAMED_MISTAKE, mistake->message, mistake->hint);
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
    const struct witness *first =
        results->exact.observation != NULL ? &results->exact : &results->any;

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
    verdict_add_text(verdict, "first_wrong_shape", witness_shape(results, first));
    verdict_add_text(verdict, "first_wrong_element",
                     witness_element(results, first, comparison->first_wrong));
    verdict_add_text(verdict, "expected", number_text(results->arena, comparison->expected));
    verdict_add_text(verdict, "got", number_text(results->arena, comparison->got));
    verdict_add_integer(verdict, "wrong_elements", (int64_t)comparison->wrong);
    verdict_add_integer(verdict, "elements", (int64_t)comparison->elements);
}

bool find_wrong_result(const struct criteria_input *input, struct arena *arena, size_t launch,
                       struct verdict *verdict, struct cause *out_cause, const char **out_summary)
{
    struct results results = {
        .input = input,
        .arena = arena,
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
    *out_cause = cause_of_results(&results, verdict);
    *out_summary =
        arena_printf(arena, "wrong in %zu of %zu shapes", results.wrong_shapes, results.shapes);
    return true;
}
