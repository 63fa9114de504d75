/* result_check.c: see result_check.h.
 *
 * The oracle is asked what other inputs would give: needs that were not read taken for 0, elements
 * in the order they were read in the place of those that are needed. If that is the value that the
 * thread stored, the claim explains it, and nothing went on that no access shows.
 */
#include "diagnosis/dataflow/result_check.h"

#include "model/oracle_watch.h"

#include <math.h>
#include <string.h>

enum { WARP_THREADS = 32 };

/* Bits that an operand may lose: with half it loses 13 of 24, with bfloat16 16. */
enum { LOST_BITS_MIN = 8, LOST_BITS_MAX = 17 };

/* An error up to this part of the sum of magnitudes is one of precision: sums in half, cut off. */
#define IMPRECISE_RATIO 0x1p-4

/* What the oracle makes of other inputs: copies that may be changed. */
struct supposition {
    struct oracle_problem problem;
    const void *inputs[RUBRIC_OPERANDS_MAX];
    char *copies[RUBRIC_OPERANDS_MAX];
    double *expected, *magnitudes;
};

static void supposition_init(const struct fault_search *search, struct supposition *suppose)
{
    const struct trace_flow *flow = &search->flow;
    size_t elements = search->problem.output_count;

    suppose->problem = search->problem;
    suppose->problem.inputs = suppose->inputs;
    suppose->expected = arena_array(search->arena, elements, sizeof(double));
    suppose->magnitudes = arena_array(search->arena, elements, sizeof(double));
    for (size_t i = 0; i < flow->input_count; i++) {
        size_t operand = flow->input_operand[i];
        size_t bytes = element_bytes(flow->launch->operands[operand].type) *
                       search->trace->element_counts[operand];
        suppose->copies[i] = arena_alloc(search->arena, bytes);
        memcpy(suppose->copies[i], search->posed.inputs[i], bytes);
        suppose->inputs[i] = suppose->copies[i];
    }
}

/* Puts the value of one element in the place of another of the same input; FLOW_NONE: 0. */
static void suppose_value(const struct fault_search *search, struct supposition *suppose,
                          uint32_t element, uint32_t from)
{
    size_t input = flow_input(&search->flow, element);
    size_t operand = search->flow.input_operand[input];
    size_t bytes = element_bytes(search->flow.launch->operands[operand].type);
    char *place = suppose->copies[input] + flow_index(&search->flow, element) * bytes;

    if (from == FLOW_NONE) {
        memset(place, 0, bytes);
    } else {
        memcpy(place,
               (const char *)search->posed.inputs[input] + flow_index(&search->flow, from) * bytes,
               bytes);
    }
}

/* True if the result is what the oracle computes from the supposed inputs. */
static bool supposition_holds(const struct fault_search *search, struct supposition *suppose,
                              uint32_t result)
{
    const struct flow_result *of = &search->flow.results[result];

    oracle_expect(search->input->oracle, &suppose->problem, suppose->expected, suppose->magnitudes);
    return fabs(of->value - suppose->expected[of->element]) <=
           fault_tolerance(search, search->magnitudes[of->element]);
}

/* True if the value is what is left when the needs that were not read are taken for 0. */
static bool explained_by_lack(struct fault_search *search, uint32_t result)
{
    struct supposition suppose;
    struct thread_facts facts;

    supposition_init(search, &suppose);
    fault_thread_facts(search, result, &facts);
    for (size_t i = 0; i < search->flow.input_count; i++) {
        const struct input_facts *of = &facts.inputs[i];
        for (size_t j = 0; j < of->need_count; j++) {
            if (search->block.use_mark[of->needs[j]] != search->block.mark) {
                suppose_value(search, &suppose, of->needs[j], FLOW_NONE);
            }
        }
    }
    return supposition_holds(search, &suppose, result);
}

/* True if the value is what comes of the elements in the order they were read, each in the place
 * of the need of the same number. */
static bool explained_by_order(struct fault_search *search, uint32_t result)
{
    struct supposition suppose;
    struct thread_facts facts;

    supposition_init(search, &suppose);
    fault_thread_facts(search, result, &facts);
    for (size_t i = 0; i < search->flow.input_count; i++) {
        const struct input_facts *of = &facts.inputs[i];
        if (of->use_count != of->need_count || facts.result_count != 1) {
            return false;
        }
        for (size_t j = 0; j < of->need_count; j++) {
            suppose_value(search, &suppose, of->needs[j],
                          search->flow.accesses[of->uses[j]].element);
        }
    }
    return supposition_holds(search, &suppose, result);
}

/* Claims against values *************************************************************************/

/* True if another thread of the same warp uses an element, and might hand it over: where it lies in
 * shared memory, the thread would read it there. */
static bool warp_uses(const struct fault_search *search, uint32_t thread, uint32_t element)
{
    const struct trace_flow *flow = &search->flow;
    uint32_t first = thread / WARP_THREADS * WARP_THREADS;
    uint32_t end =
        first + WARP_THREADS < flow->thread_count ? first + WARP_THREADS : flow->thread_count;

    for (uint32_t i = flow->thread_first[first]; i < flow->thread_first[end]; i++) {
        const struct flow_access *known = &flow->accesses[flow->order[i]];
        if (known->element == element && !known->staged &&
            search->trace->accesses[flow->order[i]].kind == TRACE_READ) {
            return true;
        }
    }
    return false;
}

/* True if only the needs from number `from` on count: the sum was set anew before them. */
static bool only_last_count(struct fault_search *search, uint32_t result, size_t from)
{
    struct supposition suppose;
    struct thread_facts facts;

    supposition_init(search, &suppose);
    fault_thread_facts(search, result, &facts);
    for (size_t i = 0; i < search->flow.input_count; i++) {
        const struct input_facts *of = &facts.inputs[i];
        for (size_t j = 0; j < of->need_count && j < from; j++) {
            suppose_value(search, &suppose, of->needs[j], FLOW_NONE);
        }
    }
    return supposition_holds(search, &suppose, result);
}

/* Looks for a sum that was set anew: before the last tile, or before the last product. */
static bool find_part(struct fault_search *search, struct claim *claim)
{
    struct thread_facts facts;
    int64_t block = search->trace->request.block;

    fault_thread_facts(search, claim->result, &facts);
    size_t count = facts.inputs[0].need_count;
    if (facts.result_count != 1 || count < 2 || search->flow.input_count < 2) {
        return false; /* no sum of products */
    }
    if (block > 1 && (size_t)block < count &&
        only_last_count(search, claim->result, count - (size_t)block)) {
        claim->count = (uint32_t)block;
    } else if (only_last_count(search, claim->result, count - 1)) {
        claim->count = 1;
    } else {
        return false;
    }
    claim->kind = CLAIM_PART;
    return true;
}

/* True if the wrong results are all the same multiple of what is right, or all as far from it:
 * that may happen at the sum's start, at its end or at each product. */
static bool is_uniform(const struct fault_search *search)
{
    double ratio = NAN;
    double difference = NAN;
    bool same_ratio = true;
    bool same_difference = true;

    for (size_t i = 0; i < search->flow.result_count; i++) {
        const struct flow_result *result = &search->flow.results[i];
        double expected = search->expected[result->element];
        double tolerance = fault_tolerance(search, search->magnitudes[result->element]);
        if (!search->is_wrong[i]) {
            continue;
        }
        if (isnan(ratio)) {
            ratio = result->value / expected;
            difference = result->value - expected;
        }
        same_ratio =
            same_ratio && fabs(result->value - ratio * expected) <= tolerance * (1.0 + fabs(ratio));
        same_difference =
            same_difference && fabs(result->value - expected - difference) <= 2.0 * tolerance;
    }
    return search->wrong_count > 1 && (same_ratio || same_difference);
}

/* True if the wrong results are all so near to what is expected that only precision was lost. */
static bool is_imprecise(const struct fault_search *search)
{
    for (size_t i = 0; i < search->flow.result_count; i++) {
        const struct flow_result *result = &search->flow.results[i];
        double error = fabs(result->value - search->expected[result->element]);
        if (search->is_wrong[i] &&
            !(error <= IMPRECISE_RATIO * search->magnitudes[result->element])) {
            return false;
        }
    }
    return true;
}

/* Takes all inputs of 32-bit floats with fewer bits, cut off or rounded to nearest. */
static void suppose_rounded(const struct fault_search *search, struct supposition *suppose,
                            uint32_t lost_bits, bool to_nearest)
{
    for (size_t i = 0; i < search->flow.input_count; i++) {
        size_t operand = search->flow.input_operand[i];
        if (search->flow.launch->operands[operand].type != ELEMENT_F32) {
            continue;
        }
        for (size_t j = 0; j < search->trace->element_counts[operand]; j++) {
            uint32_t bits;
            memcpy(&bits, (const char *)search->posed.inputs[i] + j * sizeof bits, sizeof bits);
            uint32_t odd = bits >> lost_bits & 1;
            bits += to_nearest ? (UINT32_C(1) << (lost_bits - 1)) - 1 + odd : 0;
            bits = bits >> lost_bits << lost_bits;
            memcpy(suppose->copies[i] + j * sizeof bits, &bits, sizeof bits);
        }
    }
}

/* True if the result is what the inputs give that are rounded when they are used. */
static bool explained_by_rounding(struct fault_search *search, uint32_t result)
{
    struct supposition suppose;

    supposition_init(search, &suppose);
    for (uint32_t lost = LOST_BITS_MIN; lost <= LOST_BITS_MAX; lost++) {
        for (int to_nearest = 0; to_nearest < 2; to_nearest++) {
            suppose_rounded(search, &suppose, lost, to_nearest != 0);
            if (supposition_holds(search, &suppose, result)) {
                return true;
            }
        }
    }
    return false;
}

/* Everything was read: looks closer at the values. */
static bool refine_arithmetic(struct fault_search *search, struct claim *claim)
{
    const struct flow_result *result = &search->flow.results[claim->result];

    if (!isfinite(result->value)) {
        claim->kind = CLAIM_NOT_FINITE;
        claim->access = result->access;
        return true;
    }
    if (find_part(search, claim)) {
        return true;
    }
    if (is_imprecise(search)) {
        claim->kind = CLAIM_ROUNDED_USE;
        return explained_by_rounding(search, claim->result);
    }
    return !is_uniform(search);
}

/* A need that the thread does not read may reach it in a sum, which leaves its mark in the value.
 */
static bool has_sums(struct fault_search *search, uint32_t result)
{
    struct thread_facts facts;

    fault_thread_facts(search, result, &facts);
    return facts.unknown != FLOW_NONE;
}

bool confirm_claim(struct fault_search *search, struct claim *claim)
{
    uint32_t thread = search->flow.results[claim->result].thread;

    if (claim->kind == CLAIM_ARITHMETIC) {
        return refine_arithmetic(search, claim);
    }
    if (claim->kind == CLAIM_READS_SHORT && !explained_by_lack(search, claim->result)) {
        claim->kind = CLAIM_NEVER_READ;
    }
    if (claim->kind == CLAIM_NEVER_READ && has_sums(search, claim->result)) {
        return explained_by_lack(search, claim->result);
    }
    if (claim->kind == CLAIM_NEVER_READ && search->block.stored[claim->element] == FLOW_NONE &&
        warp_uses(search, thread, claim->element)) {
        return explained_by_lack(search, claim->result) ||
               explained_by_order(search, claim->result);
    }
    if (claim->kind == CLAIM_READ && search->flow.accesses[claim->access].linked == FLOW_NONE) {
        return explained_by_order(search, claim->result);
    }
    return true;
}

bool claim_is_shown(struct fault_search *search, const struct claim *claim)
{
    return explained_by_lack(search, claim->result) || explained_by_order(search, claim->result);
}
