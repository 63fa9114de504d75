/* saved_loads_criterion.c: the criterion `saved-loads`: the kernel loads as many times less from
 * its inputs as the rubric's ratio says than a given kernel that shares nothing.
 *
 * Both kernels were run, the baseline by a launch of the same program, and every byte that active
 * lanes load from the allocations of the inputs was counted, so the ratio is exact: for a product
 * in tiles it equals the tile's block width, in every probe of every case. Fewer loads pass too.
 * What counts besides: load_limits.h.
 *
 * A baseline that loads more would raise the bound, and it runs in the student's process. So its
 * kernel is one of the harness's modules (session), its results are compared as well, and it writes
 * each element of its outputs once: a launch of the given kernel with more threads, or with other
 * arguments, breaks one of these.
 */
#include "criteria/outcome.h"

#include "criteria/case_text.h"
#include "criteria/kernel_name.h"
#include "criteria/preconditions/launch_preconditions.h"
#include "criteria/preconditions/preconditions.h"
#include "criteria/results/compare.h"
#include "criteria/results/wrong_result.h"
#include "criteria/traffic/load_limits.h"
#include "criteria/traffic/same_probe.h"
#include "model/case.h"

#include <inttypes.h>

static bool evaluate_ratio(const struct load_rule *rule, const struct observation *observation,
                           double *out_ratio)
{
    struct case_scope scope = observation_scope(rule->input->rubric, observation);

    return expression_evaluate(rule->criterion->ratio, case_lookup, &scope, out_ratio, NULL) &&
           *out_ratio > 0.0;
}

/* The baseline's bytes, and those over the ratio. */
static const char *bounds(const struct load_rule *rule, const struct sample *sample,
                          struct load_traffic *traffic)
{
    const struct rubric_launch *baseline =
        &rule->input->rubric->launches[rule->criterion->baseline];
    const struct observation *observation = NULL;
    const struct sample *of_baseline = same_probe(
        rule->input->rubric, &rule->input->evidence->launch_runs[rule->criterion->baseline],
        traffic->observation, sample, &observation);
    double ratio = 0.0;

    if (of_baseline == NULL) {
        return "the baseline was not launched for the same sizes";
    }
    if (!of_baseline->counts.is_counted) {
        return "the device did not count the accesses";
    }
    if (!evaluate_ratio(rule, traffic->observation, &ratio)) {
        return "ratio has no value for this case";
    }
    traffic->unshared = (double)input_bytes_loaded(rule->criterion, baseline, &of_baseline->counts);
    traffic->maximum = traffic->unshared / ratio;
    return traffic->maximum > 0.0 ? NULL : "the baseline loads nothing from the inputs";
}

static void add_evidence(const struct load_rule *rule, const struct load_traffic *worst,
                         struct verdict *verdict)
{
    const struct rubric_launch *baseline =
        &rule->input->rubric->launches[rule->criterion->baseline];

    if (observation_is_hidden(rule->input, worst->observation)) {
        return;
    }
    verdict_add_text(verdict, "shape", load_shape_text(rule, worst));
    verdict_add_text(verdict, "baseline", kernel_name(rule->input, baseline));
    verdict_add_integer(verdict, "baseline_bytes", (int64_t)worst->unshared);
    verdict_add_integer(verdict, "bytes", (int64_t)worst->bytes);
    verdict_add_number(verdict, "expected_ratio", worst->unshared / worst->maximum);
    if (worst->bytes > 0) {
        verdict_add_number(verdict, "ratio", worst->unshared / (double)worst->bytes);
    }
    verdict_add_integer(verdict, "sectors", (int64_t)worst->sectors);
    verdict_add_integer(verdict, "other_bytes", (int64_t)worst->other_bytes);
    verdict_add_integer(verdict, "shared_read_bytes",
                        (int64_t)worst->counts->totals[COUNT_SHARED][COUNT_READ].bytes);
}

/* True if both kernels were launched in blocks of other sizes, which gives the cases other sizes
 * too: then their loads cannot be compared. */
static bool has_other_blocks(const struct load_rule *rule, struct cause *out_cause)
{
    const struct rubric_launch *baseline =
        &rule->input->rubric->launches[rule->criterion->baseline];
    const struct observation *own = first_launched(rule->input, rule->criterion->launch);
    const struct observation *other = first_launched(rule->input, rule->criterion->baseline);

    if (own == NULL || other == NULL || own->block == other->block) {
        return false;
    }
    *out_cause = cause_advised(CODE_WRONG_BLOCK,
                               arena_printf(rule->arena,
                                            "blocks of `%s` are %" PRId64
                                            " threads wide, those of `%s` %" PRId64
                                            ", so their loads cannot be compared",
                                            kernel_name(rule->input, rule->launch), own->block,
                                            kernel_name(rule->input, baseline), other->block),
                               advise(ADVICE_SAME_BLOCK_WIDTH));
    return true;
}

/* True if the baseline's results are wrong. */
static bool baseline_is_wrong(const struct load_rule *rule, struct cause *out_cause)
{
    const size_t index = rule->criterion->baseline;
    const struct rubric_launch *baseline = &rule->input->rubric->launches[index];
    struct verdict unused = {.criterion = rule->criterion};
    const char *summary = NULL;
    struct cause cause;

    if (compare_lacks(rule->arena, rule->input->rubric, baseline, rule->input->oracle) != NULL ||
        !find_wrong_result(rule->input, rule->arena, index, &unused, &cause, &summary)) {
        return false;
    }
    *out_cause = cause_advised(
        cause.code,
        arena_printf(rule->arena,
                     "`%s`, the kernel that your loads are compared with, is wrong here",
                     kernel_name(rule->input, baseline)),
        advise(ADVICE_GIVEN_KERNEL));
    out_cause->subject = cause.subject;
    out_cause->subject.kind = SUBJECT_BASELINE;
    return true;
}

/* True if some probe of the baseline writes more bytes to an output than it has. */
static bool baseline_writes_twice(const struct load_rule *rule, struct cause *out_cause)
{
    const size_t index = rule->criterion->baseline;
    const struct rubric_launch *baseline = &rule->input->rubric->launches[index];
    const struct launch_run *run = &rule->input->evidence->launch_runs[index];

    for (size_t i = 0; i < run->observation_count; i++) {
        const struct observation *observation = &run->observations[i];
        for (size_t j = 0; j < observation->sample_count * baseline->operand_count; j++) {
            const struct rubric_operand *operand = &baseline->operands[j % baseline->operand_count];
            const struct access_sum *sums = observation->samples[j / baseline->operand_count]
                                                .counts.operands[j % baseline->operand_count];
            const uint64_t bytes = sums[COUNT_WRITE].bytes + sums[COUNT_ATOMIC].bytes;
            const uint64_t size = observation->element_counts[j % baseline->operand_count] *
                                  (uint64_t)element_bytes(operand->type);
            if (operand->role != OPERAND_OUTPUT || bytes <= size) {
                continue;
            }
            *out_cause = cause_advised(
                CODE_BAD_OPERAND,
                arena_printf(rule->arena,
                             "`%s`, the kernel that your loads are compared with, writes %" PRIu64
                             " bytes to %s, which has %" PRIu64
                             ": it is launched with more threads than needed, or other arguments",
                             kernel_name(rule->input, baseline), bytes, operand->name, size),
                advise(ADVICE_GIVEN_KERNEL));
            return true;
        }
    }
    return false;
}

/* True if the probes of one of both launches are missing, or are none of the same sizes, or if the
 * baseline does not do what it should. */
static bool is_blocked(const struct load_rule *rule, struct cause *out_cause)
{
    if (precondition_launch(rule->input, rule->arena, rule->criterion->launch, out_cause)) {
        return true;
    }
    bool is_of_baseline =
        precondition_launch(rule->input, rule->arena, rule->criterion->baseline, out_cause);
    if (!is_of_baseline && has_other_blocks(rule, out_cause)) {
        return true;
    }
    is_of_baseline = is_of_baseline || baseline_is_wrong(rule, out_cause) ||
                     baseline_writes_twice(rule, out_cause);
    if (is_of_baseline) {
        out_cause->subject.is_of_baseline = true;
    }
    return is_of_baseline;
}

/* "16 times fewer bytes": exactly, if it is. */
static const char *passed_text(const struct load_rule *rule, const struct load_limits *review)
{
    const struct load_traffic *worst = &review->worst;

    if (observation_is_hidden(rule->input, worst->observation)) {
        return shapes_text(rule->arena, probed_shapes(rule->input, rule->criterion->launch));
    }
    return arena_printf(rule->arena, "%s%.4g times fewer bytes",
                        (double)worst->bytes == worst->maximum ? "exactly " : "",
                        worst->unshared / (double)worst->bytes);
}

void saved_loads_criterion_judge(const struct criteria_input *input, struct arena *arena,
                                 struct verdict *verdict)
{
    const struct load_rule rule = load_rule_of(input, arena, verdict->criterion, bounds);
    struct load_limits review;
    struct cause cause;

    if (is_blocked(&rule, &cause)) {
        outcome_fail(verdict, &cause, NULL);
        return;
    }
    if (load_limits_holds(&rule, add_evidence, verdict, &review)) {
        outcome_pass(verdict, passed_text(&rule, &review));
    }
}
