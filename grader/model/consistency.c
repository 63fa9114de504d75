/* consistency.c: see consistency.h. */
#include "model/consistency.h"

#include "base/ensure.h"

#include <math.h>

static void launch_ensure(const struct rubric *rubric, const struct rubric_launch *launch)
{
    ENSURE(launch->id != NULL);
    ENSURE(launch->program < rubric->program_count);
    ENSURE(launch->operand_count <= RUBRIC_OPERANDS_MAX);
    ENSURE(launch->scalar_count <= RUBRIC_OPERANDS_MAX);
}

static void criterion_ensure(const struct rubric *rubric, const struct rubric_criterion *criterion)
{
    ENSURE(criterion->id != NULL && criterion->title != NULL);
    ENSURE((unsigned)criterion->kind < CRITERION_COUNT);
    ENSURE(isfinite(criterion->points) && criterion->points >= 0.0);
    ENSURE(!criterion->has_launch || criterion->launch < rubric->launch_count);
    ENSURE(!criterion->has_printout || criterion->printout < rubric->printout_count);
    ENSURE(!criterion->has_bytes_printout || criterion->bytes_printout < rubric->printout_count);
    ENSURE(!criterion->has_scalar ||
           criterion->scalar < rubric->launches[criterion->launch].scalar_count);
    bool has_baseline =
        criterion->kind == CRITERION_SPEEDUP || criterion->kind == CRITERION_SAVED_LOADS;
    ENSURE(!has_baseline || criterion->baseline < rubric->launch_count);
}

void rubric_ensure(const struct rubric *rubric)
{
    ENSURE(rubric->parameter_count <= RUBRIC_PARAMETERS_MAX);
    ENSURE(rubric->hidden_case_count <= rubric->case_count);
    ENSURE(rubric->hidden_criterion_count <= rubric->criterion_count);
    for (size_t i = 0; i < rubric->launch_count; i++) {
        launch_ensure(rubric, &rubric->launches[i]);
    }
    for (size_t i = 0; i < rubric->printout_count; i++) {
        ENSURE(rubric->printouts[i].program < rubric->program_count);
    }
    for (size_t i = 0; i < rubric->criterion_count; i++) {
        criterion_ensure(rubric, &rubric->criteria[i]);
    }
}

static void build_ensure(const struct program_build *build)
{
    ENSURE(!build->linked || build->failure == CODE_NONE);
    ENSURE(build->message_count == 0 || build->messages != NULL);
    for (size_t i = 0; i < build->message_count; i++) {
        ENSURE(build->messages[i].message != NULL && build->messages[i].file != NULL);
    }
}

static void sample_ensure(const struct rubric_launch *launch, const struct observation *observation,
                          const struct sample *sample)
{
    ENSURE((unsigned)sample->kind < PROBE_COUNT);
    ENSURE(sample->finding_count == 0 || sample->findings != NULL);
    for (size_t i = 0; i < launch->operand_count && sample->status == SAMPLE_DONE; i++) {
        bool is_empty = observation->element_counts[i] == 0;
        ENSURE(is_empty || (sample->before[i] != NULL && sample->after[i] != NULL));
    }
}

void evidence_ensure(const struct rubric *rubric, const struct submission_evidence *evidence)
{
    for (size_t i = 0; i < rubric->program_count; i++) {
        build_ensure(&evidence->builds[i]);
    }
    for (size_t i = 0; i < rubric->launch_count; i++) {
        const struct launch_run *run = &evidence->launch_runs[i];
        for (size_t j = 0; j < run->observation_count; j++) {
            const struct observation *observation = &run->observations[j];
            ENSURE(observation->case_index == SIZE_MAX ||
                   observation->case_index < rubric->case_count);
            ENSURE(observation->sample_count == 0 || observation->launched);
            for (size_t k = 0; k < observation->sample_count; k++) {
                sample_ensure(&rubric->launches[i], observation, &observation->samples[k]);
            }
        }
    }
}

void verdict_ensure(const struct verdict *verdict)
{
    const struct rubric_criterion *criterion = verdict->criterion;
    const struct cause *cause = &verdict->cause;

    ENSURE(criterion != NULL);
    ENSURE(verdict->points >= 0.0 && verdict->points <= criterion->points);
    ENSURE(verdict->status != STATUS_PASSED || verdict->points == criterion->points);
    ENSURE(verdict->points == 0.0 || verdict->status == STATUS_PASSED ||
           verdict->status == STATUS_PARTIAL);
    ENSURE(verdict->status != STATUS_FAILED || cause->code != CODE_NONE);
    ENSURE((unsigned)cause->code < CODE_COUNT);
    ENSURE(verdict->summary != NULL);
    ENSURE(cause->message != NULL && cause->file != NULL && cause->hint != NULL);
    ENSURE(cause->line >= 0 && cause->column >= 0);
    ENSURE(verdict->evidence_count <= EVIDENCE_MAX && verdict->measured_count <= EVIDENCE_MAX);
}

void report_ensure(const struct report *report)
{
    for (size_t i = 0; i < report->verdict_count; i++) {
        verdict_ensure(&report->verdicts[i]);
    }
    for (size_t i = 0; i < report->diagnostic_count; i++) {
        const struct report_diagnostic *diagnostic = &report->diagnostics[i];
        ENSURE(diagnostic->message != NULL && diagnostic->file != NULL);
        for (size_t j = 0; j < diagnostic->verdict_count; j++) {
            ENSURE(diagnostic->verdicts[j] < report->verdict_count);
        }
    }
}
