/* trace_request.c: which block is worth tracing to find the line of a wrong result.
 *
 * Where sizes are equal, or one tile is all there is, mistakes look alike: a row that is read for a
 * column, a tile that stays. So of the wrong cases the one with the fewest such coincidences is
 * taken, and of these the smallest, for the plainest coordinates. What differs only
 * when it is launched again is looked for in the probe that does so. Races and faults have lines of
 * their own, and values that depend on the order of threads would show another mistake each time.
 */
#include "diagnosis/diagnosis.h"

#include "criteria/case_text.h"
#include "criteria/plain_case.h"
#include "diagnosis/patterns/element_maps.h"
#include "diagnosis/patterns/result_explanation.h"

#include <string.h>

/* True for codes of results that are wrong: the inputs themselves are left as they were. */
static bool is_wrong_output(enum code code)
{
    static const enum code codes[] = {
        CODE_MISMATCH,   CODE_NAMED_MISTAKE, CODE_NOT_WRITTEN, CODE_REDUCED_PRECISION,
        CODE_STATE_KEPT, CODE_NOT_BIT_EXACT, CODE_NOT_A_NUMBER};

    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        if (code == codes[i]) {
            return true;
        }
    }
    return false;
}

/* True if the sample repeats, and so shows the mistake again when it is traced, with the blocks in
 * order: all start from the same state but the one that looks for state. */
static bool sample_repeats(const struct sample *sample, enum code code)
{
    if (sample->status != SAMPLE_DONE || sample->kind == PROBE_REORDERED) {
        return false;
    }
    return (sample->kind == PROBE_AGAIN) == (code == CODE_STATE_KEPT);
}

/* Where the first wrong element is never written, no block shows why; one that writes other
 * elements of the same tile does. */
static void watch_beside(const struct criteria_input *input, struct arena *arena,
                         const struct observation *observation, const struct sample *sample,
                         struct trace_request *request)
{
    const struct element_map *map =
        element_map_of_sample(input, arena, request->launch, request->operand, observation, sample);
    size_t block_width = map->block > 0 ? (size_t)map->block : 0;

    if (block_width == 0 || map->states[request->element] != ELEMENT_UNWRITTEN) {
        return;
    }
    size_t first_row = request->element / map->columns / block_width * block_width;
    size_t first_column = request->element % map->columns / block_width * block_width;
    for (size_t row = first_row; row < first_row + block_width && row < map->rows; row++) {
        for (size_t i = first_column; i < first_column + block_width && i < map->columns; i++) {
            if (map->states[row * map->columns + i] != ELEMENT_UNWRITTEN) {
                request->element = row * map->columns + i;
                request->is_beside = true;
                return;
            }
        }
    }
}

/* Looks for a wrong sample of one case; fills the request. */
static bool find_wrong_sample(const struct criteria_input *input, struct arena *arena,
                              const struct observation *observation, enum code code,
                              struct trace_request *request)
{
    const struct rubric_launch *launch = &input->rubric->launches[request->launch];

    for (size_t i = 0; i < observation->sample_count; i++) {
        struct problem problem;
        struct comparison comparison;
        if (!sample_repeats(&observation->samples[i], code)) {
            continue;
        }
        problem_init(input->rubric, launch, observation, &observation->samples[i],
                     output_operand(launch), &problem);
        if (compare_sample(&problem, input->oracle, &comparison) && comparison.wrong > 0) {
            memcpy(request->parameters, observation->parameters, sizeof request->parameters);
            request->block = observation->block;
            request->operand = problem.output;
            request->element = comparison.first_wrong;
            request->is_again = observation->samples[i].kind == PROBE_AGAIN;
            request->is_beside = false;
            watch_beside(input, arena, observation, &observation->samples[i], request);
            return true;
        }
    }
    return false;
}

/* True if an input may hold any number: a float may be beyond a range that only keeps numbers
 * apart or small; an integer may be an index. */
static bool takes_any_number(const struct rubric_operand *operand)
{
    const struct value_domain *values = &operand->values;

    return !values->is_set ||
           (element_is_float(operand->type) && values->least != NULL && values->distinct == NULL &&
            values->zero_share <= 0 && !values->is_sorted && !values->is_permutation);
}

/* True if every value of a traced launch may be made to tell which element it is: inputs are
 * numbers of at least four bytes, and any number is right. */
static bool is_traceable(const struct rubric_launch *launch, const struct oracle *oracle)
{
    size_t results = 0;

    for (size_t i = 0; i < launch->operand_count; i++) {
        const struct rubric_operand *operand = &launch->operands[i];
        results += operand_is_result(operand) ? 1 : 0;
        if (operand_lanes(operand) > 1 || element_bytes(operand->type) < sizeof(uint32_t) ||
            operand->is_in_host_memory || !takes_any_number(operand) || operand->starts_as_zero ||
            operand->is_counted || operand->compare.kind == COMPARE_CHECK ||
            operand->compare.has_share) {
            return false;
        }
    }
    return results == 1 && oracle->needs != NULL && oracle->expect != NULL &&
           oracle->make_inputs == NULL;
}

bool diagnosis_wants_trace(const struct criteria_input *input, struct arena *arena,
                           const struct verdict *verdict, struct trace_request *out_request)
{
    const struct rubric_criterion *criterion = verdict->criterion;
    const struct cause *cause = &verdict->cause;
    struct trace_request request = {.launch = criterion->launch};
    const struct observation *best = NULL;

    if (criterion->kind != CRITERION_CORRECT || !input->is_emulated || input->oracle == NULL ||
        !is_traceable(&input->rubric->launches[criterion->launch], input->oracle) ||
        verdict->status != STATUS_FAILED || cause->subject.kind != SUBJECT_RESULT ||
        !is_wrong_output(cause->code) || result_reason(cause) != NULL) {
        return false;
    }
    const struct launch_run *run = &input->evidence->launch_runs[criterion->launch];
    for (size_t i = 0; i < run->observation_count; i++) {
        const struct observation *observation = &run->observations[i];
        if (!observation_is_hidden(input, observation) &&
            (best == NULL || case_is_plainer(input->rubric, observation, best)) &&
            find_wrong_sample(input, arena, observation, cause->code, &request)) {
            best = observation;
        }
    }
    if (best == NULL) {
        return false;
    }
    *out_request = request;
    return true;
}
