/* coalescing_criterion.c: the criterion `coalescing`: accesses to global memory touch at most
 * `maximum_ratio` times the sectors that the same bytes would need if they were adjacent.
 *
 * Judged line by line; with `operands` by the allocations of those operands instead, whichever
 * lines access them: of each of them, or, with `any_of`, of the one that does best.
 */
#include "criteria/outcome.h"

#include "criteria/access_pattern.h"
#include "criteria/case_text.h"
#include "criteria/kernel_name.h"

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

/* "reads global memory", "accesses B", "accesses even B, the best of A and B," */
static const char *access_text(struct arena *arena, const struct rubric_criterion *criterion,
                               const struct rubric_launch *launch, const struct access_cost *worst)
{
    if (criterion->any_operand) {
        return arena_printf(arena, "accesses even %s, the best of %s,",
                            launch->operands[worst->operand].name,
                            operands_text(arena, criterion, launch));
    }
    if (criterion->has_operands) {
        return arena_printf(arena, "accesses %s", launch->operands[worst->operand].name);
    }
    return arena_printf(arena, "%s global memory", count_access_verb(worst->line->access));
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
    bool is_hidden = observation_is_hidden(input, worst->observation);
    const char *figures = is_hidden ? ""
                                    : arena_printf(arena, "%" PRIu64 " instead of %" PRIu64 ", ",
                                                   worst->needed, worst->least);
    struct cause cause = cause_make(
        CODE_UNCOALESCED,
        arena_printf(arena,
                     "`%s` %s in %.3g times the sectors of 32 bytes that the data needs, expected "
                     "at most %.3g (%sfor %s)",
                     kernel_name(input, launch), access_text(arena, criterion, launch, worst),
                     access_ratio(worst), criterion->maximum_ratio, figures,
                     shape_text(input, arena, launch, worst->observation)),
        "let threads that are neighbours in x access neighbours in memory");

    if (worst->line != NULL) {
        cause.file = worst->line->file;
        cause.line = worst->line->line;
        cause.column = worst->line->column;
        cause.label = sectors_label(arena, worst);
    }
    return cause;
}

static void add_evidence(const struct access_cost *worst, const struct access_cost *total,
                         struct verdict *verdict)
{
    verdict_add_integer(verdict, "sectors", (int64_t)total->needed);
    verdict_add_integer(verdict, "least_sectors", (int64_t)total->least);
    verdict_add_number(verdict, "ratio", access_ratio(total));
    verdict_add_number(verdict, "worst_ratio", access_ratio(worst));
    if (worst->line != NULL) {
        verdict_add_text(verdict, "worst_file", worst->line->file);
        verdict_add_integer(verdict, "worst_line", worst->line->line);
    }
}

/* False if a probe was not counted. */
static bool count_accesses(const struct rubric_criterion *criterion,
                           const struct rubric_launch *launch, const struct launch_run *run,
                           struct access_cost *worst, struct access_cost *total)
{
    if (criterion->any_operand) {
        return best_operand(run, launch, criterion->operand_counts, worst, total);
    }
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
    struct cause cause;

    if (settled_without_accesses(input, arena, verdict)) {
        return;
    }
    if (!count_accesses(criterion, &input->rubric->launches[launch], run, &worst, &total)) {
        outcome_uncounted(verdict);
        return;
    }
    add_evidence(&worst, &total, verdict);
    if (access_ratio(&worst) > criterion->maximum_ratio) {
        cause = uncoalesced_cause(input, arena, criterion, &worst);
        outcome_fail(verdict, &cause,
                     arena_printf(arena, "%.3g times the sectors", access_ratio(&worst)));
        return;
    }
    outcome_pass(verdict, arena_printf(arena, "%.3g times the fewest sectors at most",
                                       access_ratio(&worst)));
}
