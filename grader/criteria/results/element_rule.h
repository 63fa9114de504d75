/* element_rule.h: how one element of an output must relate to what is expected of it; compare.h
 * says it for instructors.
 */
#ifndef GPUGRADE_CRITERIA_RESULTS_ELEMENT_RULE_H
#define GPUGRADE_CRITERIA_RESULTS_ELEMENT_RULE_H

#include "criteria/results/compare.h"

enum rule { RULE_EQUAL, RULE_BITS, RULE_BOUND, RULE_IN_ORDER, RULE_WITHIN };

/* What holds for all elements of a sample. */
struct rules {
    enum rule rule;
    enum element_type type;
    const struct compare_rule *compare;
    double units;    /* of the bound */
    double roundoff; /* u */
};

/* One element, and whether it is right by the rule of its probe. */
struct element {
    double got, expected, magnitude, in_order;
    int64_t got_integer, expected_integer; /* of i64 and u64 */
    bool is_free;
};

/* The rules of an output in the probe of the problem's sample. */
struct rules rules_find(const struct problem *problem);

bool element_is_right(const struct element *element, const struct rules *rules);

#endif
