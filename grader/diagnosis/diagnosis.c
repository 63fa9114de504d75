/* diagnosis.c: see diagnosis.h. */
#include "diagnosis/diagnosis.h"

#include "criteria/case_text.h"
#include "diagnosis/dataflow/origin_line.h"
#include "diagnosis/dataflow/suspect_line.h"
#include "diagnosis/hints/advice_text.h"
#include "diagnosis/hints/build_hint.h"
#include "diagnosis/hints/constant_hint.h"
#include "diagnosis/hints/finding_hint.h"
#include "diagnosis/hints/kernel_choice.h"
#include "diagnosis/location/cause_location.h"
#include "diagnosis/location/related_locations.h"
#include "diagnosis/location/slip_location.h"
#include "diagnosis/patterns/result_explanation.h"
#include "model/consistency.h"

/* The reason is the device's finding, or else the line that a trace shows. */
static void explain_result(const struct criteria_input *input, struct arena *arena,
                           struct verdict *verdict)
{
    struct cause *cause = &verdict->cause;

    result_explain(verdict);
    if (verdict->criterion->kind == CRITERION_CORRECT) {
        cause->reason = result_reason(cause);
        finding_explain_cause(arena, cause);
        locate_wrong_result(input, arena, verdict->criterion->launch, cause);
        locate_origin(input, arena, verdict->criterion->launch, cause);
    }
}

/* In which shapes a launch that was refused left nothing that ran; NULL: not known. */
static const char *launchless_shapes(const struct criteria_input *input, struct arena *arena,
                                     const struct verdict *verdict)
{
    const struct rubric_criterion *criterion = verdict->criterion;
    const struct rubric_launch *launch =
        criterion->has_launch ? &input->rubric->launches[criterion->launch] : NULL;
    const char *first = NULL;
    size_t shapes = 0;

    if (launch == NULL || launch->call == NULL || verdict->cause.code != CODE_IMPOSSIBLE_LAUNCH) {
        return NULL;
    }
    const struct launch_run *run = &input->evidence->launch_runs[criterion->launch];
    for (size_t i = 0; i < run->observation_count; i++) {
        const struct observation *observation = &run->observations[i];
        if (observation->sample_count > 0 && observation->samples[0].call.launches == 0) {
            shapes++;
            first = first == NULL && !observation_is_hidden(input, observation)
                        ? shape_text(input, arena, launch, observation)
                        : first;
        }
    }
    if (first == NULL || shapes == 1) {
        return first == NULL ? NULL : arena_printf(arena, "nothing is launched for %s", first);
    }
    return arena_printf(arena, "nothing is launched in %zu of %zu shapes; first: %s", shapes,
                        run->observation_count, first);
}

/* What is said of a cause depends on what it is about. */
static void explain_subject(const struct criteria_input *input, struct arena *arena,
                            struct verdict *verdict)
{
    struct cause *cause = &verdict->cause;

    switch (cause->subject.kind) {
    case SUBJECT_RESULT:
        explain_result(input, arena, verdict);
        break;
    case SUBJECT_BASELINE:
        baseline_result_explain(verdict);
        break;
    case SUBJECT_BUILD:
        cause->hint = build_next_step(input, arena, cause);
        break;
    case SUBJECT_FINDING:
        cause->hint = finding_next_step(arena, cause->subject.finding);
        break;
    case SUBJECT_COPY:
    case SUBJECT_CONSTANT:
        constant_explain(input, arena, verdict->criterion->launch, cause);
        break;
    case SUBJECT_CALL:
        cause->seen = launchless_shapes(input, arena, verdict);
        finding_explain_cause(arena, cause);
        break;
    case SUBJECT_PRINTOUT:
    case SUBJECT_FUNCTION:
    case SUBJECT_NONE:
        finding_explain_cause(arena, cause);
        break;
    }
}

void diagnosis_explain(const struct criteria_input *input, struct arena *arena,
                       struct verdict *verdict)
{
    advice_explain(arena, &verdict->cause);
    explain_subject(input, arena, verdict);
    cause_location(input, arena, verdict);
    related_locations(input, arena, verdict);
    slip_location(input, arena, verdict);
    kernel_choice_report(input, arena, verdict);
    verdict_ensure(verdict);
}
