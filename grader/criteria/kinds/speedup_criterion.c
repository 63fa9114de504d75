/* speedup_criterion.c: the criterion `speedup`: how many times as fast as the baseline a launch is
 * on a real GPU, held against what the reference solution reaches there in the same run.
 *
 *   s     speedup of the submission, the upper end of its interval
 *   r     speedup of the reference, the lower end of its interval
 *   full  the rubric's full_marks(r)
 *
 *   points = all x (s - no_marks) / (full - no_marks), from 0 to all, to the nearest `step`
 *
 * Both ends favour the student. A launch that is not known to be right has no speed; spans that
 * came out wrong, that overwrote their inputs, or sooner than the GPU can compute, are not
 * believed. What the machine could not settle is `error` or `skipped`, never a mark. An interval
 * that stays wide is settled by its end in the student's favour as well, and the summary says so.
 * By another rubric's rule the same figures are settled again, from the verdict's own facts.
 */
#include "criteria/outcome.h"

#include "criteria/kernel_name.h"
#include "criteria/kinds/marks_again.h"
#include "criteria/kinds/speed_bound.h"
#include "criteria/kinds/speedup_facts.h"
#include "criteria/preconditions/launch_findings.h"
#include "criteria/preconditions/preconditions.h"
#include "criteria/preconditions/sound_launch.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* A timing that is being judged. */
struct judged {
    const struct criteria_input *input;
    struct arena *arena;
    const struct rubric_criterion *criterion;
    const struct rubric_launch *launch, *baseline;
    const struct timing_run *timing;
    struct timed_work work;
};

/* The timing of a criterion; NULL if there is none. */
static const struct timing_run *timing_of(const struct criteria_input *input,
                                          const struct rubric_criterion *criterion)
{
    for (size_t i = 0; i < input->rubric->criterion_count && input->evidence->timings != NULL;
         i++) {
        const struct timing_run *timing = &input->evidence->timings[i];
        if (&input->rubric->criteria[i] == criterion) {
            bool is_empty = !timing->ran && timing->failure == CODE_NONE &&
                            (timing->trouble == NULL || timing->trouble[0] == '\0');
            return is_empty ? NULL : timing;
        }
    }
    return NULL;
}

/* Codes of a timing that the run of the program may explain. */
static bool is_about_the_run(enum code code)
{
    enum cause_kind kind = code_cause(code);

    return code == CODE_NEVER_LAUNCHED || kind == CAUSE_CRASH || kind == CAUSE_CUDA_ERROR ||
           kind == CAUSE_FORBIDDEN;
}

/* Why the submission could not be timed. */
static struct cause failure_cause(const struct judged *judged)
{
    const struct timing_run *timing = judged->timing;
    const struct finding *finding = worst_finding(timing->findings, timing->finding_count);
    const char *shape = timed_shape_text(judged->input, judged->arena, judged->criterion, timing);
    struct cause cause;

    if (finding != NULL) {
        cause = cause_of_finding(judged->arena, finding);
    } else if (!timing->activity.ran || !is_about_the_run(timing->failure) ||
               !precondition_activity(judged->arena, &timing->activity, &cause)) {
        const char *message = timing->failure_message;
        cause = cause_advised(
            timing->failure,
            message != NULL && message[0] != '\0' ? message : code_title(timing->failure),
            advise(code_cause(timing->failure) == CAUSE_UNSUPPORTED ? ADVICE_TIMED_ON_ANY_GPU
                                                                    : ADVICE_TIMED_SHAPE_IS_LARGE));
    }
    cause.message = arena_printf(judged->arena, "%s (timed on the GPU, %s)", cause.message, shape);
    return cause;
}

static struct cause wrong_span_cause(const struct judged *judged)
{
    const struct timing_run *timing = judged->timing;

    return cause_make(
        CODE_WRONG_WHEN_TIMED,
        arena_printf(judged->arena,
                     "`%s` is wrong in %" PRIu64 " of %" PRIu64 " timed spans that were compared, "
                     "%" PRIu64 " elements in the first, from element %" PRIu64 " on, for %s",
                     kernel_name(judged->input, judged->launch), timing->wrong_spans,
                     timing->compared, timing->wrong, timing->first_wrong,
                     timed_shape_text(judged->input, judged->arena, judged->criterion, timing)));
}

static struct cause decided_cause(const struct judged *judged)
{
    const char *function = judged->launch->call;

    return cause_make(
        CODE_NOT_REPEATABLE,
        arena_printf(judged->arena,
                     "`%s` reads what kernels have computed and decides by it what comes next, so "
                     "it cannot be timed by itself",
                     function != NULL ? function : kernel_name(judged->input, judged->launch)));
}

static struct cause changed_cause(const struct judged *judged)
{
    const struct timing_run *timing = judged->timing;

    return cause_make(
        CODE_INPUT_CHANGED,
        arena_printf(judged->arena,
                     "`%s` overwrites its inputs in %" PRIu64 " of %" PRIu64
                     " timed spans that were compared, %" PRIu64 " elements in the first, for %s",
                     kernel_name(judged->input, judged->launch), timing->changed_spans,
                     timing->compared, timing->changed,
                     timed_shape_text(judged->input, judged->arena, judged->criterion, timing)));
}

static struct cause impossible_cause(const struct judged *judged)
{
    return cause_make(
        CODE_IMPOSSIBLE_TIME,
        arena_printf(judged->arena,
                     "`%s` takes %.4g ms, but %.4g GFLOP and %.4g MB take %s at least %.4g ms",
                     kernel_name(judged->input, judged->launch), judged->timing->student_ns / 1e6,
                     judged->work.operations / 1e9, judged->work.bytes / 1e6,
                     judged->input->timing_model->device_name, judged->work.least_ns / 1e6));
}

/* The marks and how they come about. */
struct marks {
    double student, reference; /* s and r */
    double full;
    double points;
    const char *text; /* "10 x (1.12 - 1) / (1.4 - 1) = 3" */
};

static bool reference_lookup(void *context, const char *name, double *out_value)
{
    *out_value = *(const double *)context;
    return strcmp(name, "reference") == 0;
}

/* False if the rubric's rule has no value for this reference. */
static bool compute_marks(const struct judged *judged, struct marks *out_marks)
{
    const struct rubric_criterion *criterion = judged->criterion;
    double all = criterion->points;
    double none = criterion->no_marks;
    struct marks marks = {
        .student = judged->timing->speedup.high,
        .reference = judged->timing->reference.low,
    };

    if (!expression_evaluate(criterion->full_marks, reference_lookup, &marks.reference, &marks.full,
                             NULL) ||
        !(marks.full > none)) {
        return false;
    }
    if (marks.student >= marks.full) {
        marks.points = all;
        marks.text = arena_printf(judged->arena, "%.5g is at least %.5g: all %.12g", marks.student,
                                  marks.full, all);
    } else if (marks.student <= none) {
        marks.text =
            arena_printf(judged->arena, "%.5g is at most %.12g: none", marks.student, none);
    } else {
        double exact = all * (marks.student - none) / (marks.full - none);
        marks.points = fmin(all, round(exact / criterion->step) * criterion->step);
        marks.text = arena_printf(
            judged->arena,
            "%.12g x (%.5g - %.12g) / (%.5g - %.12g) = %.4g, to the nearest %.12g: %.12g", all,
            marks.student, none, marks.full, none, exact, criterion->step, marks.points);
    }
    *out_marks = marks;
    return true;
}

/* What noise has left open; "" if that is little. */
static const char *noise_text(const struct judged *judged)
{
    const struct timing_ratio *speedup = &judged->timing->speedup;

    return !judged->timing->is_ambiguous
               ? ""
               : arena_printf(judged->arena, " (noise: %.2f to %.2f, the better end counts)",
                              speedup->low, speedup->high);
}

/* "; it reaches 41 % of what this GPU allows, the reference 78 %"; "" if that is not known. */
static const char *reached_text(const struct judged *judged)
{
    const struct timing_run *timing = judged->timing;

    return !(judged->work.copied_ns > 0)
               ? ""
               : arena_printf(judged->arena,
                              "; it reaches %.2g %% of what this GPU allows, the reference %.2g %%",
                              100 * judged->work.copied_ns / timing->student_ns,
                              100 * judged->work.copied_ns / timing->reference_ns);
}

/* The line to begin with, by the accesses that the emulated device has seen. */
static void mark_costliest_line(const struct judged *judged, struct cause *cause)
{
    struct speed_bound bound;

    if (!speed_bound_of(judged->input, judged->arena, judged->criterion, &bound)) {
        return;
    }
    const struct line_count *line = costliest_line(&bound.observation->samples[0].counts);
    if (line != NULL) {
        cause->file = line->file;
        cause->line = line->line;
        cause->column = line->column;
        cause->label = "most of its accesses to memory are made here";
    }
}

static struct cause slow_cause(const struct judged *judged, const struct marks *marks)
{
    double speedup = judged->timing->speedup.value;
    int digits = fabs(speedup - marks->full) < 0.01 ? 4 : 2;
    struct cause cause = cause_advised(
        CODE_TOO_SLOW,
        arena_printf(judged->arena,
                     "%.*f times as fast as %s%s; the reference solution reaches %.*f here, full "
                     "marks start at %.*f%s",
                     digits, speedup, judged->baseline->title, noise_text(judged), digits,
                     judged->timing->reference.value, digits, marks->full, reached_text(judged)),
        advise(speedup < 1 ? ADVICE_SLOWER_THAN_NAIVE : ADVICE_FASTER_THAN_NAIVE));

    if (judged->input != NULL) {
        mark_costliest_line(judged, &cause);
    }
    return cause;
}

static void settle_marks(const struct judged *judged, struct verdict *verdict)
{
    const struct timing_run *timing = judged->timing;
    struct marks marks;

    if (!compute_marks(judged, &marks)) {
        outcome_error(
            verdict,
            arena_printf(judged->arena,
                         "the rubric's full marks, %s, are not above %.12g for a reference of %.5g",
                         expression_text(judged->criterion->full_marks),
                         judged->criterion->no_marks, timing->reference.low),
            ADVICE_COURSEWORK_AT_FAULT);
        return;
    }
    verdict_add_measured_number(verdict, "full_marks", marks.full);
    verdict_add_measured_text(verdict, "marks", marks.text);
    const char *summary =
        arena_printf(judged->arena, "%.2f x %s%s, reference %.2f", timing->speedup.value,
                     judged->baseline->id, noise_text(judged), timing->reference.value);
    if (marks.points >= judged->criterion->points) {
        outcome_pass(verdict, summary);
        return;
    }
    struct cause cause = slow_cause(judged, &marks);
    outcome_fail(verdict, &cause, summary);
    if (marks.points > 0) {
        verdict->status = STATUS_PARTIAL;
        verdict->points = marks.points;
    }
}

/* False if the figures are no measurement, which only a mistake of the grader can bring about. */
static bool has_figures(const struct timing_run *timing)
{
    const struct timing_ratio *ratios[] = {&timing->speedup, &timing->reference, &timing->self};
    const double times[] = {timing->student_ns, timing->baseline_ns, timing->reference_ns};
    bool all = true;

    for (size_t i = 0; i < 3; i++) {
        all = all && ratios[i]->low > 0 && ratios[i]->low <= ratios[i]->value &&
              ratios[i]->value <= ratios[i]->high && isfinite(ratios[i]->high) && times[i] > 0 &&
              isfinite(times[i]);
    }
    return all;
}

/* Judges the figures of a timing that came to its end. */
static void judge_timing(const struct judged *judged, struct verdict *verdict)
{
    const struct timing_run *timing = judged->timing;
    double least_ns = judged->work.least_ns;
    struct cause cause;

    if (has_figures(timing)) {
        add_speedup_facts(timing, &judged->work, verdict);
    }
    if (timing->wrong_spans > 0) {
        cause = timing->reads_back ? decided_cause(judged) : wrong_span_cause(judged);
        outcome_fail(verdict, &cause, NULL);
        return;
    }
    if (timing->changed_spans > 0) {
        cause = changed_cause(judged);
        outcome_fail(verdict, &cause, NULL);
        return;
    }
    if (!has_figures(timing)) {
        outcome_error(verdict, "the measurement has no value", ADVICE_GRADER_MISTAKE);
        return;
    }
    if (timing->reference_ns < least_ns) {
        outcome_error(verdict,
                      arena_printf(judged->arena,
                                   "the reference takes %.4g ms, less than the %.4g ms that the "
                                   "rubric's operations and bytes allow",
                                   timing->reference_ns / 1e6, least_ns / 1e6),
                      ADVICE_COURSEWORK_AT_FAULT);
        return;
    }
    if (timing->student_ns < least_ns) {
        cause = impossible_cause(judged);
        outcome_fail(verdict, &cause, NULL);
        return;
    }
    if (!(timing->reference.low >= judged->criterion->smallest_reference)) {
        outcome_skip(verdict,
                     arena_printf(judged->arena, "the reference reaches only %.2f x %s here",
                                  timing->reference.value, judged->baseline->id),
                     arena_printf(judged->arena,
                                  "the reference solution is %.4g times as fast as %s here, at "
                                  "least %.4g times, expected at least %.4g times: too little to "
                                  "tell solutions apart",
                                  timing->reference.value, judged->baseline->title,
                                  timing->reference.low, judged->criterion->smallest_reference));
        return;
    }
    settle_marks(judged, verdict);
}

/* Nothing is measured; what is known is how fast the launch can be at most. */
static void skip_without_gpu(const struct criteria_input *input, struct arena *arena,
                             struct verdict *verdict)
{
    const char *why = "speed is measured on a real GPU, and this check uses none";
    const char *summary = "needs a GPU";
    struct speed_bound bound;

    if (speed_bound_of(input, arena, verdict->criterion, &bound)) {
        add_speed_bound(input, arena, &bound, verdict);
        summary = arena_printf(arena, "needs a GPU; %s", speed_bound_text(input, arena, &bound));
        why = arena_printf(arena, "%s; %s", why, speed_bound_reason(arena, &bound));
    }
    outcome_skip(verdict, summary, why);
}

/* What must be so before there is anything to judge; false with the verdict settled. */
static bool can_be_timed(const struct criteria_input *input, struct arena *arena,
                         struct verdict *verdict)
{
    struct cause cause;

    if (input->timing_model == NULL) {
        skip_without_gpu(input, arena, verdict);
        return false;
    }
    switch (launch_soundness(input, arena, verdict->criterion->launch, &cause)) {
    case LAUNCH_SOUND:
        return true;
    case LAUNCH_UNSOUND:
        outcome_fail(verdict, &cause, NULL);
        return false;
    case LAUNCH_UNKNOWN:
        break;
    }
    outcome_error(verdict, cause.message, cause.advice.id);
    return false;
}

void speedup_criterion_judge(const struct criteria_input *input, struct arena *arena,
                             struct verdict *verdict)
{
    const struct rubric_criterion *criterion = verdict->criterion;
    struct judged judged = {
        .input = input,
        .arena = arena,
        .criterion = criterion,
        .launch = &input->rubric->launches[criterion->launch],
        .baseline = &input->rubric->launches[criterion->baseline],
        .timing = timing_of(input, criterion),
    };

    add_speedup_rule(input, arena, verdict);
    if (!can_be_timed(input, arena, verdict)) {
        return;
    }
    if (judged.timing == NULL) {
        outcome_error(verdict, "the launch was not timed", ADVICE_GRADER_MISTAKE);
        return;
    }
    verdict_add_text(verdict, "shape", timed_shape_text(input, arena, criterion, judged.timing));
    if (judged.timing->trouble != NULL && judged.timing->trouble[0] != '\0') {
        outcome_error(verdict, judged.timing->trouble, ADVICE_MEASURE_AGAIN);
        return;
    }
    if (judged.timing->failure != CODE_NONE) {
        struct cause cause = failure_cause(&judged);
        outcome_fail(verdict, &cause, NULL);
        return;
    }
    judged.work = timed_work_of(input, criterion, judged.timing);
    verdict_add_number(verdict, "operations", judged.work.operations);
    verdict_add_number(verdict, "least_bytes", judged.work.bytes);
    verdict_add_integer(verdict, "block", judged.timing->block);
    verdict_add_integer(verdict, "reference_block", judged.timing->reference_block);
    judge_timing(&judged, verdict);
}

/* A fact that was measured; NULL if it was not. */
static const struct evidence *measured(const struct verdict *verdict, const char *key)
{
    for (size_t i = 0; i < verdict->measured_count; i++) {
        if (strcmp(verdict->measured[i].key, key) == 0) {
            return &verdict->measured[i];
        }
    }
    return NULL;
}

static double measured_number(const struct verdict *verdict, const char *key)
{
    const struct evidence *fact = measured(verdict, key);

    return fact != NULL && fact->type == EVIDENCE_NUMBER ? fact->number : 0;
}

/* A ratio by the keys of its value, low and high end; false if it was not measured. */
static bool measured_ratio(const struct verdict *verdict, const char *const keys[3],
                           struct timing_ratio *out_ratio)
{
    double values[3];

    for (size_t i = 0; i < 3; i++) {
        const struct evidence *fact = measured(verdict, keys[i]);
        if (fact == NULL || fact->type != EVIDENCE_NUMBER) {
            return false;
        }
        values[i] = fact->number;
    }
    *out_ratio = (struct timing_ratio){values[0], values[1], values[2]};
    return true;
}

/* Leaves the measured facts without those of a rule. */
static void drop_marks(struct verdict *verdict)
{
    size_t kept = 0;

    for (size_t i = 0; i < verdict->measured_count; i++) {
        const char *key = verdict->measured[i].key;
        if (strcmp(key, "full_marks") != 0 && strcmp(key, "marks") != 0) {
            verdict->measured[kept++] = verdict->measured[i];
        }
    }
    verdict->measured_count = kept;
}

bool speedup_settle_again(const struct rubric *rubric, struct arena *arena, struct verdict *verdict)
{
    static const char *const speedup[] = {"speedup", "speedup_low", "speedup_high"};
    static const char *const reference[] = {"reference", "reference_low", "reference_high"};
    const struct rubric_criterion *criterion = verdict->criterion;
    const struct evidence *ambiguous = measured(verdict, "ambiguous");
    const struct cause before = verdict->cause;
    struct timing_run timing = {
        .is_ambiguous = ambiguous != NULL && ambiguous->integer != 0,
        .student_ns = measured_number(verdict, "student_ms") * 1e6,
        .reference_ns = measured_number(verdict, "reference_ms") * 1e6,
    };
    const struct judged judged = {
        .arena = arena,
        .criterion = criterion,
        .launch = &rubric->launches[criterion->launch],
        .baseline = &rubric->launches[criterion->baseline],
        .timing = &timing,
        .work = {.least_ns = measured_number(verdict, "least_ms") * 1e6,
                 .copied_ns =
                     measured_number(verdict, measured(verdict, "copied_ms") != NULL ? "copied_ms"
                                                                                     : "least_ms") *
                     1e6},
    };

    /* "marks" is there if nothing but the speed has decided */
    if (measured(verdict, "marks") == NULL || verdict->only_hidden ||
        !measured_ratio(verdict, speedup, &timing.speedup) ||
        !measured_ratio(verdict, reference, &timing.reference)) {
        return false;
    }
    drop_marks(verdict);
    change_speedup_rule(arena, verdict);
    settle_marks(&judged, verdict);
    if (verdict->cause.code == CODE_TOO_SLOW && before.code == CODE_TOO_SLOW) {
        verdict->cause.file = before.file;
        verdict->cause.line = before.line;
        verdict->cause.column = before.column;
        verdict->cause.label = before.label;
    }
    return true;
}
