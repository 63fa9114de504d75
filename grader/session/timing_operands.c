/* timing_operands.c: see timing_operands.h. */
#include "session/timing_operands.h"

#include "model/case.h"
#include "session/inputs.h"
#include "session/session.h"

#include <math.h>
#include <string.h>

_Static_assert((int)TIMING_OPERANDS_MAX >= (int)RUBRIC_OPERANDS_MAX, "operands fit in a request");

/* How far the student's and the reference's element may lie apart, in u G: both may be off. */
#define TOLERANCE (2.0 * FLOAT_BOUND_UNITS)

/* Where only the oracle could say more: by how much of it an element may differ from the
 * reference's, and which part of the elements may differ by more. */
#define SIMILAR 0x1p-6
#define SIMILAR_SHARE 0.02

/* True if an output may differ by the rounding of its sums. */
static bool has_bound(const struct rubric *rubric, const struct rubric_operand *operand)
{
    return element_is_float(operand->type) &&
           (operand->compare.kind == COMPARE_BOUND || (operand->compare.kind == COMPARE_AS_USUAL &&
                                                       rubric->arithmetic == ARITHMETIC_EPSILON));
}

/* By how many units an output and the reference's may differ: either by its bound. */
static double tolerance_of(const struct timed_operands *timed, const struct rubric_operand *operand)
{
    struct case_scope scope = {.rubric = timed->connection->config->rubric,
                               .parameters = timed->observation->parameters,
                               .block = timed->observation->block};
    double additions = 0;

    if (operand->compare.additions != NULL &&
        expression_evaluate(operand->compare.additions, case_lookup, &scope, &additions, NULL) &&
        2 * additions > TOLERANCE) {
        return 2 * additions;
    }
    return TOLERANCE;
}

/* How an output is compared with the reference's. A rule that needs more than these two numbers is
 * replaced by one that shows that the work was done; `correct` holds outputs to the rule itself. */
static void describe_comparison(const struct timed_operands *timed,
                                const struct rubric_operand *operand, struct timing_operand *out)
{
    const struct compare_rule *rule = &operand->compare;
    bool needs_oracle = rule->kind == COMPARE_CHECK || rule->has_share || rule->of_magnitude > 0;

    if (needs_oracle) {
        out->comparison = TIMING_CLOSE;
        out->tolerance = SIMILAR;
        out->share = rule->has_share && rule->share > SIMILAR_SHARE ? rule->share : SIMILAR_SHARE;
    } else if (rule->kind == COMPARE_WITHIN) {
        out->comparison = TIMING_CLOSE;
        /* Both may be off. A unit in the last place of a number is at most this part of it, or the
         * smallest number. */
        const struct element_facts *facts = element_facts(operand->type);
        const double ulps = facts->digits > 0 ? rule->ulps : 0;
        out->absolute = 2 * (rule->absolute + ldexp(ulps, facts->least_exponent));
        out->tolerance = 2 * (rule->relative + ldexp(ulps, 1 - facts->digits));
    } else if (has_bound(timed->connection->config->rubric, operand)) {
        out->comparison = TIMING_MAGNITUDES;
        out->tolerance = tolerance_of(timed, operand);
    }
}

/* What the operands hold in each launch, where it cannot be drawn there. */
struct fixed_inputs {
    const void *drawn[RUBRIC_OPERANDS_MAX], *made[RUBRIC_OPERANDS_MAX]; /* NULL: is drawn there */
};

static bool is_plain(const struct input_domain *domain)
{
    return domain->distinct == 0 && domain->zero_share <= 0 && !domain->is_sorted &&
           !domain->is_permutation;
}

/* Makes inputs of which some must be as they are made: secret ones of the timed shape. */
static void make_inputs(const struct timed_operands *timed, struct fixed_inputs *out_inputs)
{
    struct session_oracle *oracle = timed->connection->config->oracle;
    struct probe_values probe = {
        .rubric = timed->connection->config->rubric,
        .launch = timed->launch,
        .observation = timed->observation,
        .seed = timed->secret,
        .kind = PROBE_FLOAT,
    };
    bool is_needed = false;

    probe.oracle = oracle != NULL ? session_oracle_get(oracle) : NULL;
    bool has_maker = probe.oracle != NULL && probe.oracle->make_inputs != NULL;
    for (size_t i = 0; i < timed->launch->operand_count; i++) {
        const struct input_domain domain =
            input_domain_of(probe.rubric, timed->launch, i, timed->observation);
        is_needed = is_needed || (operand_has_values(&timed->launch->operands[i]) &&
                                  (has_maker || !is_plain(&domain)));
    }
    if (!is_needed) {
        return;
    }
    probe_values_make(timed->connection->arena, &probe, out_inputs->made);
    if (has_maker) {
        probe.oracle = NULL;
        probe_values_make(timed->connection->arena, &probe, out_inputs->drawn);
    } else {
        memcpy(out_inputs->drawn, out_inputs->made, sizeof out_inputs->made);
    }
}

/* The input is the same in each launch. */
static enum error describe_copy(const struct timed_operands *timed, size_t operand,
                                const void *values, struct timing_operand *out,
                                struct diagnostic *diagnostic)
{
    const enum element_type type = timed->launch->operands[operand].type;
    const size_t bytes = (size_t)out->elements * element_bytes(type);
    void *absolute = arena_alloc(timed->connection->arena, bytes + 1);
    enum error error = connection_keep(timed->connection, values, bytes, &out->copy_of, diagnostic);

    out->copy_of_absolute = out->copy_of;
    if (error != ERROR_NONE || !element_is_float(type)) {
        return error;
    }
    for (size_t i = 0; i < out->elements; i++) {
        element_store(type, absolute, i, fabs(element_value(type, values, i)));
    }
    return connection_keep(timed->connection, absolute, bytes, &out->copy_of_absolute, diagnostic);
}

/* What an input holds: drawn for each launch if it can be. */
static enum error describe_input(const struct timed_operands *timed, size_t operand,
                                 const struct fixed_inputs *fixed, struct timing_operand *out,
                                 struct diagnostic *diagnostic)
{
    const enum element_type type = timed->launch->operands[operand].type;
    const struct element_facts *facts = element_facts(type);
    const struct input_domain domain = input_domain_of(timed->connection->config->rubric,
                                                       timed->launch, operand, timed->observation);
    const void *made = fixed->made[operand];
    const size_t bytes = (size_t)out->elements * element_bytes(type);
    bool is_made = made != NULL && memcmp(made, fixed->drawn[operand], bytes) != 0;

    if (made != NULL && (is_made || !is_plain(&domain))) {
        return describe_copy(timed, operand, made, out, diagnostic);
    }
    if (domain.has_range) {
        out->least = domain.least;
        out->most = domain.most;
    } else if (element_bytes(type) < 4 && !element_is_float(type)) {
        out->least = facts->lowest;
        out->most = facts->highest;
    }
    if (domain.has_range && out->least == 0 && out->most == 0) {
        diagnostic_set(diagnostic, BLAME_RUBRIC, "launch `%s` cannot be timed: %s is always 0",
                       timed->launch->id, timed->launch->operands[operand].name);
        return ERROR_COURSEWORK;
    }
    return ERROR_NONE;
}

enum error timing_describe_operands(const struct timed_operands *timed,
                                    struct timing_request *request, struct diagnostic *diagnostic)
{
    static const enum timing_type types[ELEMENT_TYPE_COUNT] = {
        [ELEMENT_F32] = TIMING_F32,   [ELEMENT_F64] = TIMING_F64, [ELEMENT_I32] = TIMING_I32,
        [ELEMENT_U32] = TIMING_U32,   [ELEMENT_I8] = TIMING_I8,   [ELEMENT_U8] = TIMING_U8,
        [ELEMENT_I16] = TIMING_I16,   [ELEMENT_U16] = TIMING_U16, [ELEMENT_F16] = TIMING_F16,
        [ELEMENT_BF16] = TIMING_BF16,
    };
    const struct rubric_launch *launch = timed->launch;
    struct fixed_inputs fixed = {{NULL}, {NULL}};
    enum error error = ERROR_NONE;

    make_inputs(timed, &fixed);
    request->operand_count = (uint32_t)launch->operand_count;
    for (size_t i = 0; i < launch->operand_count && error == ERROR_NONE; i++) {
        const struct rubric_operand *operand = &launch->operands[i];
        struct timing_operand *out = &request->operands[i];

        *out = (struct timing_operand){
            .type = types[operand->type],
            .is_output = operand->role != OPERAND_INPUT,
            .is_in_place = operand->role == OPERAND_IN_PLACE,
            .is_scratch = operand->role == OPERAND_SCRATCH,
            .is_zeroed = operand->role == OPERAND_OUTPUT && operand->starts_as_zero,
            .elements = timed->observation->element_counts[i],
            .counter = operand->is_counted ? (uint32_t)operand->counter + 1 : 0,
        };
        if (operand_is_result(operand)) {
            describe_comparison(timed, operand, out);
        }
        if (timing_is_filled(out)) {
            error = describe_input(timed, i, &fixed, out, diagnostic);
        }
    }
    return error;
}
