/* coalescing_criterion.c: the criterion `coalescing`: accesses to global memory touch at most
 * `maximum_ratio` times the sectors that the same bytes would need if they were adjacent.
 *
 * Judged line by line; with `operands` by the allocations of those operands instead, whichever
 * lines access them: of each of them, or, with `any_of`, of the one that does best. Besides, the
 * launch as a whole is held to what it carries (launch_traffic.h): a lane alone never needs more
 * sectors than it must.
 */
#include "criteria/outcome.h"

#include "criteria/case_text.h"
#include "criteria/kernel_name.h"
#include "criteria/traffic/access_pattern.h"

#include <inttypes.h>

/* "A and B": the operands that are judged. */
static const char *operands_text(struct arena *arena, const struct rubric_criterion *criterion,
                                 const struct rubric_launch *launch)
{
    const char *list = "";

    for (size_t i = 0; i < launch->operand_count; i++) {
        if (criterion->operand_counts[i]) {
            list = arena_printf(arena, "%s%s%s", list, list[0] == '\0' ? "" : " and ",
                                launch->operands[i].name);
        }
    }
    return list;
}

/* "global memory", "B", "even B, the best of A and B," */
static const char *accessed_text(struct arena *arena, const struct rubric_criterion *criterion,
                                 const struct rubric_launch *launch, size_t operand)
{
    if (criterion->any_operand) {
        return arena_printf(arena, "even %s, the best of %s,", launch->operands[operand].name,
                            operands_text(arena, criterion, launch));
    }
    return criterion->has_operands ? launch->operands[operand].name : "global memory";
}

/* "a warp touches 16 sectors on average, where 4 would do" */
static const char *sectors_label(struct arena *arena, const struct access_cost *worst)
{
    const double requests = (double)worst->requests;

    return worst->requests == 0
               ? NULL
               : arena_printf(arena, "a warp touches %.3g sectors on average, where %.3g would do",
                              (double)worst->needed / requests, (double)worst->least / requests);
}

static struct cause uncoalesced_cause(const struct criteria_input *input, struct arena *arena,
                                      const struct rubric_criterion *criterion,
                                      const struct access_cost *worst)
{
    const struct rubric_launch *launch = &input->rubric->launches[criterion->launch];
    const struct line_count *line = worst->line; /* there is one without operands */
    const char *verb =
        criterion->has_operands || line == NULL ? "accesses" : count_access_verb(line->access);
    bool is_hidden = observation_is_hidden(input, worst->observation);
    const char *figures = is_hidden ? ""
                                    : arena_printf(arena, "%" PRIu64 " instead of %" PRIu64 ", ",
                                                   worst->needed, worst->least);
    struct cause cause = cause_make(
        CODE_UNCOALESCED,
        arena_printf(arena,
                     "`%s` %s %s in %.3g times the sectors of 32 bytes that the data needs, "
                     "expected at most %.3g (%sfor %s)",
                     kernel_name(input, launch), verb,
                     accessed_text(arena, criterion, launch, worst->operand), access_ratio(worst),
                     criterion->maximum_ratio, figures,
                     shape_text(input, arena, launch, worst->observation)));

    if (line != NULL) {
        cause.file = line->file;
        cause.line = line->line;
        cause.column = line->column;
        cause.label = sectors_label(arena, worst);
    }
    return cause;
}

/* Each request does well, for the few lanes that make it. */
static struct cause few_lanes_cause(const struct criteria_input *input, struct arena *arena,
                                    const struct rubric_criterion *criterion,
                                    const struct launch_traffic *traffic)
{
    const struct rubric_launch *launch = &input->rubric->launches[criterion->launch];
    const char *message = arena_printf(
        arena,
        "`%s` %s %s with %s, in %.3g times the sectors of 32 bytes that the data "
        "fills and one for each warp, expected at most %.3g%s",
        kernel_name(input, launch), count_access_verb(traffic->access),
        accessed_text(arena, criterion, launch, traffic->operand), lanes_text(arena, traffic),
        traffic_ratio(traffic), traffic_limit(criterion, COUNT_GLOBAL),
        traffic_figures(input, arena, &input->evidence->launch_runs[criterion->launch], traffic));

    return traffic_cause(arena, CODE_UNCOALESCED, message, traffic);
}

static void add_evidence(const struct access_cost *worst, const struct access_cost *total,
                         const struct launch_traffic *traffic, struct verdict *verdict)
{
    verdict_add_integer(verdict, "sectors", (int64_t)total->needed);
    verdict_add_integer(verdict, "least_sectors", (int64_t)total->least);
    verdict_add_number(verdict, "ratio", access_ratio(total));
    verdict_add_number(verdict, "worst_ratio", access_ratio(worst));
    verdict_add_number(verdict, "launch_ratio", traffic_ratio(traffic));
    if (worst->line != NULL) {
        verdict_add_text(verdict, "worst_file", worst->line->file);
        verdict_add_integer(verdict, "worst_line", worst->line->line);
    }
}

/* False if a probe was not counted. */
static bool count_accesses(const struct rubric_criterion *criterion,
                           const struct rubric_launch *launch, const struct launch_run *run,
                           struct access_cost *worst, struct access_cost *total,
                           struct launch_traffic *traffic)
{
    if (criterion->any_operand) {
        return best_operand(run, launch, criterion, worst, total, traffic);
    }
    *traffic = criterion->has_operands
                   ? worst_traffic_of_operands(run, launch, criterion->operand_counts)
                   : worst_traffic(run, COUNT_GLOBAL);
    return criterion->has_operands
               ? worst_operand(run, launch, criterion->operand_counts, worst, total)
               : worst_line(run, COUNT_GLOBAL, worst, total);
}

void coalescing_criterion_judge(const struct criteria_input *input, struct arena *arena,
                                struct verdict *verdict)
{
    const struct rubric_criterion *criterion = verdict->criterion;
    size_t launch = criterion->launch;
    const struct launch_run *run = &input->evidence->launch_runs[launch];
    struct access_cost worst;
    struct access_cost total;
    struct launch_traffic traffic;
    struct cause cause;

    if (settled_without_accesses(input, arena, verdict)) {
        return;
    }
    if (!count_accesses(criterion, &input->rubric->launches[launch], run, &worst, &total,
                        &traffic)) {
        outcome_uncounted(verdict);
        return;
    }
    add_evidence(&worst, &total, &traffic, verdict);
    if (access_ratio(&worst) > criterion->maximum_ratio) {
        cause = uncoalesced_cause(input, arena, criterion, &worst);
        outcome_fail(verdict, &cause,
                     arena_printf(arena, "%.3g times the sectors", access_ratio(&worst)));
        return;
    }
    if (traffic_is_too_much(&traffic, criterion, COUNT_GLOBAL)) {
        cause = few_lanes_cause(input, arena, criterion, &traffic);
        outcome_fail(verdict, &cause, lanes_text(arena, &traffic));
        return;
    }
    outcome_pass(verdict, arena_printf(arena, "%.3g times the fewest sectors at most",
                                       access_ratio(&worst)));
}
