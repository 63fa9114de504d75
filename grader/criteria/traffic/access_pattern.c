/* access_pattern.c: see access_pattern.h. */
#include "criteria/traffic/access_pattern.h"

#include "criteria/outcome.h"
#include "criteria/preconditions/launch_preconditions.h"

#include <assert.h>

bool settled_without_accesses(const struct criteria_input *input, struct arena *arena,
                              struct verdict *verdict)
{
    size_t launch = verdict->criterion->launch;
    struct cause cause;

    if (precondition_launch(input, arena, launch, &cause) ||
        precondition_idle_kernel(input, arena, launch, &cause)) {
        outcome_fail(verdict, &cause, NULL);
        return true;
    }
    if (!input->is_emulated) {
        outcome_skip_unwatched(verdict);
    }
    return !input->is_emulated;
}

void outcome_uncounted(struct verdict *verdict)
{
    outcome_error(verdict, "the device did not count the accesses", ADVICE_GRADER_MISTAKE);
}

double access_ratio(const struct access_cost *cost)
{
    return cost->least == 0 ? 1.0 : (double)cost->needed / (double)cost->least;
}

static struct access_cost cost_of(const struct access_sum *sum, enum count_space space)
{
    bool is_shared = space == COUNT_SHARED;

    return (struct access_cost){
        .needed = is_shared ? sum->wavefronts : sum->sectors,
        .least = is_shared ? sum->least_wavefronts : sum->least_sectors,
        .requests = sum->requests,
        .max_degree = sum->max_degree,
    };
}

static bool is_worse(const struct access_cost *cost, const struct access_cost *than)
{
    double ratio = access_ratio(cost);
    double old = access_ratio(than);

    if (than->observation == NULL) {
        return true;
    }
    return ratio > old || (ratio == old && cost->needed > than->needed);
}

static void add_to_total(struct access_cost *total, const struct access_cost *cost)
{
    total->observation = cost->observation;
    total->needed += cost->needed;
    total->least += cost->least;
    total->requests += cost->requests;
    total->max_degree = cost->max_degree > total->max_degree ? cost->max_degree : total->max_degree;
}

/* What is searched for, and what was found. */
struct search {
    const struct rubric_launch *launch;
    enum count_space space;
    const bool *operands; /* NULL: lines are judged */
    struct access_cost worst, total;
};

static void look_at(struct search *search, struct access_cost cost)
{
    if (cost.requests == 0) {
        return;
    }
    add_to_total(&search->total, &cost);
    if (is_worse(&cost, &search->worst)) {
        search->worst = cost;
    }
}

static void look_at_lines(struct search *search, const struct observation *observation,
                          const struct launch_counts *counts)
{
    for (size_t i = 0; i < counts->line_count; i++) {
        struct access_cost cost = cost_of(&counts->lines[i].sum, search->space);
        cost.observation = observation;
        cost.line = &counts->lines[i];
        if (cost.line->space == search->space) {
            look_at(search, cost);
        }
    }
}

static void look_at_operands(struct search *search, const struct observation *observation,
                             const struct launch_counts *counts)
{
    for (size_t i = 0; i < search->launch->operand_count * COUNT_ACCESSES; i++) {
        const size_t operand = i / COUNT_ACCESSES;
        const enum count_access access = (enum count_access)(i % COUNT_ACCESSES);
        const struct access_sum *sum = &counts->operands[operand][access];
        struct access_cost cost = cost_of(sum, search->space);
        cost.observation = observation;
        cost.line = line_with(counts, access, sum);
        cost.operand = operand;
        if (search->operands[operand]) {
            look_at(search, cost);
        }
    }
}

bool worst_access(const struct launch_run *run, const struct rubric_launch *launch,
                  enum count_space space, const bool *operands, struct access_cost *out_worst,
                  struct access_cost *out_total)
{
    struct search search = {.launch = launch, .space = space, .operands = operands};

    for (size_t i = 0; i < run->observation_count; i++) {
        const struct observation *observation = &run->observations[i];
        for (size_t j = 0; j < observation->sample_count; j++) {
            const struct launch_counts *counts = &observation->samples[j].counts;
            if (!counts->is_counted) {
                return false;
            }
            if (operands == NULL) {
                look_at_lines(&search, observation, counts);
            } else {
                look_at_operands(&search, observation, counts);
            }
        }
    }
    *out_worst = search.worst;
    *out_total = search.total;
    return true;
}

/* Over what is allowed: at most 1 if the operand does well. */
static double badness(const struct rubric_criterion *criterion, const struct access_cost *worst,
                      const struct launch_traffic *traffic)
{
    double of_requests = access_ratio(worst) / criterion->maximum_ratio;
    double of_launch = traffic_ratio(traffic) / traffic_limit(criterion, COUNT_GLOBAL);

    return of_launch > of_requests ? of_launch : of_requests;
}

bool best_operand(const struct launch_run *run, const struct rubric_launch *launch,
                  const struct rubric_criterion *criterion, struct access_cost *out_worst,
                  struct access_cost *out_total, struct launch_traffic *out_traffic)
{
    struct access_cost best = {.observation = NULL};
    struct access_cost total_of_best = {.observation = NULL};
    struct launch_traffic traffic_of_best = {.requests = 0};

    for (size_t i = 0; i < launch->operand_count; i++) {
        bool only[RUBRIC_OPERANDS_MAX] = {false};
        struct access_cost worst;
        struct access_cost total;
        only[i] = criterion->operand_counts[i];
        if (!worst_access(run, launch, COUNT_GLOBAL, only, &worst, &total)) {
            return false;
        }
        struct launch_traffic traffic = worst_traffic(run, launch, COUNT_GLOBAL, only);
        if (worst.observation != NULL &&
            (best.observation == NULL ||
             badness(criterion, &worst, &traffic) < badness(criterion, &best, &traffic_of_best))) {
            best = worst;
            total_of_best = total;
            traffic_of_best = traffic;
        }
    }
    *out_worst = best;
    *out_total = total_of_best;
    *out_traffic = traffic_of_best;
    return true;
}

const char *count_access_verb(enum count_access access)
{
    static const char *const verbs[] = {"reads", "writes", "updates"};

    assert((unsigned)access < COUNT_ACCESSES);
    return verbs[access];
}
