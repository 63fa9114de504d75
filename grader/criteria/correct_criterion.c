/* correct_criterion.c: the criterion `correct`: one launch, right in every element of every case.
 *
 * All or nothing. What keeps the launch from being judged comes first, then what its accesses broke
 * (it explains wrong values), then the values.
 */
#include "criteria/outcome.h"

#include "criteria/blocked.h"
#include "criteria/case_text.h"
#include "criteria/wrong_result.h"

#include <inttypes.h>

/* What is being judged. */
struct judged {
    const struct criteria_input *input;
    struct arena *arena;
    size_t index; /* of the launch */
    const struct rubric_launch *launch;
    const struct launch_run *run;
};

static const char *shape_of(const struct judged *judged, const struct observation *observation)
{
    return shape_text(judged->input, judged->arena, judged->launch, observation);
}

/* The first error that the device saw in a probe. */
static bool broken_by_finding(const struct judged *judged, struct cause *out_cause)
{
    for (size_t i = 0; i < judged->run->observation_count; i++) {
        const struct observation *observation = &judged->run->observations[i];
        for (size_t j = 0; j < observation->sample_count; j++) {
            const struct sample *sample = &observation->samples[j];
            const struct finding *finding =
                first_error_finding(sample->findings, sample->finding_count);
            if (finding != NULL) {
                *out_cause = cause_of_finding(judged->arena, finding);
                return true;
            }
        }
    }
    return false;
}

static struct cause unsupported_cause(const struct judged *judged, const struct sample *sample)
{
    for (size_t i = 0; i < sample->finding_count; i++) {
        if (code_cause(sample->findings[i].code) == CAUSE_UNSUPPORTED) {
            return cause_of_finding(judged->arena, &sample->findings[i]);
        }
    }
    return cause_make(CODE_UNKNOWN_INSTRUCTION,
                      arena_printf(judged->arena,
                                   "`%s` uses an instruction that the emulated device does not "
                                   "know",
                                   judged->launch->kernel),
                      "tell your instructor: this is no mistake of yours");
}

/* Why a probe did not come to its end. */
static bool broken_by_sample(const struct judged *judged, const struct observation *observation,
                             struct cause *out_cause)
{
    const char *kernel = judged->launch->kernel;

    for (size_t i = 0; i < observation->sample_count; i++) {
        const struct sample *sample = &observation->samples[i];
        if (sample->status == SAMPLE_UNSUPPORTED) {
            *out_cause = unsupported_cause(judged, sample);
            return true;
        }
        if (sample->status == SAMPLE_DEADLINE) {
            *out_cause = cause_make(
                CODE_LAUNCH_DEADLINE,
                arena_printf(judged->arena, "`%s` runs for more than %g s for %s", kernel,
                             (double)judged->input->rubric->limits.launch_emulated_ns / 1e9,
                             shape_of(judged, observation)),
                "look for a loop in the kernel that never ends: what changes its condition");
            return true;
        }
        if (sample->status == SAMPLE_FAULT) {
            *out_cause = cause_make(CODE_API_ERROR,
                                    arena_printf(judged->arena, "`%s` ends with an error for %s",
                                                 kernel, shape_of(judged, observation)),
                                    "look for a failed assertion or a trap in the kernel");
            return true;
        }
    }
    return false;
}

/* "8, 16, 32" */
static const char *allowed_blocks(const struct judged *judged)
{
    const char *list = "";

    for (size_t i = 0; i < judged->launch->block_count; i++) {
        list = arena_printf(judged->arena, "%s%s%" PRId64, list, i > 0 ? ", " : "",
                            judged->launch->blocks[i]);
    }
    return list;
}

static struct cause failed_binding_cause(const struct judged *judged,
                                         const struct observation *observation)
{
    const char *message = observation->failure_message;
    const char *hint = "check the arguments of the launch, and their order";

    if (observation->failure == CODE_WRONG_BLOCK) {
        hint = arena_printf(judged->arena,
                            "launch blocks with the same number of columns each time, one of %s",
                            allowed_blocks(judged));
    }
    if (message == NULL || message[0] == '\0' ||
        observation_is_hidden(judged->input, observation)) {
        message = code_title(observation->failure);
    }
    return cause_make(observation->failure, message, hint);
}

/* The first case that was launched but not as it should be. */
static bool broken_by_observation(const struct judged *judged, struct cause *out_cause)
{
    for (size_t i = 0; i < judged->run->observation_count; i++) {
        const struct observation *observation = &judged->run->observations[i];
        if (observation->failure != CODE_NONE) {
            *out_cause = failed_binding_cause(judged, observation);
            return true;
        }
        if (broken_by_sample(judged, observation, out_cause)) {
            return true;
        }
        if (observation->launch_count > 1) {
            *out_cause = cause_make(
                CODE_LAUNCHED_TWICE,
                arena_printf(judged->arena,
                             "`%s` is launched %" PRIu32 " times for %s, expected once",
                             judged->launch->kernel, observation->launch_count,
                             shape_of(judged, observation)),
                "one launch has to write the whole result: loop over the tiles in the kernel");
            return true;
        }
    }
    return false;
}

static const struct observation *find_case(const struct judged *judged, size_t case_index,
                                           uint32_t repetition)
{
    for (size_t i = 0; i < judged->run->observation_count; i++) {
        const struct observation *observation = &judged->run->observations[i];
        if (observation->case_index == case_index && observation->repetition == repetition) {
            return observation;
        }
    }
    return NULL;
}

/* The first observation in which the kernel was not launched; NULL if there is none. */
static const struct observation *first_not_launched(const struct judged *judged)
{
    for (size_t i = 0; i < judged->run->observation_count; i++) {
        if (!judged->run->observations[i].launched) {
            return &judged->run->observations[i];
        }
    }
    return NULL;
}

/* Cases that were drawn but never came to a launch. */
static bool broken_by_missing(const struct judged *judged, struct cause *out_cause)
{
    const struct rubric *rubric = judged->input->rubric;
    const struct observation *idle = first_not_launched(judged);
    const char *shape = NULL;
    bool missing = idle != NULL;

    for (size_t i = 0; i < rubric->case_count && !missing; i++) {
        for (uint32_t j = 0; j < rubric->cases[i].repeat && !missing; j++) {
            missing = find_case(judged, i, j) == NULL;
        }
    }
    if (!missing) {
        return false;
    }
    if (first_launched(judged->input, judged->index) != NULL) {
        shape = idle != NULL ? shape_of(judged, idle) : "the remaining shapes";
    }
    *out_cause = cause_of_missing_launch(judged->input, judged->arena, judged->index, shape);
    return true;
}

/* True if each drawn case holds samples of at least one element; false is a mistake of the grader's
 * or of the rubric's shapes. */
static bool all_probed(const struct judged *judged)
{
    const struct rubric *rubric = judged->input->rubric;
    size_t output = output_operand(judged->launch);

    for (size_t i = 0; i < rubric->case_count; i++) {
        for (uint32_t j = 0; j < rubric->cases[i].repeat; j++) {
            const struct observation *observation = find_case(judged, i, j);
            if (observation->sample_count == 0 || observation->element_counts[output] == 0) {
                return false;
            }
        }
    }
    return true;
}

/* Shapes that were judged; the first one only tells the block edge. */
static size_t probed_count(const struct judged *judged)
{
    size_t count = 0;

    for (size_t i = 0; i < judged->run->observation_count; i++) {
        count += judged->run->observations[i].sample_count > 0 ? 1 : 0;
    }
    return count;
}

/* A run whose launches were all right, and which went wrong elsewhere. */
static bool broken_elsewhere(const struct judged *judged, struct cause *out_cause)
{
    const struct program_activity *activity = &judged->run->activity;
    struct cause ending;

    if (activity->protocol_broken ||
        first_error_finding(activity->findings, activity->finding_count) != NULL ||
        blocked_by_end(judged->arena, activity, &ending)) {
        return blocked_by_activity(judged->arena, activity, out_cause);
    }
    return false;
}

/* What is wrong before any value is looked at. */
static bool broken_before_values(const struct judged *judged, struct cause *out_cause)
{
    const struct program_activity *activity = &judged->run->activity;
    size_t program = judged->launch->program;

    if (blocked_by_build(judged->input, judged->arena, program, out_cause) ||
        blocked_by_template(judged->input, judged->arena, program, CODE_TEMPLATE_UNCHANGED,
                            out_cause)) {
        return true;
    }
    if (activity->protocol_broken) {
        return blocked_by_activity(judged->arena, activity, out_cause);
    }
    return broken_by_finding(judged, out_cause) || broken_by_observation(judged, out_cause) ||
           broken_by_missing(judged, out_cause);
}

/* What the coursework lacks for this criterion; NULL if nothing. */
static const char *lacking(const struct judged *judged)
{
    const struct criteria_input *input = judged->input;

    if (output_operand(judged->launch) == judged->launch->operand_count) {
        return "the rubric's launch has no output operand";
    }
    if (input->oracle == NULL) {
        return "the coursework has no oracle";
    }
    if (input->rubric->arithmetic == ARITHMETIC_NO_FMAD && input->oracle->expect_in_order == NULL) {
        return "the rubric asks for \"fmad=false\", but the oracle has no expect_in_order";
    }
    return NULL;
}

void correct_criterion_judge(const struct criteria_input *input, struct arena *arena,
                             struct verdict *verdict)
{
    size_t index = verdict->criterion->launch;
    struct judged judged = {
        .input = input,
        .arena = arena,
        .index = index,
        .launch = &input->rubric->launches[index],
        .run = &input->evidence->launch_runs[index],
    };
    const char *summary = NULL;
    const char *lack = lacking(&judged);
    struct cause cause;

    if (lack != NULL) {
        outcome_error(verdict, lack, "tell your instructor: the coursework itself is at fault");
        return;
    }
    if (broken_before_values(&judged, &cause)) {
        outcome_fail(verdict, &cause, NULL);
        return;
    }
    if (!all_probed(&judged)) {
        outcome_error(verdict, "a case was launched but not probed",
                      "this is a mistake of the grader: report it with the seed");
        return;
    }
    if (find_wrong_result(input, arena, index, verdict, &cause, &summary) ||
        broken_elsewhere(&judged, &cause)) {
        outcome_fail(verdict, &cause, summary);
        return;
    }
    size_t shapes = probed_count(&judged);
    outcome_pass(verdict, arena_printf(arena, "%zu shape%s", shapes, shapes == 1 ? "" : "s"));
}
