/* value_faults.c: see value_faults.h. */
#include "diagnosis/dataflow/value_faults.h"

#include "criteria/results/wrong_result.h"
#include "model/oracle_watch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NEEDS_MAX = 4096, WRONG_MAX = PARTED_MAX / 2, ALIKE_MIN = 2 };

/* Of what is added too often: rounding is far below it. */
static const double SUM_TOLERANCE = 1e-4;

/* Of floats that an oracle gets: products of two of them are numbers still. */
static const double FACTOR_MAX = 1e18;

const struct observation *followed_observation(const struct criteria_input *input,
                                               const struct followed_call *followed)
{
    const struct launch_run *run = &input->evidence->launch_runs[followed->launch];
    size_t at = 0;

    while (at + 1 < run->observation_count &&
           (run->observations[at].case_index != followed->case_index ||
            run->observations[at].repetition != followed->repetition)) {
        at++;
    }
    return &run->observations[at];
}

/* The oracle ********************************************************************************/

/* A sample that was followed, and what it poses. */
static bool pose(const struct criteria_input *input, const struct followed_call *followed,
                 struct problem *out_problem)
{
    const struct observation *observation = followed_observation(input, followed);

    for (size_t i = 0; i < observation->sample_count; i++) {
        const struct sample *sample = &observation->samples[i];
        if (sample->kind == (enum probe_kind)followed->probe && sample->status == SAMPLE_DONE) {
            problem_init(input->rubric, &input->rubric->launches[followed->launch], observation,
                         sample, followed->operand, out_problem);
            return true;
        }
    }
    return false;
}

/* What is expected of an element of the output. */
static double expected_of(const struct criteria_input *input, const struct problem *problem,
                          size_t element)
{
    struct oracle_results results =
        oracle_expect_output(input->oracle, problem->launch, &problem->posed, problem->output);
    const double expected = results.expected[element];

    oracle_results_free(&results);
    return expected;
}

/* Which of the oracle's inputs an operand is. */
static size_t number_of_input(const struct rubric_launch *launch, uint32_t operand)
{
    size_t number = 0;

    for (size_t i = 0; i < operand; i++) {
        number += operand_has_values(&launch->operands[i]) ? 1 : 0;
    }
    return number;
}

/* True if another value of an element, which another element of the same input has, would change
 * what is expected of a result. */
static bool decides_result(const struct criteria_input *input, const struct followed_call *followed,
                           size_t result, const struct operand_element *from)
{
    const struct rubric_launch *launch = &input->rubric->launches[followed->launch];
    struct arena *arena = arena_new();
    const size_t number = number_of_input(launch, from->operand);
    struct problem problem;
    bool decides = false;

    if (pose(input, followed, &problem) && oracle_expects(input->oracle, launch)) {
        const size_t bytes = element_bytes(launch->operands[from->operand].type);
        const size_t count = problem.posed.input_counts[number];
        char *copy = arena_alloc(arena, count * bytes + 1);
        char *place = copy + from->element * bytes;
        size_t other = 0;
        memcpy(copy, problem.posed.inputs[number], count * bytes);
        while (other < count && memcmp(copy + other * bytes, place, bytes) == 0) {
            other++;
        }
        if (from->element < count && other < count) {
            const double before = expected_of(input, &problem, result);
            memcpy(place, copy + other * bytes, bytes);
            problem.posed.inputs[number] = copy;
            decides = expected_of(input, &problem, result) != before;
        }
    }
    arena_free(arena);
    return decides;
}

/* What is to be asked **********************************************************************/

static int compare_needs(const void *left, const void *right)
{
    const struct operand_element *one = left;
    const struct operand_element *other = right;

    if (one->operand != other->operand) {
        return one->operand < other->operand ? -1 : 1;
    }
    return one->element < other->element ? -1 : one->element > other->element;
}

/* The operands that are the oracle's inputs, in its order; returns how many there are. */
static size_t list_inputs(const struct rubric_launch *launch,
                          uint32_t out_operands[RUBRIC_OPERANDS_MAX])
{
    size_t count = 0;

    for (size_t i = 0; i < launch->operand_count; i++) {
        if (operand_has_values(&launch->operands[i])) {
            out_operands[count++] = (uint32_t)i;
        }
    }
    return count;
}

static void list_needs(const struct criteria_input *input, struct arena *arena,
                       const struct problem *problem, const struct rubric_launch *launch,
                       struct parted_value *value)
{
    struct oracle_need *needs = arena_array(arena, NEEDS_MAX, sizeof *needs);
    uint32_t inputs[RUBRIC_OPERANDS_MAX];
    const size_t input_count = list_inputs(launch, inputs);
    const size_t count =
        oracle_needs(input->oracle, &problem->posed.oracle, value->element, needs, NEEDS_MAX);

    if (count > NEEDS_MAX) {
        return;
    }
    struct operand_element *elements = arena_array(arena, count + 1, sizeof *elements);
    for (size_t i = 0; i < count; i++) {
        if (needs[i].input >= input_count ||
            launch->operands[inputs[needs[i].input]].is_in_host_memory) {
            return;
        }
        elements[i] = (struct operand_element){inputs[needs[i].input], needs[i].element};
    }
    qsort(elements, count, sizeof *elements, compare_needs);
    value->needs = elements;
    value->need_count = count;
}

void value_faults_ask(const struct criteria_input *input, struct arena *arena,
                      const struct observation *observation, const struct sample *sample,
                      struct followed_call *request)
{
    const struct rubric_launch *launch = &input->rubric->launches[request->launch];
    const size_t right_count = request->count - request->wrong_count;
    const size_t wrong = request->wrong_count < WRONG_MAX ? request->wrong_count : WRONG_MAX;
    const size_t right = right_count < PARTED_MAX - wrong ? right_count : PARTED_MAX - wrong;
    struct problem problem;
    size_t results = 0;

    for (size_t i = 0; i < launch->operand_count; i++) {
        results += operand_is_result(&launch->operands[i]) ? 1 : 0;
    }
    request->parted_count = 0;
    if (results != 1 || input->oracle->needs == NULL) {
        return;
    }
    problem_init(input->rubric, launch, observation, sample, request->operand, &problem);
    for (size_t i = 0; i < wrong + right; i++) {
        const bool is_wrong = i < wrong;
        const size_t at = is_wrong ? i * request->wrong_count / wrong
                                   : request->wrong_count + (i - wrong) * right_count / right;
        struct parted_value *value = &request->parted[request->parted_count++];
        *value = (struct parted_value){.element = request->elements[at], .is_wrong = is_wrong};
        list_needs(input, arena, &problem, launch, value);
    }
}

/* What was found ***************************************************************************/

/* The parts of one value, beside its needs. */
struct part_facts {
    size_t others, first_other; /* parts that it does not need */
    size_t often, first_often;  /* parts that are there in more ways than most */
    uint32_t usual;             /* in how many ways most are */
};

static bool is_need(const struct parted_value *value, const struct operand_element *element)
{
    return bsearch(element, value->needs, value->need_count, sizeof *value->needs, compare_needs) !=
           NULL;
}

/* The number of ways in which most of the parts are there; 0 if none has more than half of them. */
static uint32_t usual_count(const struct parted_value *value)
{
    uint32_t usual = 0;
    size_t votes = 0;

    for (size_t i = 0; i < value->part_count; i++) {
        usual = votes == 0 ? value->parts[i].count : usual;
        votes += value->parts[i].count == usual ? 1 : (size_t)-1;
    }
    votes = 0;
    for (size_t i = 0; i < value->part_count; i++) {
        votes += value->parts[i].count == usual ? 1 : 0;
    }
    return votes > value->part_count / 2 ? usual : 0;
}

/* True if a value needs anything of an operand: others decide what is read, as the starts of rows,
 * and the oracle does not list them. */
static bool needs_any_of(const struct parted_value *value, uint32_t operand)
{
    for (size_t i = 0; i < value->need_count; i++) {
        if (value->needs[i].operand == operand) {
            return true;
        }
    }
    return false;
}

static struct part_facts facts_of(const struct parted_value *value)
{
    struct part_facts facts = {.usual = usual_count(value)};

    for (size_t i = 0; i < value->part_count; i++) {
        const struct value_part *part = &value->parts[i];
        if (!needs_any_of(value, part->from.operand)) {
            continue;
        }
        if (!is_need(value, &part->from)) {
            facts.first_other = facts.others++ == 0 ? i : facts.first_other;
        } else if (part->count > facts.usual && facts.usual > 0) {
            facts.first_often = facts.often++ == 0 ? i : facts.first_often;
        }
    }
    return facts;
}

static bool is_usable(const struct parted_value *value)
{
    return value->is_known && value->need_count > 0;
}

/* What the right results show to be no fault. */
struct tolerated {
    bool others, missing, often;
};

static struct tolerated find_tolerated(const struct criteria_input *input,
                                       const struct followed_call *followed)
{
    struct tolerated tolerated = {.often = true}; /* unless a right result has all parts alike */
    bool is_often = false;

    for (size_t i = 0; i < followed->parted_count; i++) {
        const struct parted_value *value = &followed->parted[i];
        if (is_usable(value) && !value->is_wrong) {
            const struct part_facts facts = facts_of(value);
            const bool lacks = value->missing_count > 0;
            const bool is_chance =
                lacks && (facts.others > 0 || decides_result(input, followed, value->element,
                                                             &value->needs[value->first_missing]));
            tolerated.others |= facts.others > 0 && !is_chance;
            tolerated.missing |= lacks && !is_chance && !followed->is_mostly_wrong;
            is_often = is_often || facts.often > 0 || facts.usual == 0;
            tolerated.often = tolerated.often && value->part_count < ALIKE_MIN;
        }
    }
    tolerated.often = tolerated.often || is_often;
    return tolerated;
}

static bool is_same_line(const struct trace_line *left, const struct trace_line *right)
{
    return left->line == right->line && left->line > 0 && strcmp(left->file, right->file) == 0;
}

/* True if a right result has a part that a line loads. */
static bool loads_rightly(const struct followed_call *followed, const struct trace_line *load)
{
    for (size_t i = 0; i < followed->parted_count; i++) {
        const struct parted_value *value = &followed->parted[i];
        for (size_t k = 0; k < value->part_count && !value->is_wrong; k++) {
            if (is_same_line(&value->parts[k].load, load)) {
                return true;
            }
        }
    }
    return false;
}

/* True if there are right results whose last read of some part is in a line. */
static bool reads_rightly(const struct followed_call *followed, const struct trace_line *read)
{
    for (size_t i = 0; i < followed->parted_count; i++) {
        const struct parted_value *value = &followed->parted[i];
        for (size_t k = 0; k < value->part_count && !value->is_wrong; k++) {
            if (is_same_line(&value->parts[k].read, read)) {
                return true;
            }
        }
    }
    return false;
}

/* Values that are added up several times *******************************************************/

/* The lowest and the highest value that an oracle surely takes for an element: it may use integers
 * as places, so those are as in the input, but floats are numbers. */
static void find_range(enum element_type type, const void *elements, size_t count, double *out_low,
                       double *out_high)
{
    *out_low = element_is_float(type) ? fmax(element_facts(type)->lowest, -FACTOR_MAX) : 0;
    *out_high = element_is_float(type) ? fmin(element_facts(type)->highest, FACTOR_MAX) : 0;
    for (size_t i = 0; i < count && !element_is_float(type); i++) {
        const double value = element_value(type, elements, i);
        *out_low = i == 0 || value < *out_low ? value : *out_low;
        *out_high = i == 0 || value > *out_high ? value : *out_high;
    }
}

/* The elements of an operand, those that a value needs times how often they get into it; NULL if an
 * oracle may not take them. */
static void *times_counts(struct arena *arena, const struct parted_value *value,
                          const struct rubric_operand *type, uint32_t operand, const void *elements,
                          size_t count)
{
    const size_t bytes = element_bytes(type->type);
    void *copy = arena_alloc(arena, count * bytes + 1);
    double low, high;

    find_range(type->type, elements, count, &low, &high);
    memcpy(copy, elements, count * bytes);
    for (size_t i = 0; i < value->part_count; i++) {
        const struct value_part *part = &value->parts[i];
        const size_t at = part->from.element;
        if (part->from.operand == operand && at < count && is_need(value, &part->from)) {
            const double times = element_value(type->type, elements, at) * part->count;
            if (!(times >= low && times <= high)) {
                return NULL;
            }
            element_store(type->type, copy, at, times);
        }
    }
    return copy;
}

/* True if a wrong result is what comes of adding the elements of an operand up as often as they get
 * there, instead of once: what the oracle expects if each is so many times as large. */
static bool is_sum_of_counts(const struct criteria_input *input,
                             const struct followed_call *followed, const struct parted_value *value,
                             uint32_t operand)
{
    const struct rubric_launch *launch = &input->rubric->launches[followed->launch];
    const size_t number = number_of_input(launch, operand);
    struct arena *arena = arena_new();
    struct problem problem;
    bool is_it = false;

    if (pose(input, followed, &problem) && oracle_expects(input->oracle, launch)) {
        const double got = element_value(launch->operands[followed->operand].type,
                                         problem.sample->after[followed->operand], value->element);
        const void *times =
            times_counts(arena, value, &launch->operands[operand], operand,
                         problem.posed.inputs[number], problem.posed.input_counts[number]);
        if (times != NULL) {
            const double once = expected_of(input, &problem, value->element);
            problem.posed.inputs[number] = times;
            const double often = expected_of(input, &problem, value->element);
            is_it = fabs(got - often) <= SUM_TOLERANCE * fabs(often - once);
        }
    }
    arena_free(arena);
    return is_it;
}

/* A wrong result that is what comes of adding up elements that get there several times: then that
 * is what is wrong with all of them. */
static struct value_fault find_sum(const struct criteria_input *input,
                                   const struct followed_call *followed)
{
    const struct parted_value *value = followed->parted;
    const struct parted_value *end = value + followed->parted_count;
    struct value_fault fault = {.kind = FAULT_NONE};
    uint32_t tried = UINT32_MAX;

    while (value < end && !(value->is_wrong && is_usable(value) && value->missing_count == 0)) {
        value++;
    }
    for (size_t i = 0; value < end && i < value->part_count; i++) {
        const struct value_part *part = &value->parts[i];
        if (part->count <= 1 || part->count == UINT32_MAX || part->read.line == 0 ||
            !is_need(value, &part->from)) {
            continue;
        }
        if (fault.kind == FAULT_NONE && part->from.operand != tried) {
            tried = part->from.operand;
            fault = (struct value_fault){
                .kind = is_sum_of_counts(input, followed, value, tried) ? FAULT_ADDED : FAULT_NONE,
                .element = value->element,
                .line = part->read,
                .part = part->from,
                .load = part->load,
                .most = part->from,
                .times = part->count,
                .most_times = part->count,
                .usual_times = 1};
        } else if (part->from.operand == fault.part.operand && part->count > fault.most_times) {
            fault.most = part->from;
            fault.most_times = part->count;
        }
    }
    return fault;
}

/* The line that brings a part in: the last read; but its load, if nothing loads what is missing, or
 * if right results are read there too and none of what they have is loaded as the part is. */
static struct trace_line guilty_line(const struct followed_call *followed,
                                     const struct parted_value *value,
                                     const struct value_part *part)
{
    const bool is_not_there = value->missing_count > 0 && value->fate.line == 0;

    return is_not_there ||
                   (reads_rightly(followed, &part->read) && !loads_rightly(followed, &part->load))
               ? part->load
               : part->read;
}

static struct value_fault fault_of(const struct followed_call *followed,
                                   const struct parted_value *value,
                                   const struct tolerated *tolerated)
{
    const struct part_facts facts = facts_of(value);
    struct value_fault fault = {.kind = FAULT_NONE, .element = value->element};

    if (facts.others > 0 && !tolerated->others) {
        const struct value_part *part = &value->parts[facts.first_other];
        fault.kind = FAULT_OTHER;
        fault.part = part->from;
        fault.line = guilty_line(followed, value, part);
        fault.load = part->load;
        fault.lacks = value->missing_count > 0 && !tolerated->missing;
        fault.missing = fault.lacks ? value->needs[value->first_missing] : fault.missing;
    } else if (value->missing_count > 0 && !tolerated->missing && !value->decides) {
        fault.kind = FAULT_LOST;
        fault.part = value->needs[value->first_missing];
        fault.line = value->fate;
        fault.is_only_loaded = value->is_only_loaded;
    } else if (facts.often > 0 && !tolerated->often) {
        const struct value_part *part = &value->parts[facts.first_often];
        fault.kind = FAULT_OFTEN;
        fault.part = part->from;
        fault.line = guilty_line(followed, value, part);
        fault.times = part->count;
        fault.usual_times = facts.usual;
    } else if (facts.others == 0 && value->missing_count == 0) {
        fault.kind = FAULT_COMPUTED;
    }
    return fault;
}

static bool is_alike(const struct value_fault *left, const struct value_fault *right)
{
    return left->kind == right->kind &&
           (is_same_line(&left->line, &right->line) || left->line.line == right->line.line);
}

/* True if the oracle agrees: what is missing makes another result, and what gets in does not. */
static bool is_proven(const struct criteria_input *input, const struct followed_call *followed,
                      const struct value_fault *fault)
{
    switch (fault->kind) {
    case FAULT_LOST:
        return decides_result(input, followed, fault->element, &fault->part);
    case FAULT_OTHER:
        return !decides_result(input, followed, fault->element, &fault->part) &&
               (!fault->lacks || decides_result(input, followed, fault->element, &fault->missing));
    default:
        return true;
    }
}

struct value_fault value_faults_find(const struct criteria_input *input,
                                     const struct followed_call *followed)
{
    const struct tolerated tolerated = find_tolerated(input, followed);
    struct value_fault faults[PARTED_MAX];
    struct value_fault best = {.kind = FAULT_NONE};
    size_t best_votes = 0;
    size_t count = 0;

    for (size_t i = 0; i < followed->parted_count; i++) {
        const struct parted_value *value = &followed->parted[i];
        if (value->is_wrong && is_usable(value)) {
            faults[count++] = fault_of(followed, value, &tolerated);
        }
    }
    for (size_t i = 0; i < count; i++) {
        size_t votes = 0;
        for (size_t k = 0; k < count; k++) {
            votes += is_alike(&faults[i], &faults[k]) ? 1 : 0;
        }
        if (votes > best_votes) {
            best = faults[i];
            best_votes = votes;
        }
    }
    if (best_votes * 2 < count || !is_proven(input, followed, &best)) {
        return (struct value_fault){.kind = FAULT_NONE};
    }
    const struct value_fault sum = best.kind == FAULT_COMPUTED ? find_sum(input, followed) : best;
    return sum.kind == FAULT_NONE ? best : sum;
}

/* True if a wrong value has the fault of a claim: the very one, if the claim is about it. */
static bool has_fault(const struct parted_value *value, const struct part_claim *claim)
{
    bool is_part = false;

    for (size_t i = 0; i < value->part_count; i++) {
        is_part = is_part || compare_needs(&value->parts[i].from, &claim->part) == 0;
    }
    switch (claim->kind) {
    case PART_LACKS:
        return value->element == claim->result ? !is_part : value->missing_count > 0;
    case PART_IS_OTHER:
        return value->element == claim->result ? is_part : facts_of(value).others > 0;
    case PARTS_ARE_NONE:
        return value->part_count == 0;
    default:
        return true;
    }
}

bool value_faults_confirm(const struct followed_call *followed, const struct part_claim *claim)
{
    bool has_any = false;
    bool is_known = false;

    for (size_t i = 0; i < followed->parted_count; i++) {
        const struct parted_value *value = &followed->parted[i];
        if (value->is_wrong && is_usable(value)) {
            if (value->element == claim->result) {
                return has_fault(value, claim);
            }
            has_any = has_any || has_fault(value, claim);
            is_known = true;
        }
    }
    return claim->kind == PARTS_NOT_MEANT || (is_known ? has_any : claim->is_shown);
}
