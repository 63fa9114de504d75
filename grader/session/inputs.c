/* inputs.c: see inputs.h. */
#include "session/inputs.h"

#include "base/rng.h"
#include "model/case.h"
#include "model/oracle_watch.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LARGE_INTEGER = 4095, FACTOR_INTEGER = 63 };

/* Numbers of streams beside the operands'. */
enum { POISON_STREAM = 1000, ORACLE_STREAM = 1002 };

/* The largest whole number that an exact probe writes to floats of a type, so that sums of some are
 * exact. */
static int64_t large_of_floats(enum element_type type, const struct input_plan *plan)
{
    const int digits = element_facts(type)->digits;
    const struct input_domain *domain = &plan->domain;
    const bool has_all_signs = /* in any order: sums of sorted ones grow */
        domain->distinct == 0 && !domain->is_sorted &&
        (!domain->has_range || domain->least == -domain->most);
    double large = digits >= 24 ? LARGE_INTEGER : digits > 8 ? 15 : 3;

    if (plan->additions >= 1) {
        double steps = has_all_signs ? 8 * sqrt(plan->additions) : plan->additions;
        large = fmin(large, floor(ldexp(1.0, digits < 53 ? digits : 52) / steps));
    }
    if (domain->has_range && plan->is_factor) {
        large = fmin(sqrt(large), FACTOR_INTEGER);
    }
    return large < 1 ? 1 : (int64_t)large;
}

static int64_t large_number(enum element_type type, const struct input_plan *plan)
{
    const double highest = element_facts(type)->highest;

    if (element_is_float(type)) {
        return large_of_floats(type, plan);
    }
    if (plan->largest > 0) {
        return plan->largest;
    }
    return highest < LARGE_INTEGER ? (int64_t)highest : LARGE_INTEGER;
}

static int64_t exact_limit(enum element_type type, const struct input_plan *plan)
{
    size_t large = probe_inputs(plan->kind) == PROBE_EXACT ? 0 : plan->input_count - 1;

    return plan->input == large || plan->domain.is_set ? large_number(type, plan) : 1;
}

/* How the numbers of one operand are drawn. */
struct drawing {
    struct rng rng;
    const struct input_plan *plan;
    enum element_type type;
    int64_t limit; /* of whole numbers without a range */
    double step;   /* of exact floats with a range */
};

static void drawing_init(struct drawing *drawing, const struct input_plan *plan,
                         enum element_type type)
{
    const struct input_domain *domain = &plan->domain;
    const double magnitude = fmax(fabs(domain->least), fabs(domain->most));

    *drawing =
        (struct drawing){.plan = plan, .type = type, .limit = exact_limit(type, plan), .step = 1.0};
    rng_init(&drawing->rng, plan->seed, plan->stream, (uint64_t)plan->kind, plan->input);
    if (domain->has_range && magnitude > 0) {
        drawing->step = exp2(ceil(log2(magnitude / (double)drawing->limit)));
    }
}

/* In (-1, 1). */
static double any_float(struct drawing *drawing)
{
    double value = (double)rng_float(&drawing->rng);

    return drawing->type == ELEMENT_F64 ? value + (double)rng_float(&drawing->rng) * 0x1p-24
                                        : value;
}

/* A number without a range. */
static double usual_number(struct drawing *drawing)
{
    if (drawing->plan->kind == PROBE_FLOAT && element_is_float(drawing->type)) {
        return any_float(drawing);
    }
    int64_t value = rng_range(&drawing->rng, -drawing->limit, drawing->limit);
    return (double)(value > 0 || element_is_signed(drawing->type) ? value : -value);
}

/* From 0 to 1, without 1. */
static double any_share(struct rng *rng)
{
    return (double)(rng_next(rng) >> 11) * 0x1p-53;
}

/* A multiple of the step in the range, if it holds one. */
static double exact_float(struct drawing *drawing)
{
    const struct input_domain *domain = &drawing->plan->domain;
    const double first = ceil(domain->least / drawing->step);
    const double last = floor(domain->most / drawing->step);

    return first <= last
               ? (double)rng_range(&drawing->rng, (int64_t)first, (int64_t)last) * drawing->step
               : domain->least;
}

static double number_of_range(struct drawing *drawing)
{
    const struct input_domain *domain = &drawing->plan->domain;

    if (!element_is_float(drawing->type)) {
        return (double)rng_range(&drawing->rng, (int64_t)domain->least, (int64_t)domain->most);
    }
    if (drawing->plan->kind != PROBE_FLOAT) {
        return exact_float(drawing);
    }
    double part = any_share(&drawing->rng);
    double value = domain->least + (domain->most - domain->least) * part;
    return fmin(fmax(element_rounded(drawing->type, value), domain->least), domain->most);
}

static double any_number(struct drawing *drawing)
{
    return drawing->plan->domain.has_range ? number_of_range(drawing) : usual_number(drawing);
}

enum { DIGIT_BITS = 11, DIGITS = 6 }; /* of 64 bits */

/* A key that is in the order of the numbers: of negative ones all bits are turned round. */
static uint64_t key_of(double number)
{
    uint64_t bits;

    memcpy(&bits, &number, sizeof bits);
    return bits ^ (bits >> 63 != 0 ? UINT64_MAX : UINT64_C(1) << 63);
}

static size_t digit_of(uint64_t key, int digit)
{
    return (size_t)(key >> (digit * DIGIT_BITS)) & ((1u << DIGIT_BITS) - 1);
}

/* Sorts by one digit after the other, the last first: qsort takes ten times as long for millions
 * of numbers. A digit that all have in common is skipped. */
static void sort_numbers(double *numbers, size_t count)
{
    size_t(*places)[1 << DIGIT_BITS] = calloc(DIGITS, sizeof *places);
    double *from = numbers, *to = malloc(count * sizeof *to), *spare = to;

    if (places == NULL || to == NULL) {
        abort();
    }
    for (size_t i = 0; i < count; i++) {
        const uint64_t key = key_of(numbers[i]);
        for (int digit = 0; digit < DIGITS; digit++) {
            places[digit][digit_of(key, digit)]++;
        }
    }
    for (int digit = 0; digit < DIGITS; digit++) {
        size_t *place = places[digit], before = 0;
        if (place[digit_of(key_of(numbers[0]), digit)] == count) {
            continue;
        }
        for (size_t i = 0; i < 1 << DIGIT_BITS; i++) {
            const size_t here = place[i];
            place[i] = before;
            before += here;
        }
        for (size_t i = 0; i < count; i++) {
            to[place[digit_of(key_of(from[i]), digit)]++] = from[i];
        }
        double *other = from;
        from = to;
        to = other;
    }
    if (from != numbers) {
        memcpy(numbers, from, count * sizeof *numbers);
    }
    free(spare);
    free(places);
}

/* Draws few different numbers, and takes one of them for each element. */
static void fill_with_few(struct drawing *drawing, double *out_numbers, size_t count)
{
    const uint64_t distinct = drawing->plan->domain.distinct;
    const size_t kept = distinct < count ? (size_t)distinct : count;
    double *few = calloc(kept + 1, sizeof *few);

    if (few == NULL) {
        abort();
    }
    for (size_t i = 0; i < kept; i++) {
        few[i] = any_number(drawing);
    }
    for (size_t i = 0; i < count; i++) {
        out_numbers[i] = few[rng_range(&drawing->rng, 0, (int64_t)kept - 1)];
    }
    free(few);
}

static void fill_permutation(struct rng *rng, double *out_numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t other = (size_t)rng_range(rng, 0, (int64_t)i);
        out_numbers[i] = out_numbers[other];
        out_numbers[other] = (double)i;
    }
}

/* All that a domain says. */
static void fill_domain(struct drawing *drawing, double *out_numbers, size_t count)
{
    const struct input_domain *domain = &drawing->plan->domain;

    if (domain->is_permutation) {
        fill_permutation(&drawing->rng, out_numbers, count);
        return;
    }
    if (domain->distinct > 0 && count > 0) {
        fill_with_few(drawing, out_numbers, count);
    } else {
        for (size_t i = 0; i < count; i++) {
            out_numbers[i] = any_number(drawing);
        }
    }
    for (size_t i = 0; domain->zero_share > 0 && i < count; i++) {
        if (any_share(&drawing->rng) < domain->zero_share) {
            out_numbers[i] = 0.0;
        }
    }
    if (domain->is_sorted && count > 1) {
        sort_numbers(out_numbers, count);
    }
}

void *input_values(struct arena *arena, const struct input_plan *plan, enum element_type type,
                   size_t count)
{
    void *values = arena_array(arena, count, element_bytes(type));
    struct drawing drawing;

    assert(plan->input < plan->input_count);
    drawing_init(&drawing, plan, type);
    if (!plan->domain.is_set) {
        for (size_t i = 0; i < count; i++) {
            element_store(type, values, i, usual_number(&drawing));
        }
        return values;
    }
    double *numbers = calloc(count + 1, sizeof *numbers);
    if (numbers == NULL) {
        abort();
    }
    fill_domain(&drawing, numbers, count);
    for (size_t i = 0; i < count; i++) {
        element_store(type, values, i, numbers[i]);
    }
    free(numbers);
    return values;
}

static double value_or(const struct expression *expression, struct case_scope *scope,
                       double otherwise)
{
    double value = otherwise;

    if (expression == NULL || !expression_evaluate(expression, case_lookup, scope, &value, NULL)) {
        return otherwise;
    }
    return value;
}

/* Rubrics are tried at some points only: between them an expression may give anything. */
static double within(double value, double least, double most)
{
    return value >= most ? most : value >= least ? value : least;
}

struct input_domain input_domain_of(const struct rubric *rubric, const struct rubric_launch *launch,
                                    size_t operand, const struct observation *observation)
{
    const struct value_domain *values = &launch->operands[operand].values;
    struct case_scope scope = {
        .rubric = rubric, .parameters = observation->parameters, .block = observation->block};

    if (observation->case_index < rubric->case_count) {
        const struct rubric_case *of = &rubric->cases[observation->case_index];
        for (size_t i = 0; i < of->input_count; i++) {
            if (strcmp(of->inputs[i].operand, launch->operands[operand].name) == 0) {
                values = &of->inputs[i].values;
            }
        }
    }
    if (launch->operands[operand].file == FILE_IMAGE && values->least == NULL) {
        return (struct input_domain){.is_set = true, .has_range = true, .least = 0, .most = 1};
    }
    const struct element_facts *facts = element_facts(launch->operands[operand].type);
    const double lowest = facts->digits > 0 ? facts->lowest : fmax(facts->lowest, -0x1p53);
    const double highest = facts->digits > 0 ? facts->highest : fmin(facts->highest, 0x1p53);
    const double least = within(value_or(values->least, &scope, 0), lowest, highest);
    return (struct input_domain){
        .is_set = values->is_set,
        .has_range = values->least != NULL,
        .least = least,
        .most = within(value_or(values->most, &scope, 0), least, highest),
        .distinct = values->distinct == NULL
                        ? 0
                        : (uint64_t)within(value_or(values->distinct, &scope, 1), 1, 0x1p32),
        .zero_share = values->zero_share,
        .is_sorted = values->is_sorted,
        .is_permutation = values->is_permutation,
    };
}

/* Bytes that differ in each kind of probe. */
static uint32_t small_poison(const struct input_plan *plan)
{
    const uint32_t step = 0x35u * (uint32_t)plan->kind; /* odd times a number below 8 */
    struct rng rng;
    uint32_t pattern = 0;

    rng_init(&rng, plan->seed, plan->stream, PROBE_COUNT, POISON_STREAM);
    uint32_t secret = (uint32_t)rng_next(&rng);
    for (unsigned shift = 0; shift < 32; shift += 8) {
        pattern |= (((secret >> shift) + step) & 0xffu) << shift;
    }
    return pattern;
}

uint32_t output_poison(const struct input_plan *plan, enum element_type type)
{
    struct rng rng;

    rng_init(&rng, plan->seed, plan->stream, (uint64_t)plan->kind, POISON_STREAM);
    uint32_t secret = (uint32_t)rng_next(&rng);
    if (type == ELEMENT_F16) {
        return 0x7E007E00u | (secret & 0x00FF00FFu);
    }
    if (type == ELEMENT_BF16) {
        return 0x7FC07FC0u | (secret & 0x001F001Fu);
    }
    return element_bytes(type) < sizeof(uint32_t) ? small_poison(plan)
                                                  : 0x7FF80000u | (secret & 0x7FFFFu);
}

size_t operand_input_count(const struct rubric_launch *launch)
{
    size_t count = 0;

    for (size_t i = 0; i < launch->operand_count; i++) {
        count += operand_has_values(&launch->operands[i]) ? 1 : 0;
    }
    return count;
}

static size_t float_input_count(const struct rubric_launch *launch)
{
    size_t count = 0;

    for (size_t i = 0; i < launch->operand_count; i++) {
        const struct rubric_operand *operand = &launch->operands[i];
        count += operand_has_values(operand) && element_is_float(operand->type) ? 1 : 0;
    }
    return count;
}

/* The additions of the longest sum that a result is said to be; 0: none is. */
static double additions_of(const struct probe_values *of)
{
    struct case_scope scope = {.rubric = of->rubric,
                               .parameters = of->observation->parameters,
                               .block = of->observation->block};
    double most = 0.0;

    for (size_t i = 0; i < of->launch->operand_count; i++) {
        most = fmax(most, value_or(of->launch->operands[i].compare.additions, &scope, 0));
    }
    return most;
}

/* The poison, or zeros. */
static void *initial_output(struct arena *arena, const struct input_plan *plan,
                            const struct rubric_operand *operand, size_t bytes)
{
    unsigned char *before = arena_alloc(arena, bytes); /* of zeros */
    uint32_t pattern = output_poison(plan, operand->type);

    for (size_t i = 0; !operand->starts_as_zero && i < bytes; i += sizeof pattern) {
        memcpy(before + i, &pattern, bytes - i < sizeof pattern ? bytes - i : sizeof pattern);
    }
    return before;
}

/* Lets the oracle change the inputs. */
static void let_oracle_make(const struct probe_values *of, const void *const *values)
{
    struct posed_problem problem;
    struct rng rng;

    if (of->oracle != NULL && of->oracle->make_inputs != NULL) {
        problem_pose(of->rubric, of->launch, of->observation, values, &problem);
        rng_init(&rng, of->seed, of->stream, (uint64_t)of->kind, ORACLE_STREAM);
        oracle_make_inputs(of->oracle, of->launch, &problem, &rng);
    }
}

/* Rounds the numbers of an image to those that its file can hold. */
static void round_image(const struct probe_values *of, size_t operand, const void *values)
{
    float *pixels = (float *)(uintptr_t)values; /* of the arena */

    for (size_t i = 0; i < of->observation->element_counts[operand]; i++) {
        pixels[i] = floorf(fminf(fmaxf(pixels[i], 0.0f), 1.0f) * 255.0f) / 255.0f;
    }
}

void probe_values_make(struct arena *arena, const struct probe_values *of,
                       const void *out_values[RUBRIC_OPERANDS_MAX])
{
    struct input_plan plan = {
        .seed = of->seed,
        .stream = of->stream,
        .kind = of->kind,
        .input_count = operand_input_count(of->launch),
        .is_factor = float_input_count(of->launch) > 1,
        .additions = additions_of(of),
    };

    for (size_t i = 0; i < of->launch->operand_count; i++) {
        const struct rubric_operand *operand = &of->launch->operands[i];
        const size_t count = of->observation->element_counts[i];
        if (operand_has_values(operand)) {
            plan.largest = operand->largest;
            plan.domain = input_domain_of(of->rubric, of->launch, i, of->observation);
            out_values[i] = input_values(arena, &plan, operand->type, count);
            plan.input++;
        } else {
            out_values[i] =
                initial_output(arena, &plan, operand, count * element_bytes(operand->type));
        }
    }
    let_oracle_make(of, out_values);
    for (size_t i = 0; i < of->launch->operand_count; i++) {
        if (of->launch->operands[i].file == FILE_IMAGE) {
            round_image(of, i, out_values[i]);
        }
    }
}
