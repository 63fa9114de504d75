/* element_rule.c: see element_rule.h. */
#include "criteria/results/element_rule.h"

#include "model/case.h"

#include <math.h>

static enum rule rule_as_usual(const struct problem *problem)
{
    const enum arithmetic arithmetic = problem->rubric->arithmetic;
    const bool is_float = element_is_float(problem->launch->operands[problem->output].type);

    if (arithmetic == ARITHMETIC_EXACT && is_float) {
        return RULE_BITS;
    }
    if (problem->sample->kind != PROBE_FLOAT || !is_float) {
        return RULE_EQUAL;
    }
    return arithmetic == ARITHMETIC_NO_FMAD ? RULE_IN_ORDER : RULE_BOUND;
}

struct rules rules_find(const struct problem *problem)
{
    const struct rubric_operand *operand = &problem->launch->operands[problem->output];
    const bool is_float = element_is_float(operand->type);
    struct rules rules = {.rule = rule_as_usual(problem),
                          .type = operand->type,
                          .compare = &operand->compare,
                          .units = FLOAT_BOUND_UNITS,
                          .roundoff = element_roundoff(operand->type)};
    struct case_scope scope = {.rubric = problem->rubric,
                               .parameters = problem->observation->parameters,
                               .block = problem->observation->block};
    double additions = 0.0;

    switch (operand->compare.kind) {
    case COMPARE_EXACT:
        rules.rule = is_float ? RULE_BITS : RULE_EQUAL;
        break;
    case COMPARE_BOUND:
        rules.rule = RULE_BOUND;
        if (operand->compare.additions != NULL &&
            expression_evaluate(operand->compare.additions, case_lookup, &scope, &additions,
                                NULL)) {
            rules.units = fmax(rules.units, additions);
            rules.rule = problem->sample->kind == PROBE_FLOAT ? RULE_BOUND : RULE_EQUAL;
        }
        break;
    case COMPARE_WITHIN:
        rules.rule = RULE_WITHIN;
        break;
    case COMPARE_AS_USUAL:
    case COMPARE_CHECK:
        break;
    }
    return rules;
}

static bool is_within(const struct element *element, const struct rules *rules)
{
    const struct compare_rule *rule = rules->compare;
    const double rounded = element_rounded(rules->type, element->expected);
    const double error = fmin(fabs(element->got - element->expected), fabs(element->got - rounded));
    double most = rule->absolute;

    most = fmax(most, rule->relative * fabs(element->expected));
    most = fmax(most, rule->ulps * element_ulp(rules->type, rounded));
    most = fmax(most, rule->of_magnitude * element->magnitude);
    return error <= most && !isnan(element->got);
}

bool element_is_right(const struct element *element, const struct rules *rules)
{
    if (element->is_free) {
        return true;
    }
    switch (rules->rule) {
    case RULE_EQUAL:
        return element_is_wide(rules->type)
                   ? element->got_integer == element->expected_integer
                   : element->got == element_rounded(rules->type, element->expected);
    case RULE_BITS:
        return element->got == element_rounded(rules->type, element->expected) &&
               signbit(element->got) == signbit(element->expected);
    case RULE_BOUND:
        return fabs(element->got - element->expected) <=
               rules->units * rules->roundoff * element->magnitude;
    case RULE_IN_ORDER:
        return element->got == element->in_order;
    case RULE_WITHIN:
        return is_within(element, rules);
    }
    return false;
}

/* "within 1e-05 of the expected value or 2 units in the last place" */
static const char *within_text(struct arena *arena, const struct compare_rule *rule)
{
    const struct {
        double value;
        const char *of;
    } parts[] = {
        {rule->absolute, " of the expected value"},
        {rule->relative, " times the expected value"},
        {rule->ulps, rule->ulps == 1 ? " unit in the last place" : " units in the last place"},
        {rule->of_magnitude, " times the sum of magnitudes"}};
    const char *text = "";

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (parts[i].value > 0) {
            text = arena_printf(arena, "%s%s%.3g%s", text, text[0] == '\0' ? "within " : " or ",
                                parts[i].value, parts[i].of);
        }
    }
    return text;
}

const char *tolerance_text(struct arena *arena, const struct rubric_operand *operand)
{
    const struct compare_rule *rule = &operand->compare;
    const char *text = NULL;

    switch (rule->kind) {
    case COMPARE_EXACT:
        text = "exactly the expected value";
        break;
    case COMPARE_BOUND:
        text = "the expected value, but for the rounding of honest sums";
        break;
    case COMPARE_WITHIN:
        text = within_text(arena, rule);
        break;
    case COMPARE_AS_USUAL:
    case COMPARE_CHECK:
        break;
    }
    if (!rule->has_share) {
        return text;
    }
    return arena_printf(arena, "%s, but for 1 of them or %.3g %%",
                        text != NULL ? text : "exactly the expected value", 100.0 * rule->share);
}
