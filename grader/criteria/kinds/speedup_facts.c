/* speedup_facts.c: see speedup_facts.h. */
#include "criteria/kinds/speedup_facts.h"

#include "criteria/case_text.h"
#include "model/case.h"
#include "occupancy/gpu_peak.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* The timed shape in elements; zeros if it has no value on this GPU. */
static struct observation timed_observation(const struct criteria_input *input,
                                            const struct rubric_criterion *criterion,
                                            const struct timing_run *timing)
{
    struct observation timed = {.case_index = SIZE_MAX, .block = timing->block};

    case_timing_parameters(input->rubric, criterion, input->timing_model->multiprocessors,
                           timed.parameters);
    return timed;
}

static double evaluate(const struct criteria_input *input, const struct expression *expression,
                       const struct observation *timed)
{
    struct case_scope scope = {.rubric = input->rubric, .parameters = timed->parameters};
    double value = 0;

    return expression_evaluate(expression, case_lookup, &scope, &value, NULL) ? value : 0;
}

double speedup_peak_operations(const struct criteria_input *input,
                               const struct rubric_criterion *criterion,
                               const struct gpu_model *model)
{
    const struct rubric_launch *launch = &input->rubric->launches[criterion->launch];

    for (size_t i = 0; i < launch->operand_count; i++) {
        const struct rubric_operand *operand = &launch->operands[i];
        if (operand->role == OPERAND_INPUT &&
            (operand->type == ELEMENT_F16 || operand->type == ELEMENT_BF16)) {
            return gpu_peak_half_operations(model);
        }
    }
    return gpu_peak_operations(model);
}

struct timed_work timed_work_of(const struct criteria_input *input,
                                const struct rubric_criterion *criterion,
                                const struct timing_run *timing)
{
    const struct gpu_model *model = input->timing_model;
    double launches = timing->launches_per_span > 0 ? timing->launches_per_span : 1;
    double highest_mhz = model->clock_khz / 1e3;
    const struct observation timed = timed_observation(input, criterion, timing);
    struct timed_work work = {
        .operations = evaluate(input, criterion->operations, &timed),
        .bytes = evaluate(input, criterion->least_bytes, &timed),
        .peak_operations = speedup_peak_operations(input, criterion, model),
        .peak_bandwidth = gpu_peak_bandwidth(model),
    };

    if (highest_mhz > 0 && timing->clock_high_mhz > highest_mhz) {
        work.peak_operations *= timing->clock_high_mhz / highest_mhz;
    }
    double moved_bytes = work.bytes - (double)model->l2_bytes / launches;
    if (work.peak_operations > 0) {
        work.least_ns = work.operations / work.peak_operations * 1e9;
    }
    if (work.peak_bandwidth > 0 && moved_bytes / work.peak_bandwidth * 1e9 > work.least_ns) {
        work.least_ns = moved_bytes / work.peak_bandwidth * 1e9;
    }
    work.copied_ns = work.least_ns;
    if (timing->copy_bandwidth > 0) {
        work.copied_ns = fmax(work.copied_ns, moved_bytes / timing->copy_bandwidth * 1e9);
    }
    return work;
}

const char *timed_shape_text(const struct criteria_input *input, struct arena *arena,
                             const struct rubric_criterion *criterion,
                             const struct timing_run *timing)
{
    const struct observation timed = timed_observation(input, criterion, timing);

    return shape_text(input, arena, &input->rubric->launches[criterion->launch], &timed);
}

static const char *rule_text(const struct rubric_criterion *criterion, struct arena *arena)
{
    return arena_printf(arena,
                        "%.12g x (speedup - %.12g) / (full - %.12g), full = %s, to the nearest "
                        "%.12g",
                        criterion->points, criterion->no_marks, criterion->no_marks,
                        expression_text(criterion->full_marks), criterion->step);
}

void change_speedup_rule(struct arena *arena, struct verdict *verdict)
{
    for (size_t i = 0; i < verdict->evidence_count; i++) {
        if (strcmp(verdict->evidence[i].key, "rule") == 0) {
            verdict->evidence[i].text = rule_text(verdict->criterion, arena);
        }
    }
}

void add_speedup_rule(const struct criteria_input *input, struct arena *arena,
                      struct verdict *verdict)
{
    const struct rubric_criterion *criterion = verdict->criterion;

    verdict_add_text(verdict, "baseline", input->rubric->launches[criterion->baseline].id);
    verdict_add_text(verdict, "rule", rule_text(criterion, arena));
    verdict_add_number(verdict, "smallest_reference", criterion->smallest_reference);
}

static void add_ratio(struct verdict *verdict, const char *const keys[3],
                      const struct timing_ratio *ratio)
{
    verdict_add_measured_number(verdict, keys[0], ratio->value);
    verdict_add_measured_number(verdict, keys[1], ratio->low);
    verdict_add_measured_number(verdict, keys[2], ratio->high);
}

static void add_ratios(const struct timing_run *timing, struct verdict *verdict)
{
    static const char *const speedup[] = {"speedup", "speedup_low", "speedup_high"};
    static const char *const reference[] = {"reference", "reference_low", "reference_high"};
    static const char *const share[] = {"of_reference", "of_reference_low", "of_reference_high"};
    static const char *const self[] = {"self", "self_low", "self_high"};

    add_ratio(verdict, speedup, &timing->speedup);
    add_ratio(verdict, reference, &timing->reference);
    if (timing->reference.low > 0) {
        add_ratio(verdict, share,
                  &(struct timing_ratio){timing->speedup.value / timing->reference.value,
                                         timing->speedup.low / timing->reference.high,
                                         timing->speedup.high / timing->reference.low});
    }
    add_ratio(verdict, self, &timing->self);
    verdict_add_measured_boolean(verdict, "ambiguous", timing->is_ambiguous);
}

/* What the student's launch reaches of what the GPU can do. */
static void add_rates(const struct timing_run *timing, const struct timed_work *work,
                      struct verdict *verdict)
{
    if (!(timing->student_ns > 0)) {
        return;
    }
    verdict_add_measured_number(verdict, "gflops", work->operations / timing->student_ns);
    if (work->peak_operations > 0) {
        verdict_add_measured_number(verdict, "fraction_of_peak",
                                    work->operations / timing->student_ns * 1e9 /
                                        work->peak_operations);
    }
    if (work->peak_bandwidth > 0) {
        verdict_add_measured_number(verdict, "fraction_of_bandwidth",
                                    work->bytes / timing->student_ns * 1e9 / work->peak_bandwidth);
    }
    if (work->least_ns > 0) {
        verdict_add_measured_number(verdict, "least_ms", work->least_ns / 1e6);
    }
    if (timing->copy_bandwidth > 0) {
        verdict_add_measured_number(verdict, "copy_bandwidth_gbs", timing->copy_bandwidth / 1e9);
        verdict_add_measured_number(verdict, "copied_ms", work->copied_ns / 1e6);
    }
}

void add_speedup_facts(const struct timing_run *timing, const struct timed_work *work,
                       struct verdict *verdict)
{
    add_ratios(timing, verdict);
    verdict_add_measured_number(verdict, "student_ms", timing->student_ns / 1e6);
    verdict_add_measured_number(verdict, "baseline_ms", timing->baseline_ns / 1e6);
    verdict_add_measured_number(verdict, "reference_ms", timing->reference_ns / 1e6);
    add_rates(timing, work, verdict);
    if (timing->clock_high_mhz > 0) {
        verdict_add_measured_number(verdict, "clock_low_mhz", timing->clock_low_mhz);
        verdict_add_measured_number(verdict, "clock_high_mhz", timing->clock_high_mhz);
    }
    verdict_add_measured_integer(verdict, "blocks", timing->blocks);
    verdict_add_measured_integer(verdict, "rejected", timing->rejected);
    verdict_add_measured_integer(verdict, "launches_per_span", timing->launches_per_span);
    verdict_add_measured_integer(verdict, "compared_spans", (int64_t)timing->compared);
    verdict_add_measured_integer(verdict, "wrong_spans", (int64_t)timing->wrong_spans);
    verdict_add_measured_integer(verdict, "changed_spans", (int64_t)timing->changed_spans);
    verdict_add_measured_number(verdict, "seconds", timing->seconds);
}
