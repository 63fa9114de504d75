/* bank_conflicts_criterion.c: the criterion `bank-conflicts`: no line that accesses shared memory
 * needs more than `maximum_ratio` times the wavefronts it needs without conflicts.
 *
 * Nor does the launch as a whole need many more than its data fills (launch_traffic.h): lanes that
 * come one after another never meet in a bank.
 *
 * A kernel that never touches shared memory has no conflicts and passes; whether it should have
 * used it is another criterion's business.
 */
#include "criteria/outcome.h"

#include "criteria/case_text.h"
#include "criteria/traffic/access_pattern.h"

#include <inttypes.h>

static const char *access_noun(enum count_access access)
{
    return access == COUNT_READ ? "reads" : access == COUNT_WRITE ? "writes" : "atomics";
}

/* Atomics on one word take turns; reads of one do not, and of writes to one a single one is done.
 */
static struct advice conflict_advice(enum count_access access)
{
    return advise(access == COUNT_ATOMIC ? ADVICE_BANK_CONFLICTS_OF_ATOMICS : ADVICE_OF_CODE);
}

static struct cause conflict_cause(const struct criteria_input *input, struct arena *arena,
                                   const struct rubric_criterion *criterion,
                                   const struct access_cost *worst)
{
    const struct rubric_launch *launch = &input->rubric->launches[criterion->launch];
    const struct line_count *line = worst->line;
    bool is_hidden = observation_is_hidden(input, worst->observation);
    const char *figures =
        is_hidden ? ""
                  : arena_printf(arena, "%" PRIu64 " wavefronts instead of %" PRIu64 ", ",
                                 worst->needed, worst->least);
    struct cause cause = cause_advised(
        CODE_BANK_CONFLICTS,
        arena_printf(arena,
                     "%s of shared memory take %.3g times as long as without bank conflicts, "
                     "expected at most %.3g (%sup to %" PRIu32 "-way, for %s)",
                     access_noun(line->access), access_ratio(worst), criterion->maximum_ratio,
                     figures, worst->max_degree,
                     shape_text(input, arena, launch, worst->observation)),
        conflict_advice(line->access));

    cause.file = line->file;
    cause.line = line->line;
    cause.column = line->column;
    cause.label = arena_printf(arena, "up to %" PRIu32 " lanes of a warp meet in one bank",
                               worst->max_degree);
    return cause;
}

/* Each request does well, for the few lanes that make it. */
static struct cause few_lanes_cause(const struct criteria_input *input, struct arena *arena,
                                    const struct rubric_criterion *criterion,
                                    const struct launch_traffic *traffic)
{
    const char *message = arena_printf(
        arena,
        "%s of shared memory with %s take %.3g times the wavefronts that the data "
        "fills and one for each warp, expected at most %.3g%s",
        access_noun(traffic->access), lanes_text(arena, traffic), traffic_ratio(traffic),
        traffic_limit(criterion, COUNT_SHARED),
        traffic_figures(input, arena, &input->evidence->launch_runs[criterion->launch], traffic));

    return traffic_cause(arena, CODE_BANK_CONFLICTS, message, traffic);
}

static void add_evidence(const struct access_cost *worst, const struct access_cost *total,
                         const struct launch_traffic *traffic, struct verdict *verdict)
{
    verdict_add_integer(verdict, "wavefronts", (int64_t)total->needed);
    verdict_add_integer(verdict, "least_wavefronts", (int64_t)total->least);
    verdict_add_number(verdict, "ratio", access_ratio(total));
    verdict_add_number(verdict, "worst_ratio", access_ratio(worst));
    verdict_add_integer(verdict, "worst_degree", total->max_degree);
    verdict_add_number(verdict, "launch_ratio", traffic_ratio(traffic));
    if (worst->line != NULL) {
        verdict_add_text(verdict, "worst_file", worst->line->file);
        verdict_add_integer(verdict, "worst_line", worst->line->line);
    }
}

void bank_conflicts_criterion_judge(const struct criteria_input *input, struct arena *arena,
                                    struct verdict *verdict)
{
    const struct rubric_criterion *criterion = verdict->criterion;
    size_t launch = criterion->launch;
    struct access_cost worst;
    struct access_cost total;
    struct launch_traffic traffic;
    struct cause cause;

    if (settled_without_accesses(input, arena, verdict)) {
        return;
    }
    if (!worst_line(&input->evidence->launch_runs[launch], COUNT_SHARED, &worst, &total)) {
        outcome_uncounted(verdict);
        return;
    }
    traffic = worst_traffic(&input->evidence->launch_runs[launch], COUNT_SHARED);
    add_evidence(&worst, &total, &traffic, verdict);
    if (access_ratio(&worst) > criterion->maximum_ratio) {
        cause = conflict_cause(input, arena, criterion, &worst);
        outcome_fail(verdict, &cause, arena_printf(arena, "%" PRIu32 "-way", worst.max_degree));
        return;
    }
    if (traffic_is_too_much(&traffic, criterion, COUNT_SHARED)) {
        cause = few_lanes_cause(input, arena, criterion, &traffic);
        outcome_fail(verdict, &cause, lanes_text(arena, &traffic));
        return;
    }
    outcome_pass(verdict, total.requests == 0
                              ? "no shared memory"
                              : arena_printf(arena, "%.3g times the fewest wavefronts at most",
                                             access_ratio(&worst)));
}
