/* launch_preconditions.c: see launch_preconditions.h. */
#include "criteria/preconditions/launch_preconditions.h"

#include "criteria/case_text.h"
#include "criteria/kernel_name.h"
#include "criteria/launch_parameters.h"
#include "criteria/outcome.h"
#include "criteria/preconditions/launch_findings.h"
#include "criteria/preconditions/missing_launch.h"
#include "criteria/preconditions/preconditions.h"
#include "criteria/preconditions/whole_program.h"
#include "criteria/results/compare.h"
#include "criteria/results/other_buffer.h"
#include "model/case.h"
#include "model/work_limit.h"

#include <inttypes.h>
#include <string.h>

/* The launch that is looked at. */
struct looked_at {
    const struct criteria_input *input;
    struct arena *arena;
    size_t index;
    const struct rubric_launch *launch;
    const struct launch_run *run;
};

static struct looked_at look_at(const struct criteria_input *input, struct arena *arena,
                                size_t index)
{
    return (struct looked_at){
        .input = input,
        .arena = arena,
        .index = index,
        .launch = &input->rubric->launches[index],
        .run = &input->evidence->launch_runs[index],
    };
}

static const char *shape_of(const struct looked_at *at, const struct observation *observation)
{
    return shape_text(at->input, at->arena, at->launch, observation);
}

bool blocked_before_launch(const struct criteria_input *input, struct arena *arena, size_t launch,
                           struct cause *out_cause)
{
    const struct program_activity *activity = &input->evidence->launch_runs[launch].activity;
    size_t program = input->rubric->launches[launch].program;

    if (precondition_build(input, arena, program, out_cause) ||
        precondition_template(input, arena, program, CODE_TEMPLATE_UNCHANGED, out_cause) ||
        precondition_fixed_size(input, arena, program, out_cause)) {
        return true;
    }
    return activity->protocol_broken && precondition_activity(arena, activity, out_cause);
}

static struct cause unsupported_cause(const struct looked_at *at, const struct sample *sample)
{
    for (size_t i = 0; i < sample->finding_count; i++) {
        if (code_cause(sample->findings[i].code) == CAUSE_UNSUPPORTED) {
            return cause_of_finding(at->arena, &sample->findings[i]);
        }
    }
    return cause_make(CODE_UNKNOWN_INSTRUCTION,
                      arena_printf(at->arena, "`%s` uses an instruction that %s does not know",
                                   kernel_name(at->input, at->launch),
                                   at->input->is_emulated ? "the emulated device" : "the GPU"));
}

/* What a launch may do in a case: "256 times the work of a simple kernel". */
static const char *allowance(const struct looked_at *at, const struct observation *observation)
{
    const struct rubric *rubric = at->input->rubric;
    const int64_t *parameters = observation->parameters;
    uint64_t simple = work_of_case(rubric, at->launch, parameters, observation->block);
    uint64_t limit = work_limit(rubric, at->launch, parameters, observation->block);

    return simple == 0
               ? arena_printf(at->arena, "%.1f million warp instructions", (double)limit / 1e6)
               : arena_printf(at->arena, "%" PRIu64 " times the work of a simple kernel",
                              limit / simple);
}

/* A launch that was stopped; `finding` says where, NULL: a real GPU does not. */
static struct cause cause_of_stop(const struct looked_at *at, const struct observation *observation,
                                  const struct finding *finding)
{
    const char *kernel = kernel_name(at->input, at->launch);
    const struct limits *limits = &at->input->rubric->limits;

    if (finding != NULL) {
        struct cause cause = cause_of_finding(at->arena, finding);
        if (!finding->is_limit) {
            return cause;
        }
        cause.message = arena_printf(at->arena, "%s (%s are allowed for %s)", cause.message,
                                     allowance(at, observation), shape_of(at, observation));
        return cause;
    }
    return cause_make(CODE_LAUNCH_DEADLINE,
                      arena_printf(at->arena, "`%s` runs for more than %g s for %s", kernel,
                                   (double)(at->input->is_emulated ? limits->launch_emulated_ns
                                                                   : limits->launch_cuda_ns) /
                                       1e9,
                                   shape_of(at, observation)));
}

/* Where a launch was stopped; NULL: that is not known. */
static const struct finding *stop_of(const struct sample *sample)
{
    for (size_t i = 0; i < sample->finding_count; i++) {
        if (sample->findings[i].code == CODE_LAUNCH_DEADLINE) {
            return &sample->findings[i];
        }
    }
    return NULL;
}

/* Why a probe did not come to its end. */
static bool precondition_sample(const struct looked_at *at, const struct observation *observation,
                                const struct sample *sample, struct cause *out_cause)
{
    const struct finding *finding = worst_finding(sample->findings, sample->finding_count);

    if (sample->status == SAMPLE_DONE) {
        return false;
    }
    if (sample->status == SAMPLE_UNSUPPORTED) {
        *out_cause = unsupported_cause(at, sample);
    } else if (finding != NULL && stop_of(sample) == NULL) {
        *out_cause = cause_of_finding(at->arena, finding);
    } else if (sample->status == SAMPLE_DEADLINE) {
        *out_cause = cause_of_stop(at, observation, stop_of(sample));
    } else {
        *out_cause = cause_advised(CODE_API_ERROR,
                                   arena_printf(at->arena, "`%s` ends with an error for %s",
                                                kernel_name(at->input, at->launch),
                                                shape_of(at, observation)),
                                   advise(ADVICE_ASSERT_OR_TRAP));
    }
    return true;
}

/* "8, 16, 32" */
static const char *allowed_blocks(const struct looked_at *at)
{
    const char *list = "";

    for (size_t i = 0; i < at->launch->block_count; i++) {
        list =
            arena_printf(at->arena, "%s%s%" PRId64, list, i > 0 ? ", " : "", at->launch->blocks[i]);
    }
    return list;
}

/* True if all threads of a block width's square stand in one dimension. */
static bool is_square_in_a_row(const struct looked_at *at, const struct observation *observation,
                               int64_t block_width)
{
    const uint32_t *block = observation->geometry.block;

    return !launch_is_of_vectors(at->launch) && block_width > 1 && block[1] == 1 && block[2] == 1 &&
           (uint64_t)block[0] == (uint64_t)block_width * (uint64_t)block_width;
}

/* The macro that the sources have for the block width; else the block width in digits. */
static const char *block_width_name(const struct looked_at *at, int64_t block_width)
{
    const struct rubric_program *program = &at->input->rubric->programs[at->launch->program];
    const char *text = at->launch->block != NULL ? expression_text(at->launch->block) : "block";

    for (size_t i = 0; i < program->override_count; i++) {
        const char *value = expression_text(program->overrides[i].value);
        if (strcmp(value, text) == 0 || strcmp(value, "block") == 0) {
            return program->overrides[i].name;
        }
    }
    return arena_printf(at->arena, "%" PRId64, block_width);
}

/* The block width that a case expects; 0: there are several. */
static int64_t expected_width(const struct looked_at *at, const struct observation *observation)
{
    struct case_scope scope = {.rubric = at->input->rubric, .parameters = observation->parameters};
    double expected = 0.0;
    bool is_known = at->launch->block != NULL &&
                    expression_evaluate(at->launch->block, case_lookup, &scope, &expected, NULL);

    return is_known && expected >= 1.0 && expected <= UINT16_MAX ? (int64_t)expected : 0;
}

/* The block width that a launch may have and that fits what it has; 0: none does. */
static int64_t fitting_width(const struct looked_at *at, const struct observation *observation,
                             bool fits(const struct looked_at *at,
                                       const struct observation *observation, int64_t block_width))
{
    const int64_t expected = expected_width(at, observation);

    if (at->launch->block != NULL) {
        return fits(at, observation, expected) ? expected : 0;
    }
    for (size_t i = 0; i < at->launch->block_count; i++) {
        if (fits(at, observation, at->launch->blocks[i])) {
            return at->launch->blocks[i];
        }
    }
    return 0;
}

/* True if the grid has the sides that a block of that width should have. */
static bool has_grid_of_block(const struct looked_at *at, const struct observation *observation,
                              int64_t block_width)
{
    const uint32_t *grid = observation->geometry.grid;
    const uint32_t height = launch_is_of_vectors(at->launch) ? 1 : grid[0];

    return block_width > 1 && grid[0] == (uint64_t)block_width && grid[1] == height && grid[2] == 1;
}

/* True if all launches whose block is wrong have the grid that their block should be: a grid that
 * only happens to be as large does not stay so when sizes change. */
static bool have_grid_of_block(const struct looked_at *at)
{
    size_t found = 0;

    for (size_t i = 0; i < at->run->observation_count; i++) {
        const struct observation *observation = &at->run->observations[i];
        if (observation->failure != CODE_WRONG_BLOCK ||
            observation_is_hidden(at->input, observation)) {
            continue;
        }
        if (fitting_width(at, observation, has_grid_of_block) == 0) {
            return false;
        }
        found++;
    }
    return found > 0;
}

static struct advice binding_advice(const struct looked_at *at,
                                    const struct observation *observation)
{
    if (observation->failure == CODE_BAD_OPERAND && observation->failure_symbol != NULL) {
        return advise_on(ADVICE_DECLARE_SYMBOL, observation->failure_symbol);
    }
    if (observation->failure != CODE_WRONG_BLOCK) {
        return advise(at->launch->call == NULL                      ? ADVICE_LAUNCH_ARGUMENTS
                      : observation->failure == CODE_NEVER_LAUNCHED ? ADVICE_WORK_IN_EACH_CALL
                                                                    : ADVICE_OPERANDS_OF_CALL);
    }
    const int64_t width = fitting_width(at, observation, is_square_in_a_row);
    if (width > 0) {
        return advise_on(ADVICE_SQUARE_BLOCK, block_width_name(at, width));
    }
    if (have_grid_of_block(at)) {
        return advise(ADVICE_GRID_OF_BLOCK);
    }
    return at->launch->block != NULL ? advise(ADVICE_BLOCK_FROM_SIZE)
           : launch_is_of_vectors(at->launch)
               ? advise_on(ADVICE_BLOCK_OF_THREADS, allowed_blocks(at))
               : advise_on(ADVICE_BLOCK_OF_COLUMNS, allowed_blocks(at));
}

static struct cause failed_binding_cause(const struct looked_at *at,
                                         const struct observation *observation)
{
    const char *message = observation->failure_message;

    if (observation->failure == CODE_CASE_COMPILE_ERROR) {
        return cause_of_case_build(at->input, at->arena, at->index, observation);
    }
    if (message == NULL || message[0] == '\0' || observation_is_hidden(at->input, observation)) {
        message = code_title(observation->failure);
    }
    if (launch_is_program(at->launch) &&
        (observation->failure == CODE_BAD_OPERAND || observation->failure == CODE_BAD_MARKS)) {
        return cause_advised(observation->failure, message, advise(ADVICE_HAND_OVER_RESULT));
    }
    struct cause cause =
        code_cause(observation->failure) == CAUSE_FORBIDDEN
            ? cause_make(observation->failure, message)
            : cause_advised(observation->failure, message, binding_advice(at, observation));
    if (observation->failure_host != NULL && observation->failure_host->line > 0) {
        cause.file = observation->failure_host->file;
        cause.line = observation->failure_host->line;
    }
    return cause;
}

bool blocked_in_launch(const struct criteria_input *input, struct arena *arena, size_t launch,
                       struct cause *out_cause)
{
    const struct looked_at at = look_at(input, arena, launch);

    for (size_t i = 0; i < at.run->observation_count; i++) {
        const struct observation *observation = &at.run->observations[i];
        if (observation->failure != CODE_NONE) {
            *out_cause = failed_binding_cause(&at, observation);
            return true;
        }
        for (size_t j = 0; j < observation->sample_count; j++) {
            if (precondition_sample(&at, observation, &observation->samples[j], out_cause)) {
                return true;
            }
        }
    }
    return false;
}

bool launched_twice(const struct criteria_input *input, struct arena *arena, size_t launch,
                    struct cause *out_cause)
{
    const struct looked_at at = look_at(input, arena, launch);

    for (size_t i = 0; i < at.run->observation_count && !is_whole_program(input, launch); i++) {
        const struct observation *observation = &at.run->observations[i];
        if (observation->launch_count > 1) {
            *out_cause = cause_advised(
                CODE_LAUNCHED_TWICE,
                arena_printf(arena, "`%s` is launched %" PRIu32 " times for %s, expected once",
                             kernel_name(input, at.launch), observation->launch_count,
                             shape_of(&at, observation)),
                advise(launch_is_product(at.launch) ? ADVICE_ONE_LAUNCH_OF_TILES
                                                    : ADVICE_ONE_LAUNCH_OF_BLOCKS));
            return true;
        }
    }
    return false;
}

static const struct observation *find_case(const struct launch_run *run, size_t case_index,
                                           uint32_t repetition)
{
    for (size_t i = 0; i < run->observation_count; i++) {
        const struct observation *observation = &run->observations[i];
        if (observation->case_index == case_index && observation->repetition == repetition) {
            return observation;
        }
    }
    return NULL;
}

/* The first observation in which the kernel was not launched; NULL if there is none. */
static const struct observation *first_not_launched(const struct launch_run *run)
{
    for (size_t i = 0; i < run->observation_count; i++) {
        if (!run->observations[i].launched) {
            return &run->observations[i];
        }
    }
    return NULL;
}

bool precondition_missing_case(const struct criteria_input *input, struct arena *arena,
                               size_t launch, struct cause *out_cause)
{
    const struct looked_at at = look_at(input, arena, launch);
    const struct observation *idle = first_not_launched(at.run);
    const char *shape = NULL;
    bool missing = idle != NULL;

    for (size_t i = 0; i < input->rubric->case_count && !missing; i++) {
        for (uint32_t j = 0; j < input->rubric->cases[i].repeat && !missing; j++) {
            missing = find_case(at.run, i, j) == NULL;
        }
    }
    if (!missing) {
        return false;
    }
    const struct finding *fault = worst_launch_finding(input, launch, false);
    if (fault != NULL && finding_is_fault(fault)) {
        *out_cause = cause_of_finding(arena, fault);
        return true;
    }
    if (first_launched(input, launch) != NULL) {
        shape = idle != NULL ? shape_of(&at, idle) : "the remaining shapes";
    }
    *out_cause = cause_of_missing_launch(input, arena, launch, shape);
    return true;
}

bool precondition_unseen_kernel(const struct criteria_input *input, struct arena *arena,
                                size_t launch, struct cause *out_cause)
{
    if (first_launched(input, launch) != NULL) {
        return false;
    }
    if (!blocked_before_launch(input, arena, launch, out_cause)) {
        *out_cause = cause_of_missing_launch(input, arena, launch, NULL);
    }
    return true;
}

bool precondition_launch(const struct criteria_input *input, struct arena *arena, size_t launch,
                         struct cause *out_cause)
{
    return blocked_before_launch(input, arena, launch, out_cause) ||
           blocked_in_launch(input, arena, launch, out_cause) ||
           precondition_missing_case(input, arena, launch, out_cause) ||
           launched_twice(input, arena, launch, out_cause);
}

bool all_cases_probed(const struct criteria_input *input, size_t launch)
{
    const struct rubric *rubric = input->rubric;
    const struct launch_run *run = &input->evidence->launch_runs[launch];
    size_t output = output_operand(&rubric->launches[launch]);

    for (size_t i = 0; i < rubric->case_count; i++) {
        for (uint32_t j = 0; j < rubric->cases[i].repeat; j++) {
            const struct observation *observation = find_case(run, i, j);
            if (observation == NULL || observation->sample_count == 0 ||
                observation->element_counts[output] == 0) {
                return false;
            }
        }
    }
    return true;
}

bool precondition_idle_kernel(const struct criteria_input *input, struct arena *arena,
                              size_t launch, struct cause *out_cause)
{
    const struct rubric_launch *of = &input->rubric->launches[launch];
    const struct launch_run *run = &input->evidence->launch_runs[launch];
    size_t output = output_operand(of);
    size_t element = element_bytes(of->operands[output].type);

    if (!all_cases_probed(input, launch)) {
        return false;
    }
    for (size_t i = 0; i < run->observation_count; i++) {
        const struct observation *observation = &run->observations[i];
        for (size_t j = 0; j < observation->sample_count; j++) {
            const struct sample *sample = &observation->samples[j];
            if (memcmp(sample->before[output], sample->after[output],
                       observation->element_counts[output] * element) != 0) {
                return false;
            }
        }
    }
    if (!find_other_buffer(input, arena, launch, out_cause)) {
        *out_cause =
            cause_make(CODE_NOT_WRITTEN,
                       arena_printf(arena, "`%s` never writes to %s, so there is nothing to judge",
                                    kernel_name(input, of), of->operands[output].name));
    }
    return true;
}

size_t probed_shapes(const struct criteria_input *input, size_t launch)
{
    const struct launch_run *run = &input->evidence->launch_runs[launch];
    size_t count = 0;

    for (size_t i = 0; i < run->observation_count; i++) {
        count += run->observations[i].sample_count > 0 ? 1 : 0;
    }
    return count;
}

const char *shapes_text(struct arena *arena, size_t shapes)
{
    return arena_printf(arena, "%zu shape%s", shapes, shapes == 1 ? "" : "s");
}
