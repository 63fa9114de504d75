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

static void worst_line_of_sample(const struct observation *observation,
                                 const struct launch_counts *counts, enum count_space space,
                                 struct access_cost *worst, struct access_cost *total)
{
    for (size_t i = 0; i < counts->line_count; i++) {
        if (counts->lines[i].space != space) {
            continue;
        }
        struct access_cost cost = cost_of(&counts->lines[i].sum, space);
        cost.observation = observation;
        cost.line = &counts->lines[i];
        if (cost.requests == 0) {
            continue;
        }
        add_to_total(total, &cost);
        if (is_worse(&cost, worst)) {
            *worst = cost;
        }
    }
}

bool worst_line(const struct launch_run *run, enum count_space space, struct access_cost *out_worst,
                struct access_cost *out_total)
{
    *out_worst = (struct access_cost){.observation = NULL};
    *out_total = (struct access_cost){.observation = NULL};
    for (size_t i = 0; i < run->observation_count; i++) {
        const struct observation *observation = &run->observations[i];
        for (size_t j = 0; j < observation->sample_count; j++) {
            const struct launch_counts *counts = &observation->samples[j].counts;
            if (!counts->is_counted) {
                return false;
            }
            worst_line_of_sample(observation, counts, space, out_worst, out_total);
        }
    }
    return true;
}

static void worst_operand_of_sample(const struct observation *observation,
                                    const struct launch_counts *counts, const bool *wanted,
                                    size_t operand_count, struct access_cost *worst,
                                    struct access_cost *total)
{
    for (size_t i = 0; i < operand_count * COUNT_ACCESSES; i++) {
        size_t operand = i / COUNT_ACCESSES;
        enum count_access access = (enum count_access)(i % COUNT_ACCESSES);
        const struct access_sum *sum = &counts->operands[operand][access];
        struct access_cost cost = cost_of(sum, COUNT_GLOBAL);
        cost.observation = observation;
        cost.line = line_with(counts, access, sum);
        cost.operand = operand;
        if (!wanted[operand] || cost.requests == 0) {
            continue;
        }
        add_to_total(total, &cost);
        if (is_worse(&cost, worst)) {
            *worst = cost;
        }
    }
}

bool worst_operand(const struct launch_run *run, const struct rubric_launch *launch,
                   const bool *counts, struct access_cost *out_worst, struct access_cost *out_total)
{
    *out_worst = (struct access_cost){.observation = NULL};
    *out_total = (struct access_cost){.observation = NULL};
    for (size_t i = 0; i < run->observation_count; i++) {
        const struct observation *observation = &run->observations[i];
        for (size_t j = 0; j < observation->sample_count; j++) {
            const struct launch_counts *of_sample = &observation->samples[j].counts;
            if (!of_sample->is_counted) {
                return false;
            }
            worst_operand_of_sample(observation, of_sample, counts, launch->operand_count,
                                    out_worst, out_total);
        }
    }
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
        if (!worst_operand(run, launch, only, &worst, &total)) {
            return false;
        }
        struct launch_traffic traffic = worst_traffic_of_operands(run, launch, only);
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
