/* access_criterion.c: the criteria `bank-conflicts` and `coalescing`: what accesses cost, over the
 * fewest possible.
 *
 * No line that accesses shared memory needs more than `maximum_ratio` times the wavefronts that it
 * needs without conflicts, and none that accesses global memory that many times the sectors that
 * the same bytes would need if they were adjacent. With `operands` the allocations of those
 * operands are judged instead, whichever lines access them: each of them, or, with `any_of`, the
 * one that does best. Besides, the launch as a whole is held to what it carries (launch_traffic.h):
 * lanes that come one after another never meet in a bank, and a lane alone never needs more sectors
 * than it must.
 *
 * This is no criterion of the kind count: it is about the worst line, not about one number of a
 * probe, and about all probes together. A kernel that never touches shared memory has no conflicts
 * and passes; whether it should have used it is another criterion's business.
 */
#include "criteria/outcome.h"

#include "criteria/case_text.h"
#include "criteria/kernel_name.h"
#include "criteria/preconditions/known_arrays.h"
#include "criteria/traffic/access_pattern.h"

#include <inttypes.h>

/* What is judged. */
struct judged {
    const struct criteria_input *input;
    struct arena *arena;
    const struct rubric_criterion *criterion;
    const struct rubric_launch *launch;
    enum count_space space;
};

/* Of one line or operand, of all accesses, and of the launch as a whole. */
struct costs {
    struct access_cost worst, total;
    struct launch_traffic traffic;
};

static const char *access_noun(enum count_access access)
{
    return access == COUNT_READ ? "reads" : access == COUNT_WRITE ? "writes" : "atomics";
}

/* "A and B": the operands that are judged. */
static const char *operands_text(const struct judged *judged)
{
    const char *list = "";

    for (size_t i = 0; i < judged->launch->operand_count; i++) {
        if (judged->criterion->operand_counts[i]) {
            list = arena_printf(judged->arena, "%s%s%s", list, list[0] == '\0' ? "" : " and ",
                                judged->launch->operands[i].name);
        }
    }
    return list;
}

/* "global memory", "B", "even B, the best of A and B," */
static const char *accessed_text(const struct judged *judged, size_t operand)
{
    if (judged->criterion->any_operand) {
        return arena_printf(judged->arena, "even %s, the best of %s,",
                            judged->launch->operands[operand].name, operands_text(judged));
    }
    return judged->criterion->has_operands ? judged->launch->operands[operand].name
                                           : "global memory";
}

/* "96 wavefronts instead of 24, ", "64 instead of 16, "; "" for a hidden shape. */
static const char *figures_text(const struct judged *judged, const struct access_cost *worst)
{
    return observation_is_hidden(judged->input, worst->observation)
               ? ""
               : arena_printf(judged->arena, "%" PRIu64 "%s instead of %" PRIu64 ", ",
                              worst->needed, judged->space == COUNT_SHARED ? " wavefronts" : "",
                              worst->least);
}

/* Atomics on one word take turns; reads of one do not, and of writes to one a single one is done.
 */
static struct cause conflict_cause(const struct judged *judged, const struct access_cost *worst)
{
    const bool is_atomic = worst->line->access == COUNT_ATOMIC;
    struct cause cause = cause_advised(
        CODE_BANK_CONFLICTS,
        arena_printf(judged->arena,
                     "%s of shared memory take %.3g times as long as without bank conflicts, "
                     "expected at most %.3g (%sup to %" PRIu32 "-way, for %s)",
                     access_noun(worst->line->access), access_ratio(worst),
                     judged->criterion->maximum_ratio, figures_text(judged, worst),
                     worst->max_degree,
                     shape_text(judged->input, judged->arena, judged->launch, worst->observation)),
        advise(is_atomic ? ADVICE_BANK_CONFLICTS_OF_ATOMICS : ADVICE_OF_CODE));

    cause.label = arena_printf(judged->arena, "up to %" PRIu32 " lanes of a warp meet in one bank",
                               worst->max_degree);
    return cause;
}

static struct cause uncoalesced_cause(const struct judged *judged, const struct access_cost *worst)
{
    const struct line_count *line = worst->line; /* there is one without operands */
    const char *verb = judged->criterion->has_operands || line == NULL
                           ? "accesses"
                           : count_access_verb(line->access);
    const double requests = (double)worst->requests;
    struct cause cause = cause_make(
        CODE_UNCOALESCED,
        arena_printf(judged->arena,
                     "`%s` %s %s in %.3g times the sectors of 32 bytes that the data needs, "
                     "expected at most %.3g (%sfor %s)",
                     kernel_name(judged->input, judged->launch), verb,
                     accessed_text(judged, worst->operand), access_ratio(worst),
                     judged->criterion->maximum_ratio, figures_text(judged, worst),
                     shape_text(judged->input, judged->arena, judged->launch, worst->observation)));

    if (line != NULL && worst->requests > 0) {
        cause.label = arena_printf(
            judged->arena, "a warp touches %.3g sectors on average, where %.3g would do",
            (double)worst->needed / requests, (double)worst->least / requests);
    }
    return cause;
}

/* Each request does well, for the few lanes that make it. */
static struct cause few_lanes_cause(const struct judged *judged,
                                    const struct launch_traffic *traffic)
{
    const bool is_shared = judged->space == COUNT_SHARED;
    const char *lanes = lanes_text(judged->arena, traffic);
    const char *accesses = is_shared
                               ? arena_printf(judged->arena, "%s of shared memory with %s take",
                                              access_noun(traffic->access), lanes)
                               : arena_printf(judged->arena, "`%s` %s %s with %s, in",
                                              kernel_name(judged->input, judged->launch),
                                              count_access_verb(traffic->access),
                                              accessed_text(judged, traffic->operand), lanes);
    const char *message = arena_printf(
        judged->arena,
        "%s %.3g times the %s that the data fills and one for each warp, expected at most %.3g%s",
        accesses, traffic_ratio(traffic), is_shared ? "wavefronts" : "sectors of 32 bytes",
        traffic_limit(judged->criterion, judged->space),
        traffic_figures(judged->input, judged->arena,
                        &judged->input->evidence->launch_runs[judged->criterion->launch], traffic));

    return traffic_cause(judged->arena, is_shared ? CODE_BANK_CONFLICTS : CODE_UNCOALESCED, message,
                         traffic);
}

static void add_evidence(const struct judged *judged, const struct costs *costs,
                         struct verdict *verdict)
{
    const bool is_shared = judged->space == COUNT_SHARED;
    const struct line_count *line = costs->worst.line;

    verdict_add_integer(verdict, is_shared ? "wavefronts" : "sectors",
                        (int64_t)costs->total.needed);
    verdict_add_integer(verdict, is_shared ? "least_wavefronts" : "least_sectors",
                        (int64_t)costs->total.least);
    verdict_add_number(verdict, "ratio", access_ratio(&costs->total));
    verdict_add_number(verdict, "worst_ratio", access_ratio(&costs->worst));
    if (is_shared) {
        verdict_add_integer(verdict, "worst_degree", costs->total.max_degree);
    }
    verdict_add_number(verdict, "launch_ratio", traffic_ratio(&costs->traffic));
    if (line != NULL) {
        verdict_add_text(verdict, "worst_file", line->file);
        verdict_add_integer(verdict, "worst_line", line->line);
    }
}

/* False if a probe was not counted. */
static bool count_accesses(const struct judged *judged, struct costs *costs)
{
    const struct rubric_criterion *criterion = judged->criterion;
    const struct launch_run *run = &judged->input->evidence->launch_runs[criterion->launch];

    if (criterion->any_operand) {
        return best_operand(run, judged->launch, criterion, &costs->worst, &costs->total,
                            &costs->traffic);
    }
    const bool *operands = criterion->has_operands ? criterion->operand_counts : NULL;
    costs->traffic = worst_traffic(run, judged->launch, judged->space, operands);
    return worst_access(run, judged->launch, judged->space, operands, &costs->worst, &costs->total);
}

static void fail_for_line(const struct judged *judged, const struct access_cost *worst,
                          struct verdict *verdict)
{
    const bool is_shared = judged->space == COUNT_SHARED;
    struct cause cause =
        is_shared ? conflict_cause(judged, worst) : uncoalesced_cause(judged, worst);

    if (worst->line != NULL) {
        cause.file = worst->line->file;
        cause.line = worst->line->line;
        cause.column = worst->line->column;
    }
    outcome_fail(verdict, &cause,
                 is_shared
                     ? arena_printf(judged->arena, "%" PRIu32 "-way", worst->max_degree)
                     : arena_printf(judged->arena, "%.3g times the sectors", access_ratio(worst)));
}

void access_criterion_judge(const struct criteria_input *input, struct arena *arena,
                            struct verdict *verdict)
{
    const struct rubric_criterion *criterion = verdict->criterion;
    const bool is_shared = criterion->kind == CRITERION_BANK_CONFLICTS;
    const struct judged judged = {
        .input = input,
        .arena = arena,
        .criterion = criterion,
        .launch = &input->rubric->launches[criterion->launch],
        .space = is_shared ? COUNT_SHARED : COUNT_GLOBAL,
    };
    struct costs costs;
    struct cause cause;

    if (settled_without_accesses(input, arena, verdict)) {
        return;
    }
    if (criterion->has_operands && precondition_unknown_array(input, arena, criterion->launch,
                                                              criterion->operand_counts, &cause)) {
        outcome_fail(verdict, &cause, NULL);
        return;
    }
    if (!count_accesses(&judged, &costs)) {
        outcome_uncounted(verdict);
        return;
    }
    add_evidence(&judged, &costs, verdict);
    if (access_ratio(&costs.worst) > criterion->maximum_ratio) {
        fail_for_line(&judged, &costs.worst, verdict);
    } else if (traffic_is_too_much(&costs.traffic, criterion, judged.space)) {
        cause = few_lanes_cause(&judged, &costs.traffic);
        outcome_fail(verdict, &cause, lanes_text(arena, &costs.traffic));
    } else if (is_shared && costs.total.requests == 0) {
        outcome_pass(verdict, "no shared memory");
    } else {
        outcome_pass(verdict, arena_printf(arena, "%.3g times the fewest %s at most",
                                           access_ratio(&costs.worst),
                                           is_shared ? "wavefronts" : "sectors"));
    }
}
