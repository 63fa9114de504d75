/* review_oracle.c: the oracle on trial; see review.h.
 *
 *     rubric --cases_draw--> cases --input_values--> problems --oracle--> values --> what they say
 *
 * Mistakes are tried at the two smallest blocks alone, since they cost as much as the result
 * itself, needs at the smallest one; the rest at all blocks.
 * An oracle gets guarded arrays, and a copy tells whether it writes its inputs.
 */
#include "coursework/review.h"

#include "coursework/guarded_array.h"
#include "coursework/launch_shape.h"
#include "criteria/results/compare.h"
#include "model/oracle_watch.h"
#include "session/inputs.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCKS_MAX = 32,
    MISTAKE_BLOCKS = 2,
    ELEMENTS_MAX = 1 << 22, /* of all operands; a larger case is left out, which is said */
    ELEMENTS_OF_NEEDS = 8,  /* so many elements of an output are asked for their needs */
};

static const uint64_t hash_start = 14695981039346656037u, hash_factor = 1099511628211u; /* FNV-1a */

/* What all cases together say of one mistake. */
struct reported_mistake {
    const struct oracle_mistake *mistake;
    size_t judged; /* cases in which it says that it differs */
    bool is_wrong; /* something about it was complained of */
    uint64_t hash; /* of all that it yields */
};

/* An oracle, and what was tried so far. */
struct oracle_review {
    struct review *review;
    const struct rubric *rubric;
    const struct oracle *oracle;
    struct reported_mistake *told; /* [mistake_count] */
    size_t problems, left_out;
    bool has_tried_mistakes; /* which is done for oracles with `expect` alone */
};

/* One case of one launch with values. */
struct trial {
    struct arena *arena;
    const struct rubric_launch *launch;
    const char *case_id;
    struct launch_shape shape;
    size_t case_index;
    struct observation observation;             /* of the shape */
    struct posed_problem posed;                 /* of the case, with arrays that are not guarded */
    size_t input_operands[RUBRIC_OPERANDS_MAX]; /* [input_count] index in the launch */
    size_t input_count;
    const struct rubric_operand *output; /* the first */
    void *inputs[RUBRIC_OPERANDS_MAX];   /* with guards */
    void *drawn[RUBRIC_OPERANDS_MAX];    /* copies of their values */
    struct oracle_problem problem;       /* points to the above */
    double *expected, *magnitudes;       /* [output_count] */
};

static size_t input_elements(const struct trial *trial, size_t input)
{
    return trial->shape.element_counts[trial->input_operands[input]];
}

/* "in the case 'ragged' of 'kernel', block 32" */
static const char *where(const struct trial *trial)
{
    return arena_printf(trial->arena, "in the case '%s' of '%s', block %" PRId64, trial->case_id,
                        trial->launch->id, trial->shape.block);
}

static size_t input_bytes(const struct trial *trial, size_t input)
{
    return input_elements(trial, input) *
           element_bytes(trial->launch->operands[trial->input_operands[input]].type);
}

/* Complains of a call, "expect()", that wrote its inputs or around the array that it was to fill;
 * false then. */
static bool check_call(const struct oracle_review *of, const struct trial *trial, const char *call,
                       const void *out_array, size_t bytes)
{
    if (!guarded_array_is_whole(out_array, bytes)) {
        review_fail(of->review, "oracle: %s writes outside the array that it must fill, %s", call,
                    where(trial));
        return false;
    }
    for (size_t i = 0; i < trial->input_count; i++) {
        if (!guarded_array_is_whole(trial->inputs[i], input_bytes(trial, i)) ||
            memcmp(trial->inputs[i], trial->drawn[i], input_bytes(trial, i)) != 0) {
            review_fail(of->review, "oracle: %s writes to the operand '%s', which is an input, %s",
                        call, trial->launch->operands[trial->input_operands[i]].name, where(trial));
            return false;
        }
    }
    return true;
}

/* Draws what all operands hold; inputs are arrays [input_elements]. */
static void draw_operands(const struct oracle_review *of, const struct trial *trial, uint64_t seed,
                          enum probe_kind kind, const void *out_values[RUBRIC_OPERANDS_MAX])
{
    const struct probe_values probe = {
        .rubric = of->rubric,
        .launch = trial->launch,
        .observation = &trial->observation,
        .oracle = of->oracle,
        .seed = seed,
        .kind = kind,
    };

    probe_values_make(trial->arena, &probe, out_values);
}

static void draw_inputs(const struct oracle_review *of, struct trial *trial, uint64_t seed,
                        enum probe_kind kind)
{
    const void *values[RUBRIC_OPERANDS_MAX];

    draw_operands(of, trial, seed, kind, values);
    for (size_t i = 0; i < trial->input_count; i++) {
        size_t bytes = input_bytes(trial, i);
        memcpy(trial->inputs[i], values[trial->input_operands[i]], bytes);
        memcpy(trial->drawn[i], values[trial->input_operands[i]], bytes);
    }
}

/* Sets a trial up; false if the launch has no output or the case is too large. */
static bool trial_init(struct oracle_review *of, struct trial *trial)
{
    const struct rubric_launch *launch = trial->launch;
    const void *values[RUBRIC_OPERANDS_MAX];
    size_t output = RUBRIC_OPERANDS_MAX;
    size_t elements = 0;

    for (size_t i = 0; i < launch->operand_count; i++) {
        elements += trial->shape.element_counts[i] > ELEMENTS_MAX ? (size_t)ELEMENTS_MAX + 1
                                                                  : trial->shape.element_counts[i];
        if (operand_has_values(&launch->operands[i])) {
            trial->input_operands[trial->input_count++] = i;
        }
        if (operand_is_result(&launch->operands[i]) && output == RUBRIC_OPERANDS_MAX) {
            output = i;
        }
    }
    if (output == RUBRIC_OPERANDS_MAX || elements > ELEMENTS_MAX) {
        of->left_out++;
        return false;
    }
    for (size_t i = 0; i < trial->input_count; i++) {
        trial->inputs[i] = guarded_array_new(trial->arena, input_bytes(trial, i), 1);
        trial->drawn[i] = arena_array(trial->arena, input_bytes(trial, i), 1);
    }
    trial->output = &launch->operands[output];
    trial->observation.case_index = trial->case_index;
    trial->observation.block = trial->shape.block;
    memcpy(trial->observation.parameters, trial->shape.parameters, sizeof trial->shape.parameters);
    memcpy(trial->observation.element_counts, trial->shape.element_counts,
           sizeof trial->shape.element_counts);
    draw_operands(of, trial, of->review->seed, PROBE_EXACT, values);
    problem_pose(of->rubric, launch, &trial->observation, values, &trial->posed);
    trial->problem = trial->posed.oracle;
    trial->problem.inputs = (const void *const *)trial->inputs;
    trial->expected = guarded_array_new(trial->arena, trial->problem.output_count, sizeof(double));
    trial->magnitudes =
        guarded_array_new(trial->arena, trial->problem.output_count, sizeof(double));
    return true;
}

/* Fills both arrays, which have guards and start as zeros; false after a complaint. */
static bool expect(const struct oracle_review *of, const struct trial *trial, double *out_expected,
                   double *out_magnitudes)
{
    size_t bytes = trial->problem.output_count * sizeof *out_expected;

    memset(out_expected, 0, bytes);
    memset(out_magnitudes, 0, bytes);
    oracle_expect(of->oracle, &trial->problem, out_expected, out_magnitudes);
    return check_call(of, trial, "expect()", out_expected, bytes) &&
           check_call(of, trial, "expect()", out_magnitudes, bytes);
}

/* True if the type holds the value exactly. */
static bool holds(enum element_type type, double value)
{
    const struct element_facts *facts = element_facts(type);

    return value >= facts->lowest && value <= facts->highest &&
           (facts->digits > 0 ? element_rounded(type, value) == value : value == trunc(value));
}

/* Complains of the first element whose expected value cannot be right; false if there is one. */
static bool check_expected(const struct oracle_review *of, const struct trial *trial,
                           enum probe_kind kind)
{
    const enum element_type type = trial->output->type;
    const enum compare_kind compare = trial->output->compare.kind;
    const bool has_bound = compare == COMPARE_AS_USUAL || compare == COMPARE_BOUND;
    const bool must_hold = compare == COMPARE_AS_USUAL &&
                           (!element_is_float(type) ||
                            (of->rubric->arithmetic != ARITHMETIC_EXACT && kind != PROBE_FLOAT));

    for (size_t i = 0; i < trial->problem.output_count; i++) {
        double expected = trial->expected[i], magnitude = trial->magnitudes[i];
        if (!isfinite(expected)) {
            review_fail(of->review, "oracle: expect() gives no finite value for element %zu %s", i,
                        where(trial));
            return false;
        }
        if (has_bound && element_is_float(type) && !(magnitude >= fabs(expected) * (1 - 1e-12))) {
            review_fail(of->review,
                        "oracle: the magnitude of element %zu is %g, less than its value %g, %s; a "
                        "magnitude is the sum of the absolute values that are added up",
                        i, magnitude, expected, where(trial));
            return false;
        }
        if (must_hold && !holds(type, expected)) {
            review_fail(of->review,
                        "oracle: element %zu must be %.17g, which the output's type cannot hold, "
                        "so no kernel can match it, %s",
                        i, expected, where(trial));
            return false;
        }
    }
    return true;
}

/* Changes what lies around the inputs. */
static void renew_guards(const struct trial *trial, int kind)
{
    for (size_t i = 0; i < trial->input_count; i++) {
        guarded_array_renew(trial->inputs[i], input_bytes(trial, i), kind);
    }
}

/* An oracle that remembers or looks at anything else, also around the inputs, gives other values
 * the second time. */
static bool check_again(const struct oracle_review *of, const struct trial *trial)
{
    size_t count = trial->problem.output_count;
    double *expected = guarded_array_new(trial->arena, count, sizeof *expected);
    double *magnitudes = guarded_array_new(trial->arena, count, sizeof *magnitudes);

    renew_guards(trial, 1);
    if (!expect(of, trial, expected, magnitudes)) {
        return false;
    }
    renew_guards(trial, 0);
    if (memcmp(expected, trial->expected, count * sizeof *expected) == 0) {
        return true;
    }
    review_fail(of->review,
                "oracle: expect() gives other values the second time %s; it must depend only on "
                "the problem, and read nothing outside the inputs",
                where(trial));
    return false;
}

/* Marks what one element needs, [total] flags over all inputs; false after a complaint. */
static bool mark_needs(const struct oracle_review *of, const struct trial *trial, size_t element,
                       size_t total, bool *out_needed)
{
    struct oracle_need *needs = guarded_array_new(trial->arena, total + 1, sizeof *needs);
    size_t count = oracle_needs(of->oracle, &trial->problem, element, needs, total + 1);

    if (!check_call(of, trial, "needs()", needs, (total + 1) * sizeof *needs)) {
        return false;
    }
    memset(out_needed, 0, total * sizeof *out_needed);
    for (size_t i = 0; i < count && i <= total; i++) {
        size_t place = needs[i].element;
        if (needs[i].input >= trial->input_count ||
            needs[i].element >= input_elements(trial, needs[i].input)) {
            review_fail(of->review,
                        "oracle: needs() lists element %zu of input %zu, which does not exist, %s",
                        needs[i].element, needs[i].input, where(trial));
            return false;
        }
        for (size_t input = 0; input < needs[i].input; input++) {
            place += input_elements(trial, input);
        }
        if (out_needed[place]) {
            review_fail(of->review,
                        "oracle: needs() lists element %zu of input %zu twice for element %zu, %s",
                        needs[i].element, needs[i].input, element, where(trial));
            return false;
        }
        out_needed[place] = true;
    }
    return true;
}

/* Gives all inputs other values but for those that are needed. */
static void exchange_others(const struct oracle_review *of, struct trial *trial, uint64_t seed,
                            const bool *needed)
{
    const void *values[RUBRIC_OPERANDS_MAX];
    size_t place = 0;

    draw_operands(of, trial, seed, PROBE_EXACT, values);

    for (size_t i = 0; i < trial->input_count; i++) {
        enum element_type type = trial->launch->operands[trial->input_operands[i]].type;
        size_t count = input_elements(trial, i), bytes = element_bytes(type);
        const char *others = values[trial->input_operands[i]];
        for (size_t j = 0; j < count; j++, place++) {
            if (!needed[place]) {
                memcpy((char *)trial->inputs[i] + j * bytes, others + j * bytes, bytes);
                memcpy((char *)trial->drawn[i] + j * bytes, others + j * bytes, bytes);
            }
        }
    }
}

/* What an element does not need must not change it. */
static bool check_needs(struct oracle_review *of, struct trial *trial)
{
    size_t outputs = trial->problem.output_count, total = 0;
    uint64_t seed = of->review->seed;

    for (size_t i = 0; i < trial->input_count; i++) {
        total += input_elements(trial, i);
    }
    bool *needed = arena_array(trial->arena, total + 1, sizeof *needed);
    double *expected = guarded_array_new(trial->arena, outputs, sizeof *expected);
    double *magnitudes = guarded_array_new(trial->arena, outputs, sizeof *magnitudes);
    for (size_t i = 0; i < ELEMENTS_OF_NEEDS; i++) {
        size_t element = (outputs - 1) * i / (ELEMENTS_OF_NEEDS - 1);
        draw_inputs(of, trial, seed, PROBE_EXACT);
        if (!mark_needs(of, trial, element, total, needed)) {
            return false;
        }
        if (!expect(of, trial, trial->expected, trial->magnitudes)) {
            return false;
        }
        exchange_others(of, trial, seed + 1, needed);
        if (!expect(of, trial, expected, magnitudes)) {
            return false;
        }
        if (expected[element] != trial->expected[element]) {
            review_fail(of->review,
                        "oracle: element %zu changes with values that needs() does not list, %s",
                        element, where(trial));
            return false;
        }
    }
    return true;
}

static uint64_t hash_values(uint64_t hash, const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double value = isnan(values[i]) ? NAN : values[i];
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        hash = (hash ^ bits) * hash_factor;
    }
    return (hash ^ count) * hash_factor;
}

static bool differs(const struct trial *trial, const double *values)
{
    for (size_t i = 0; i < trial->problem.output_count; i++) {
        if (!(values[i] == trial->expected[i])) { /* NaN: not written */
            return true;
        }
    }
    return false;
}

/* False if it writes where it must not: then nothing more can be tried with these inputs. */
static bool try_mistake(struct oracle_review *of, struct trial *trial,
                        struct reported_mistake *told)
{
    size_t count = trial->problem.output_count;
    double *values = guarded_array_new(trial->arena, count, sizeof *values);
    const char *call = arena_printf(trial->arena, "the mistake '%s'", told->mistake->name);

    memset(values, 0, count * sizeof *values);
    int says_differs = oracle_mistake_values(of->oracle, told->mistake, &trial->problem, values);
    if (!check_call(of, trial, call, values, count * sizeof *values)) {
        return false;
    }
    if (says_differs == 0) {
        told->hash = hash_values(told->hash, NULL, 0);
        return true;
    }
    told->judged++;
    told->hash = hash_values(told->hash, values, count);
    if (!told->is_wrong && !differs(trial, values)) {
        told->is_wrong = true;
        review_fail(of->review,
                    "oracle: the mistake '%s' gives the right result %s but claims that it "
                    "differs; return 0 in that case",
                    told->mistake->name, where(trial));
    }
    return true;
}

/* The values in order: those of bit for bit probes, all finite. */
static bool check_in_order(const struct oracle_review *of, const struct trial *trial)
{
    size_t count = trial->problem.output_count;
    float *values = guarded_array_new(trial->arena, count, sizeof *values);

    memset(values, 0, count * sizeof *values);
    oracle_expect_in_order(of->oracle, &trial->problem, values);
    if (!check_call(of, trial, "expect_in_order()", values, count * sizeof *values)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(values[i])) {
            review_fail(of->review,
                        "oracle: expect_in_order() gives no finite value for element %zu %s", i,
                        where(trial));
            return false;
        }
    }
    return true;
}

/* True if there is one output, of which expect() tells all. */
static bool is_simple(const struct oracle *oracle, const struct trial *trial)
{
    return oracle->expect_all == NULL && oracle->expect != NULL && trial->posed.output_total == 1 &&
           trial->output->compare.kind != COMPARE_CHECK;
}

/* Asks twice what is expected of one output; false after a complaint. */
static bool try_output(struct oracle_review *of, const struct trial *trial, size_t operand)
{
    const struct rubric_operand *output = &trial->launch->operands[operand];
    const size_t count = trial->shape.element_counts[operand];
    struct oracle_results first =
        oracle_expect_output(of->oracle, trial->launch, &trial->posed, operand);
    struct oracle_results again =
        oracle_expect_output(of->oracle, trial->launch, &trial->posed, operand);
    bool is_right = true;

    for (size_t i = 0; i < count && is_right; i++) {
        if (first.expected[i] != again.expected[i]) {
            review_fail(of->review,
                        "oracle: `%s` is expected to be something else the second time %s; it must "
                        "depend only on the problem",
                        output->name, where(trial));
            is_right = false;
        } else if (!element_is_float(output->type) && output->compare.kind == COMPARE_AS_USUAL &&
                   first.integers == NULL && !holds(output->type, first.expected[i])) {
            review_fail(of->review,
                        "oracle: element %zu of `%s` must be %.17g, which the output's type cannot "
                        "hold, so no kernel can match it, %s",
                        i, output->name, first.expected[i], where(trial));
            is_right = false;
        }
    }
    for (size_t i = 0; i < trial->launch->operand_count && is_right; i++) {
        const struct rubric_operand *counted = &trial->launch->operands[i];
        size_t most = trial->shape.element_counts[i] / operand_lanes(counted);
        if (counted->is_counted && counted->counter == operand &&
            !(first.expected[0] >= 0 && first.expected[0] <= (double)most)) {
            review_fail(of->review, "oracle: `%s` counts %.0f elements of `%s`, which has %zu, %s",
                        output->name, first.expected[0], counted->name, most, where(trial));
            is_right = false;
        }
    }
    oracle_results_free(&first);
    oracle_results_free(&again);
    return is_right;
}

/* Asks for all outputs. What an oracle does to its arrays is seen where they are made
 * (model/oracle_watch.h). */
static void try_outputs(struct oracle_review *of, struct trial *trial, enum probe_kind kind)
{
    const void *values[RUBRIC_OPERANDS_MAX];

    draw_operands(of, trial, of->review->seed, kind, values);
    problem_pose(of->rubric, trial->launch, &trial->observation, values, &trial->posed);
    for (size_t i = 0; i < trial->launch->operand_count; i++) {
        const struct rubric_operand *operand = &trial->launch->operands[i];
        if (operand_is_result(operand) && operand->compare.kind != COMPARE_CHECK &&
            !try_output(of, trial, i)) {
            return;
        }
    }
}

/* One case at one block. */
static void try_case(struct oracle_review *of, struct trial *trial, bool tries_mistakes,
                     bool is_small)
{
    static const enum probe_kind kinds[] = {PROBE_FLOAT, PROBE_EXACT_SWAPPED, PROBE_EXACT};

    if (!trial_init(of, trial)) {
        return;
    }
    of->problems++;
    if (!is_simple(of->oracle, trial)) {
        for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
            try_outputs(of, trial, kinds[i]);
        }
        return;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        draw_inputs(of, trial, of->review->seed, kinds[i]);
        if (!expect(of, trial, trial->expected, trial->magnitudes) ||
            !check_expected(of, trial, kinds[i]) || !check_again(of, trial) ||
            (of->oracle->expect_in_order != NULL && !check_in_order(of, trial))) {
            return;
        }
    }
    of->has_tried_mistakes = of->has_tried_mistakes || tries_mistakes;
    for (size_t i = 0; tries_mistakes && i < of->oracle->mistake_count; i++) {
        if (!try_mistake(of, trial, &of->told[i])) {
            return;
        }
    }
    if (is_small && of->oracle->needs != NULL && of->oracle->make_inputs == NULL) {
        check_needs(of, trial);
    }
}

/* All cases of one launch, until something is complained of. */
static void try_launch(struct oracle_review *of, const struct rubric_launch *launch)
{
    const struct rubric *rubric = of->rubric;
    const struct drawn_case *cases = NULL;
    size_t count = 0, failed = of->review->failed;

    cases_draw(of->review->arena, rubric, of->review->seed, &cases, &count);
    for (size_t i = 0; i < count && of->review->failed == failed; i++) {
        int64_t blocks[BLOCKS_MAX];
        size_t block_count = launch_blocks(rubric, launch, &cases[i], blocks, BLOCKS_MAX);
        for (size_t j = 0; j < block_count && of->review->failed == failed; j++) {
            struct arena *arena = arena_new();
            struct trial trial = {.arena = arena,
                                  .launch = launch,
                                  .case_id = rubric->cases[cases[i].case_index].id,
                                  .case_index = cases[i].case_index};
            if (launch_shape_find(rubric, launch, &cases[i], blocks[j], &trial.shape)) {
                try_case(of, &trial, j < MISTAKE_BLOCKS, j == 0);
            }
            arena_free(arena);
        }
    }
}

static bool is_judged(const struct rubric *rubric, size_t launch)
{
    for (size_t i = 0; i < rubric->criterion_count; i++) {
        const struct rubric_criterion *criterion = &rubric->criteria[i];
        if (criterion->kind == CRITERION_CORRECT && criterion->launch == launch) {
            return true;
        }
    }
    return false;
}

/* What only all cases together show of the mistakes. */
static void review_mistakes(struct oracle_review *of)
{
    for (size_t i = 0; i < of->oracle->mistake_count && of->has_tried_mistakes; i++) {
        const struct reported_mistake *told = &of->told[i];
        if (told->judged == 0) {
            review_note(of->review,
                        "oracle: the mistake '%s' differs from the right result in no case, so it "
                        "is never reported; add a case in which it differs, or leave it out",
                        told->mistake->name);
        }
        for (size_t j = 0; told->judged > 0 && j < i; j++) {
            if (of->told[j].judged > 0 && of->told[j].hash == told->hash) {
                review_note(of->review,
                            "oracle: the mistake '%s' gives the same results as '%s' in all cases, "
                            "so it is never reported",
                            told->mistake->name, of->told[j].mistake->name);
                break;
            }
        }
    }
}

void review_oracle(struct review *review, const struct rubric *rubric, const struct oracle *oracle)
{
    struct oracle_review of = {.review = review, .rubric = rubric, .oracle = oracle};
    size_t failed = review->failed;

    of.told = arena_array(review->arena, oracle->mistake_count, sizeof *of.told);
    for (size_t i = 0; i < oracle->mistake_count; i++) {
        of.told[i] = (struct reported_mistake){.mistake = &oracle->mistakes[i], .hash = hash_start};
    }
    for (size_t i = 0; i < rubric->launch_count; i++) {
        const char *lack = compare_lacks(review->arena, rubric, &rubric->launches[i], oracle);
        if (is_judged(rubric, i) && lack != NULL) {
            review_fail(review, "oracle: %s", lack);
        } else if (is_judged(rubric, i)) {
            try_launch(&of, &rubric->launches[i]);
        }
    }
    if (review->failed > failed) {
        return; /* what the mistakes yield says nothing then */
    }
    review_mistakes(&of);
    if (oracle->needs == NULL) {
        review_note(review,
                    "oracle: without needs(), no report shows the line that loads a wrong element");
    }
    if (of.left_out > 0) {
        review_note(review, "oracle: %zu cases with more than %d elements were not tried",
                    of.left_out, ELEMENTS_MAX);
    }
    if (review->failed == failed) {
        review_ok(review, "oracle: %zu cases, %zu named mistakes", of.problems,
                  oracle->mistake_count);
    }
}
